/** What the page says of a cover whose position nobody knows. */
import { expect, test } from "vitest";
import { conditionOf } from "../../../ts/page/condition.ts";
import { NounView } from "../../../ts/page/noun-view.ts";
import type { State } from "../../../ts/page/scalar.ts";
import { type Noun, readDescription } from "../../../ts/page/thing.ts";

const missing = "It did not reach its end switch in time.";
const { nouns } = readDescription(
  {
    properties: {
      gate: {
        type: "object",
        properties: {
          position: { type: "integer" },
          moving: { enum: ["opening", "closing", "stopped"] },
          failure: { enum: [missing, null] },
        },
        forms: [{ op: "readproperty" }, { op: "writeproperty" }],
      },
    },
  },
  "device",
);

function viewOf(state: State): NounView {
  const nothing = () => {};
  const view = new NounView(nouns[0] as Noun, nothing, nothing);
  view.take(state);
  return view;
}

test("a cover that did not arrive says so, and no more once it moves", () => {
  const stuck = viewOf({ position: null, moving: "stopped", failure: missing });
  expect(conditionOf(stuck, undefined)).toEqual({ name: "failing", word: "Position unknown", because: missing });
  const moving = viewOf({ position: null, moving: "closing", failure: missing });
  expect(conditionOf(moving, undefined)).toBeUndefined();
});

test("what blocks a cover comes before what has failed", () => {
  const stuck = viewOf({ position: null, moving: "stopped", failure: missing });
  expect(conditionOf(stuck, "Guarded until \u201cWind\u201d is Off.")).toMatchObject({ name: "guarded" });
});
