/**
 * Follows the nouns that are end switches of others, and tells those in the turn of the loop in which a switch changes.
 *
 *     const end = followSwitches(feeds, inner(noun)[endSwitches]);
 *     end();
 */
import type { Follower } from "../../core/feeds/feed.ts";
import type { Feeds } from "../../core/feeds/feeds.ts";
import { conditionsOf } from "../../core/noun/condition.ts";
import type { EndSwitch } from "../../core/noun/inner-noun.ts";
import { stateOf } from "../../core/operations/answer.ts";

function followSwitch(feeds: Feeds, { when, reach }: EndSwitch): readonly (() => void)[] {
  const conditions = conditionsOf(when);
  let isThere = false;
  return Array.from(new Set(conditions.map(({ noun }) => noun.toLowerCase())), (name) => {
    const onIt = conditions.filter(({ noun }) => noun.toLowerCase() === name);
    const feed = feeds.of(name);
    const follower: Follower = {
      onReading: (answer) => {
        const state = stateOf(answer);
        for (const one of onIt) one.take(state?.[one.key]);
        const wasThere = isThere;
        isThere = conditions.every(({ isReadable, holds }) => isReadable && holds);
        if (isThere !== wasThere) reach(isThere);
      },
      onState: () => {},
    };
    feed.follow(follower);
    return () => feed.unfollow(follower);
  });
}

/** @returns a function that ends it. */
export function followSwitches(feeds: Feeds, switches: readonly EndSwitch[]): () => void {
  const ends = switches.flatMap((one) => followSwitch(feeds, one));
  return () => {
    for (const end of ends) end();
  };
}
