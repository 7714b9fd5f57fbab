/**
 * The state of a cover: its keys, and where a state leads.
 *
 *     goalOf({ moving: "opening" }); // { position: 100 }
 */
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import type { CoverGoal } from "./cover-options.ts";
import type { Direction } from "./cover-travel.ts";

export const moves: { readonly [direction in Direction]: string } = { open: "opening", close: "closing" };

/** What is wrong with a cover, in sentences that its state shows. */
export const failures = {
  missing: "It did not reach its end switch in time.",
  stuck: "An end switch reports where the cover cannot be.",
  refused: "An output was not set, or something else has set it.",
} as const;

export type Failure = (typeof failures)[keyof typeof failures];

export function coverShape(hasSlats: boolean, hasFailures: boolean): Shape {
  const share = { type: "integer", minimum: 0, maximum: 100, unit: "%", nullable: true, optional: true } as const;
  const description = "0 is closed, 100 is open; null while nobody knows.";
  return {
    position: { ...share, description },
    ...(hasSlats && { tilt: { ...share, description: `Of the slats: ${description}` } }),
    moving: {
      type: "choice",
      values: ["opening", "closing", "stopped"],
      optional: true,
      description: "Which way it moves, or will move when the pause is over.",
    },
    ...(hasFailures && {
      failure: {
        type: "choice",
        values: Object.values(failures),
        nullable: true,
        optional: true,
        diagnostic: true,
        description: "Why the position is unknown; null if nothing is wrong. A PUT may repeat it.",
      },
    }),
  };
}

export const inHomeAssistant = {
  platform: "cover",
  position: "position",
  state: "moving",
  payload_stop: '{"moving":"stopped"}',
} as const;

/** Where a word leads. */
const ends: { readonly [moving: string]: number } = { opening: 100, closing: 0 };

/** @returns where a state leads; undefined to stop. @throws StateError when it leads nowhere, or to two places. */
export function goalOf({ position = null, tilt = null, moving }: State): CoverGoal | undefined {
  const end = ends[String(moving)];
  const parts = Object.entries({ position, tilt }).filter(([, value]) => value !== null);
  if (parts.length > 0 && end !== undefined) {
    throw new StateError("A cover moves to a position or to an end, not both.", "moving");
  }
  if (parts.length > 0) return Object.fromEntries(parts) as CoverGoal;
  if (moving === undefined) throw new StateError("A cover moves to a position from 0 to 100.", "position");
  return end === undefined ? undefined : { position: end };
}
