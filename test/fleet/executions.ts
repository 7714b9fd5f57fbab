/** How often, and how late, each device has executed a command, by its log. */
import type { Device as FleetDevice } from "./devices.ts";

type Device = Pick<FleetDevice, "id" | "readLog">;

/** Devices whose logs can be read all the time. */
const mostWatched = 1_000;

/** A command of QoS 0 is a PUT, and one of QoS 1 a POST. */
export const verbs = ["put", "post"] as const;

/** A command that was executed, or the end of a connection, or an attempt that failed. */
const line = /^mqtt: | (PUT|POST) \/job 200 \(mqtt\)$/gm;

/** What a device has executed. */
interface Executed {
  PUT: number;
  POST: number;
  /** Whether the last one of QoS 1 was by the connection that is there: the broker has its acknowledgement. */
  isAcknowledged: boolean;
  /** Whether one was executed although the broker had its acknowledgement. */
  isRepeated: boolean;
}

export class Executions {
  private readonly devices: readonly Device[];
  private readonly executed = new Map<Device, Executed>();
  private firstSent = Number.POSITIVE_INFINITY;
  private oldest = 0;

  /** @param devices what they have logged before does not count. */
  constructor(devices: readonly Device[]) {
    this.devices = devices;
    for (const device of devices) device.readLog();
  }

  /** A command has been sent. */
  sent(): void {
    this.firstSent = Math.min(this.firstSent, performance.now());
  }

  /** Looks at what has been executed. */
  look(): void {
    if (this.devices.length <= mostWatched) this.read(true);
  }

  /**
   * @returns the most executions of a command of each QoS, devices that executed one twice, one that did so without
   *   the loss of a connection, which may take the acknowledgement with it, and s of the latest.
   */
  judge() {
    this.read(false);
    const all = [...this.executed.values()];
    const [repeating] = [...this.executed].find(([, { isRepeated }]) => isRepeated) ?? [];
    return {
      most0: Math.max(0, ...all.map(({ PUT }) => PUT)),
      most1: Math.max(0, ...all.map(({ POST }) => POST)),
      twice: all.filter(({ POST }) => POST > 1).length,
      repeating,
      oldest: this.oldest,
    };
  }

  private read(isTimed: boolean): void {
    if (this.firstSent === Number.POSITIVE_INFINITY) return;
    for (const device of this.devices) {
      const executed = this.executed.get(device) ?? { PUT: 0, POST: 0, isAcknowledged: false, isRepeated: false };
      for (const [, verb] of device.readLog().matchAll(line)) {
        if (verb === undefined) {
          executed.isAcknowledged = false;
          continue;
        }
        if (verb === "POST") {
          executed.isRepeated ||= executed.isAcknowledged;
          executed.isAcknowledged = true;
        }
        executed[verb === "PUT" ? "PUT" : "POST"] += 1;
        this.executed.set(device, executed);
        if (isTimed) this.oldest = Math.max(this.oldest, (performance.now() - this.firstSent) / 1_000);
      }
    }
  }
}
