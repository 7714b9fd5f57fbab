/** What the page says of a noun that its guard keeps at its default. */
import { expect, test } from "vitest";
import { guardedBecause } from "../../../ts/page/condition.ts";
import { NounView } from "../../../ts/page/noun-view.ts";
import type { State } from "../../../ts/page/scalar.ts";
import { type Noun, readDescription } from "../../../ts/page/thing.ts";

const number = { type: "number" };
const property = (keys: object, more: object = {}) => ({
  type: "object",
  properties: keys,
  forms: [{ op: "readproperty" }, { op: "writeproperty" }],
  ...more,
});

const { nouns } = readDescription(
  {
    properties: {
      heater: property(
        { on: { enum: [0, 1] } },
        {
          "nound:guard": { pump: { on: 1 }, cellar: { celsius: { below: 60, until: 55 } } },
        },
      ),
      pump: property({ on: { enum: [0, 1] } }, { title: "Circulation pump" }),
      cellar: property({ celsius: { ...number, unit: "Cel" }, age: number }),
    },
  },
  "device",
);

function said(states: { readonly [name: string]: State | null }): string | undefined {
  const views = nouns.map((noun: Noun) => {
    const view = new NounView(
      noun,
      () => {},
      () => {},
    );
    const state = states[noun.name];
    if (state !== undefined) view.take(state);
    return view;
  });
  return guardedBecause(views[0] as NounView, views);
}

test.each<[string, { readonly [name: string]: State | null }, string | undefined]>([
  ["a value", { pump: { on: 0 }, cellar: { celsius: 20 } }, "Guarded until “Circulation pump” is On."],
  ["a threshold", { pump: { on: 1 }, cellar: { celsius: 70 } }, "until “Cellar: Celsius” is below 60 °C."],
  ["a noun that fails", { pump: null, cellar: { celsius: 20 } }, "until “Circulation pump” is On."],
  ["nothing where the device alone knows", { pump: { on: 1 }, cellar: { celsius: 57 } }, undefined],
  ["nothing of a noun that the page may not read", { cellar: { celsius: 20 } }, undefined],
  ["nothing while the guard holds", { pump: { on: 1 }, cellar: { celsius: 20 } }, undefined],
])("the page names %s", (_, states, sentence) => {
  if (sentence === undefined) expect(said(states)).toBeUndefined();
  else expect(said(states)?.replaceAll("\u00a0", " ")).toContain(sentence);
});
