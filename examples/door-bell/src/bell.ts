/** A door bell: a button rings a chime, unless it is to be quiet, and each client that watches gets each ring. */
import { defineNoun, type Line, type Noun, now } from "nound";

/** What a bell is made of. */
export interface BellParts {
  /** The button's line. It reports the edge that begins a press. */
  readonly button: Line;
  /** Its update rings once: an output with a pulse. */
  readonly chime: Noun;
}

const shape = {
  quiet: { type: "boolean", description: "Whether the chime is to be silent; rings are counted anyway." },
  rings: { type: "integer", readOnly: true, description: "Rings since the start." },
  sinceRing: {
    type: "integer",
    unit: "ms",
    readOnly: true,
    nullable: true,
    timeDependent: true,
    description: "Time since the last ring; null before the first.",
  },
} as const;

/** PUT says whether it is to be quiet. */
export function bell({ button, chime }: BellParts): Noun {
  let quiet = false;
  let rings = 0;
  let lastRing: number | undefined;
  const watchers = new Set<() => void>();

  button.onEdge = () => {
    rings += 1;
    lastRing = now();
    for (const changed of watchers) changed();
    if (!quiet) void chime.updateState({});
  };

  return defineNoun({
    shape,
    default: { quiet: false },
    get: () => ({ quiet, rings, sinceRing: lastRing === undefined ? null : now() - lastRing }),
    set: (state) => {
      quiet = state.quiet;
    },
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
  });
}
