/**
 * Follows the nouns that are end switches of others, and tells those in the turn of the loop in which a switch changes.
 *
 *     const switches = new FollowedSwitches(feeds, endSwitchesOf(noun));
 *     switches.end();
 */
import type { Follower } from "../feeds/feed.ts";
import type { Feeds } from "../feeds/feeds.ts";
import { conditionsOf, type KeyCondition } from "../noun/condition.ts";
import type { EndSwitch } from "../noun/end-switches.ts";
import type { State } from "../noun/state.ts";
import { stateOf } from "../operations/answer.ts";

class FollowedSwitch {
  private readonly reach: EndSwitch["reach"];
  private readonly conditions: readonly KeyCondition[];
  private readonly unfollow: readonly (() => void)[];
  private isThere = false;

  constructor(feeds: Feeds, { when, reach }: EndSwitch) {
    this.reach = reach;
    this.conditions = conditionsOf(when);
    const names = new Set(this.conditions.map(({ noun }) => noun.toLowerCase()));
    this.unfollow = Array.from(names, (name) => {
      const feed = feeds.of(name);
      const follower: Follower = { onReading: (answer) => this.take(name, stateOf(answer)), onState: () => {} };
      feed.follow(follower);
      return () => feed.unfollow(follower);
    });
  }

  end(): void {
    for (const unfollow of this.unfollow) unfollow();
  }

  private take(name: string, state: State | undefined): void {
    for (const one of this.conditions) if (one.noun.toLowerCase() === name) one.take(state?.[one.key]);
    const isThere = this.conditions.every(({ isReadable, holds }) => isReadable && holds);
    if (isThere === this.isThere) return;
    this.isThere = isThere;
    this.reach(isThere);
  }
}

export class FollowedSwitches {
  private readonly all: readonly FollowedSwitch[];

  constructor(feeds: Feeds, switches: readonly EndSwitch[]) {
    this.all = switches.map((one) => new FollowedSwitch(feeds, one));
  }

  end(): void {
    for (const one of this.all) one.end();
  }
}
