import fc from "fast-check";
import { expect, test } from "vitest";
import { gpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import { switchNoun } from "../../../ts/hardware/nouns/switch-noun.ts";
import { twoStates } from "../../../ts/hardware/nouns/two-states.ts";

test("the nouns of a house share what is the same of all, whether they are switches or outputs", () => {
  const [first, second] = [switchNoun({ key: "on" }), switchNoun({ key: "on", default: 1 })];
  const output = gpioOutputNoun({ chip: "gpiochip0", offset: 4, key: "on" });
  for (const noun of [second, output]) expect(noun.shape).toBe(first.shape);
  expect(second.setState({ on: 0 })).toBe(first.getState());
  expect(output.getState()).toBe(first.getState());
});

test("whatever was made before, the states have the key and the values asked for, and cannot be changed", () => {
  const scalar = fc.constantFrom(0, 1, false, true, "0", "off", "on", null);
  const asked = fc.tuple(fc.constantFrom("on", "lit", "__proto__"), scalar, scalar);
  fc.assert(
    fc.property(fc.array(asked), (list) => {
      for (const [key, off, on] of list) {
        const two = twoStates(key, off, on);
        expect([two.key, Object.entries(two.off), Object.entries(two.on)]).toEqual([key, [[key, off]], [[key, on]]]);
        expect(Object.entries(two.shape)).toEqual([[key, { type: "choice", values: [off, on] }]]);
        expect(Object.isFrozen(two.off) && Object.isFrozen(two.on)).toBe(true);
        expect(twoStates(key, off, on)).toBe(two);
      }
    }),
  );
});
