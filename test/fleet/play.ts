/** Plays a scenario, and judges what the fleet has made of it. */
import { setTimeout as delay } from "node:timers/promises";
import { must } from "../broker/case.ts";
import type { Random } from "../broker/random.ts";
import type { Attempts } from "./attempts.ts";
import type { FleetBroker, NodeAction } from "./brokers/fleet-broker.ts";
import { type Device, forEach } from "./devices.ts";
import { Executions, verbs } from "./executions.ts";
import type { Fleet } from "./fleet.ts";
import type { Network } from "./namespaces.ts";
import { Observer } from "./observer.ts";
import type { Scenario, Step } from "./scenario.ts";

/** s until a roll call at rest has reached all. */
const callTime = 10;

/** s in which a device answers Home Assistant's start: at most once a minute, and then after 10 s at most. */
const answerTime = 72;

/** s that a session keeps a command, and until this program sees its execution. */
const sessionTime = 17;

/** A fleet in which chance makes larger differences. */
const few = 1_000;

/** One device of so many changes a state. */
const changing = 5;

/** What a scenario needs. */
export interface Site {
  readonly network: Network;
  readonly broker: FleetBroker;
  readonly fleet: Fleet;
  readonly observer: Observer;
  readonly attempts: Attempts;
  readonly random: Random;
  /** The node to which something has happened last. */
  node: number;
}

/** What was measured. */
export interface Outcome {
  readonly name: string;
  /** s from the end of the last step until all was right, and for a command to all after that. */
  readonly right: number;
  readonly called: number;
  /** Attempts to connect from the first step on: all, in each second, and the most in one second. */
  readonly attempts: number;
  readonly seconds: readonly number[];
  readonly most: number;
  /** Commands of QoS 1 that were executed twice. */
  readonly twice: number;
}

/** The number of the last roll call. */
let serial = 0;

const seconds = (since: number): number => (performance.now() - since) / 1_000;

/** One scenario being played. */
class Play {
  private readonly site: Site;
  private readonly scenario: Scenario;
  private readonly executions: Executions;
  private readonly look: number;
  private readonly begun = performance.now();

  constructor(site: Site, scenario: Scenario) {
    this.site = site;
    this.scenario = scenario;
    this.executions = new Executions(site.fleet.devices);
    this.look = Math.max(100, site.fleet.devices.length / 10);
  }

  async run(before: () => Promise<void>): Promise<Outcome> {
    const { scenario, site } = this;
    const { attempts, observer, fleet } = site;
    attempts.mark();
    observer.mark();
    await before();
    for (const step of scenario.steps) await this.perform(step);
    const { who, to } = fleet.audience(scenario.call ?? "all", (end) => site.random.below(end));
    const right = await this.call(to, who, scenario.within, scenario.call === undefined);
    const { all, seconds: histogram, most } = attempts.counts;
    if (scenario.isQuiet === true) this.judgeQuiet();
    this.judgeExtras();
    const called = await this.call("all", fleet.devices, callTime, false);
    await this.compare();
    const { mostAttempts } = this;
    must(most <= mostAttempts, `In one second there were ${most} attempts to connect, more than ${mostAttempts}.`);
    const { most0, most1, twice, repeating, oldest } = this.executions.judge();
    must(scenario.isRefused !== true || most0 + most1 === 0, "A retained command was executed.");
    must(most0 <= 1, `A command of QoS 0 was executed ${most0} times.`);
    must(most1 <= (scenario.isQuiet === true ? 1 : 2), `A command of QoS 1 was executed ${most1} times.`);
    must(repeating === undefined, `${repeating?.id} executed a command of QoS 1 again, on the same connection.`);
    const limit = scenario.oldest ?? sessionTime;
    must(oldest <= limit, `A command was executed after ${oldest.toFixed(1)} s.`);
    return { name: scenario.name, right, called, attempts: all, seconds: histogram, most, twice };
  }

  private async perform(step: Step): Promise<void> {
    const { broker, network, observer, fleet } = this.site;
    switch (step.do) {
      case "node": {
        const nodes = step.all === true ? broker.ports.keys() : [this.node(step.action)];
        await Promise.all(Array.from(nodes, (node) => broker.act(node, step.action)));
        return;
      }
      case "wait":
        return this.pass(step.seconds);
      case "cut":
      case "join":
        network.cut(step.do === "cut");
        return;
      case "command":
        this.command(step.qos, step.retain);
        return;
      case "change":
        await forEach(
          fleet.devices.filter((_, index) => index % changing === 0),
          async (device) => void (await device.ask("/relay", { on: this.site.random.below(2) })),
        );
        return;
      case "wills":
        for (const { id } of fleet.devices) observer.publish(`nound/${id}`, "offline", 1);
        return;
      case "birth":
        observer.birth();
        return;
      case "add":
        return fleet.add(step.who);
      case "remove":
        fleet.remove();
    }
  }

