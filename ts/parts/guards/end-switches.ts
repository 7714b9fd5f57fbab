/**
 * Follows the nouns that are end switches of others, and tells those in the turn of the loop in which a switch changes.
 *
 *     const end = followSwitches(feeds, traitsOf(noun)[endSwitches]);
 *     end();
 */

import type { Feeds } from "../../core/feeds/feeds.ts";
import type { Follower } from "../../core/feeds/follower.ts";
import { conditionsOf, nounsOf } from "../../core/noun/condition.ts";
import type { EndSwitch } from "../../core/noun/noun-traits.ts";
import { knownStateOf } from "../../core/operations/known-state.ts";

function followSwitch(feeds: Feeds, { when, reach }: EndSwitch): readonly (() => void)[] {
  const named = Object.entries(when).map(([noun, keys]) => [noun.toLowerCase(), keys]);
  const conditions = conditionsOf(Object.fromEntries(named));
  let isThere = false;
  return Array.from(nounsOf(conditions), (name) => {
    const feed = feeds.of(name);
    const follower: Follower = {
      onReading: (answer) => {
        const state = knownStateOf(answer);
        for (const one of conditions) one.takeFrom(name, state);
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
