/** The topics of one device: `nound/hall/relay` has the state of the noun `relay` of the device `hall`. */
import type { Verb } from "../../core/noun/verb.ts";

/** The last level of a command's topic, by its verb. */
const levels = { PUT: "put", POST: "post", DELETE: "delete" } as const;

/** A verb that a command can have. */
export type CommandVerb = keyof typeof levels;

const commandVerbs = Object.keys(levels) as CommandVerb[];

/** The noun and the verb of a command. */
export interface CommandTopic {
  readonly noun: string;
  readonly verb: CommandVerb;
}

/** Characters of the longest topic: some brokers take no longer one. */
export const longestTopic = 256;

/** Topics have no `.`: RabbitMQ takes it for a `/`. No noun's name has a `:`. */
const levelOf = (noun: string): string => noun.replaceAll(".", ":");
const nounOf = (level: string): string => level.replaceAll(":", ".");

export class Topics {
  private readonly base: string;
  /** The device's topics and those of its groups, each with a slash at the end. */
  private readonly bases: readonly string[];

  /** @param prefix the first level or levels. @param groups names that reach this device too. */
  constructor(prefix: string, id: string, groups: readonly string[]) {
    this.bases = [id, ...groups].map((name) => `${prefix}/${name}/`);
    this.base = `${prefix}/${id}/`;
  }

  /** Has `online` or `offline`. */
  get status(): string {
    return this.base.slice(0, -1);
  }

  /** @returns the topic of a noun's state. */
  state(noun: string): string {
    return this.base + levelOf(noun);
  }

  /** @returns the topic of a noun's events. */
  event(noun: string): string {
    return `${this.state(noun)}/event`;
  }

  /** @returns the topic on which refusals of a noun's commands are published. */
  problem(noun: string): string {
    return `${this.state(noun)}/problem`;
  }

  /** @param allows says whether any noun may get commands of a verb. @returns the filters to subscribe to. */
  filters(allows: (verb: Verb) => boolean): readonly string[] {
    const verbs = commandVerbs.filter(allows);
    return [this.status, ...this.bases.flatMap((base) => verbs.map((verb) => `${base}+/${levels[verb]}`))];
  }

  /** @returns the noun and the verb of a command; undefined for another topic. */
  command(topic: string): CommandTopic | undefined {
    if (topic.length > longestTopic) return undefined;
    const base = this.bases.find((one) => topic.startsWith(one));
    const [level, last, ...more] = topic.slice(base?.length ?? 0).split("/");
    const verb = commandVerbs.find((one) => levels[one] === last);
    if (base === undefined || level === undefined || verb === undefined || more.length > 0) return undefined;
    return { noun: nounOf(level), verb };
  }
}
