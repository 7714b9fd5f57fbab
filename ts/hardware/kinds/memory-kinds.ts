/** The kinds of nouns whose states are in memory. */
import { checkState } from "../../core/noun/shape.ts";
import { isUnbounded } from "../../core/noun/state-size.ts";
import { nounKind, verifyDefault } from "../../settings/noun-kind.ts";
import { optional, withDefault } from "../../settings/record.ts";
import { choice, integer, nonEmptyText, scalar, state } from "../../settings/setting.ts";
import { shape } from "../../settings/shape-setting.ts";
import { restored } from "../nouns/kept-state.ts";
import { SwitchNoun } from "../nouns/switch-noun.ts";
import { ValueNoun } from "../nouns/value-noun.ts";
import { bootOption, keeps } from "./boot-option.ts";

/** Two states under one key. */
export const switchKind = () =>
  nounKind({
    options: {
      key: nonEmptyText(),
      off: withDefault(scalar, 0),
      on: withDefault(scalar, 1),
      default: optional(scalar),
      boot: bootOption(),
    },
    verify({ off, on, default: initial }, refuse) {
      if (off === on) {
        refuse(["on"], `expected a value other than that of "off", found ${JSON.stringify(on)}`);
      }
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
      pairs: withDefault(() => integer({ minimum: 1, maximum: 4096 }), 64),
      boot: bootOption(),
    },
    verify(options, refuse) {
      const count = Object.keys(options.default).length;
      if (count > options.pairs) {
        refuse(["pairs"], `expected room for the ${count} keys of "default", found ${options.pairs}`);
      }
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