  /** @returns the node of an action: any, or the one that the last action was for. */
  private node(action: NodeAction): number {
    const { site } = this;
    const { length } = site.broker.ports;
    // Never the last one: devices do not come back to it by themselves.
    if (["kill", "end", "pause", "drain"].includes(action) && length > 1) {
      site.node = (site.node + 1 + site.random.below(length - 1)) % length;
    }
    return site.node;
  }

  private command(qos: 0 | 1, retain?: boolean): void {
    this.executions.sent();
    this.site.observer.publish(`nound/all/job/${verbs[qos]}`, `{"n":${++serial}}`, qos, retain);
  }

  /** Waits, and looks at what is executed meanwhile. */
  private async pass(time: number): Promise<void> {
    const since = performance.now();
    while (seconds(since) < time) {
      await delay(Math.min(this.look, time * 1_000));
      this.executions.look();
    }
  }

  /**
   * Calls devices, and waits until each has said something since, and is known to be as it is.
   * @param anything whether any message will do, instead of the answer. @returns s.
   */
  private async call(to: string, who: readonly Device[], within: number, anything: boolean): Promise<number> {
    const { observer } = this.site;
    const since = performance.now();
    const answer = `{"n":${++serial}}`;
    if (anything) for (const { id } of who) observer.view(id).heard = 0;
    observer.publish(`nound/${to}/note/put`, answer, 1);
    for (;;) {
      const lacking = who.filter((device) => this.lack(device, answer, anything) !== undefined);
      const [first] = lacking;
      if (first === undefined) return seconds(since);
      if (seconds(since) > within) {
        for (const device of lacking) device.keepLog();
        const lack = this.lack(first, answer, anything);
        throw new Error(`After ${within} s ${lacking.length} of ${who.length} are not right; ${first.id} ${lack}.`);
      }
      await delay(this.look);
      this.executions.look();
    }
  }

  private lack({ id }: Device, answer: string, anything: boolean): string | undefined {
    const { status, states, discovery, heard, announcements } = this.site.observer.view(id);
    if (status !== "online") return `is ${status || "not known"}`;
    if (discovery === "") return "has no discovery";
    const { isAnnounced = false } = this.scenario;
    if (isAnnounced && announcements === 0) return "has not announced itself again";
    const isAnswered = states.get("note") === answer || (anything && heard > 0);
    return isAnswered ? undefined : `does not answer: ${states.get("note")}`;
  }

  /** @throws Error if a device that was to notice nothing has published that it is online, and was not asked to. */
  private judgeQuiet(): void {
    const { fleet, observer } = this.site;
    const again = observer.lastBirth > this.begun - answerTime * 1_000 ? 1 : 0;
    const noticed = fleet.devices.filter(({ id }) => !fleet.disturbed.has(id) && observer.view(id).notices > again);
    must(noticed.length === 0, `${noticed.length} devices have connected again, such as ${noticed[0]?.id}.`);
  }

  /** Judges what further devices say, and forgets them. */
  private judgeExtras(): void {
    const { fleet } = this.site;
    const { says } = this.scenario;
    for (const extra of fleet.extras) {
      const same = fleet.devices.find(({ id }) => id === extra.id);
      const text = extra.log + (same?.log ?? "");
      must(says === undefined || says.test(text), `Nobody says what is wrong with ${extra.id}: ${text}`);
    }
    fleet.extras = [];
    fleet.disturbed = new Set();
  }

  /**
   * Attempts in one second. At one broker: the devices' share of the shortest wait, and half as many more. In a
   * cluster, those of a node that ends try the others at once, and so do all when the network that they share is cut.
   */
  private get mostAttempts(): number {
    const { fleet, broker } = this.site;
    const { length } = fleet.devices;
    const share = broker.ports.length === 1 ? 0.15 : 1;
    return Math.ceil(share * length) + (length < few ? 15 : 0);
  }

  /** @throws Error unless each device serves the states that it has published, and that the broker has retained. */
  private async compare(): Promise<void> {
    const { fleet, observer, broker } = this.site;
    const newcomer = broker.retains ? Observer.connect(broker.ports, false) : undefined;
    try {
      const since = performance.now();
      while (newcomer?.knows(fleet.devices) === false && seconds(since) < callTime) await delay(this.look);
      await forEach(fleet.devices, async (device) => {
        const served = JSON.parse(await device.ask("/")) as Record<string, unknown>;
        for (const [noun, state] of Object.entries(served)) {
          const text = JSON.stringify(state);
          for (const [what, one] of [
            ["published", observer],
            ["retained", newcomer ?? observer],
          ] as const) {
            const known = one.view(device.id).states.get(noun);
            if (known !== text) device.keepLog();
            must(known === text, `${device.id} has ${noun} ${text}, ${what}: ${known}.`);
          }
        }
      });
    } finally {
      await newcomer?.end();
    }
  }
}

/**
 * Plays it.
 * @param before the steps. @throws Error if the fleet does not do what it should.
 */
export function play(site: Site, scenario: Scenario, before = async (): Promise<void> => {}): Promise<Outcome> {
  return new Play(site, scenario).run(before);
}
