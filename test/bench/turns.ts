/**
 * Loads that take turns. The processors of a virtual machine change their speed: figures can be compared only if all of
 * them met the same mixture. So each load runs for a turn, then the next one, in each of several rounds.
 */
import type { Workload } from "./workloads.ts";

/**
 * ms of a turn. Node compiles what runs for a while: in turns of 50 ms its code is never warm, and a GET costs it four
 * times as much.
 */
export const turnMilliseconds = 1_000;
/** ms between two turns, in which a server answers the requests that it still has. */
export const pauseMilliseconds = 5;

/**
 * @returns the loads, from 0, in the order of so many turns of each. Every second time they go in the opposite order,
 * so that none always follows the same one.
 */
export function turnPlan(loads: number, turns: number): readonly number[] {
  return Array.from({ length: turns }, (_, turn) => {
    const around = Array.from({ length: loads }, (_, load) => load);
    return turn % 2 === 0 ? around : around.toReversed();
  }).flat();
}

/**
 * The workloads by groups that take turns with each other.
 * @param compared pairs of names of workloads that are compared: such two are in one group.
 */
export function heats(
  workloads: readonly Workload[],
  compared: readonly (readonly [mine: string, other: string])[],
): readonly (readonly Workload[])[] {
  const isCompared = ({ name }: Workload) => compared.some(([mine]) => mine === name);
  const comparedWith = (first: Workload) =>
    workloads.filter(({ name }) => compared.some(([mine, other]) => mine === name && other === first.name));
  return workloads.filter((workload) => !isCompared(workload)).map((first) => [first, ...comparedWith(first)]);
}

/**
 * Divides the processor time of servers among their loads. What a server uses from the beginning of a turn on is its
 * load's, until a turn of another load of the same server begins: work that a server does late, such as collecting
 * garbage, is not lost.
 */
export class ProcessorBill {
  private readonly open = new Map<number, { readonly load: number; readonly reading: number }>();
  private readonly times = new Map<number, number>();

  /**
   * A turn of a load begins. @param pid the server's. @param reading the processor time that it has used by now, in ns.
   */
  begin(load: number, pid: number, reading: number): void {
    this.end(pid, reading);
    this.open.set(pid, { load, reading });
  }

  /** The last turn on a server has ended. */
  end(pid: number, reading: number): void {
    const last = this.open.get(pid);
    if (last === undefined) return;
    this.open.delete(pid);
    this.times.set(last.load, this.used(last.load) + reading - last.reading);
  }

  /** ns that a load has cost its server. */
  used(load: number): number {
    return this.times.get(load) ?? 0;
  }
}
