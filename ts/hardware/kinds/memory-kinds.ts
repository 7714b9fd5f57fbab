/** The kinds of nouns whose states are in memory. */
import { checkState } from "../../core/noun/shape.ts";
import type { Scalar } from "../../core/noun/state.ts";
import { isUnbounded } from "../../core/noun/state-size.ts";
import { nounKind, verifyDefault } from "../../settings/noun-kind.ts";
import { listOf, optional, withDefault } from "../../settings/record.ts";
import { choice, converted, mistake, nonEmptyText, scalar, state, withKeywords } from "../../settings/setting.ts";
import { shape } from "../../settings/shape-setting.ts";
import { restored } from "../nouns/kept-state.ts";
import { SwitchNoun } from "../nouns/switch-noun.ts";
import { mostKeys, ValueNoun } from "../nouns/value-noun.ts";
import { bootOption, keeps } from "./boot-option.ts";

const pairOfDifferent = () => ({ minItems: 2, maxItems: 2, uniqueItems: true });

/** The values of a switch: off, then on. */
const twoValues = () =>
  converted(withKeywords(listOf(scalar()), pairOfDifferent), (values, path): readonly [Scalar, Scalar] => {
    const [off, on] = values;
    if (values.length !== 2 || off === undefined || on === undefined || off === on)
      throw mistake(path, 'expected two different values, first that of off, such as ["closed", "open"]');
    return [off, on];
  });

/** Two states under one key. */
export const switchKind = () =>
  nounKind({
    options: {
      key: nonEmptyText(),
      values: withDefault(twoValues, [0, 1]),
      default: optional(scalar),
      boot: bootOption(),
    },
    verify({ values: [off, on], default: initial }, refuse) {
      if (initial !== undefined && initial !== off && initial !== on) {
        refuse(["default"], `expected ${choice(off, on).expected}, found ${JSON.stringify(initial)}`);
      }
    },
    keeps,
    build(options, context, { store }) {
      const noun = new SwitchNoun(options);
      return store === undefined ? noun : restored(noun, context, store);
    },
  });

/** Any state, or any of a shape. */
export const valueKind = () =>
  nounKind({
    options: {
      default: withDefault(state, {}),
      shape: optional(shape),
      boot: bootOption(),
    },
    verify(options, refuse) {
      const count = Object.keys(options.default).length;
      if (count > mostKeys) refuse(["default"], `expected at most ${mostKeys} keys, found ${count}`);
      const { shape } = options;
      if (shape !== undefined) verifyDefault(() => checkState(shape, options.default), "the shape", refuse);
    },
    isUnbounded: ({ shape }) => isUnbounded(shape),
    keeps,
    build(options, context, { store }) {
      const noun = new ValueNoun(options);
      return store === undefined ? noun : restored(noun, context, store);
    },
  });
