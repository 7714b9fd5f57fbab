/** The kind `value`: any state in memory, or any of a shape. */
import { checkState } from "../../noun/shape.ts";
import { isUnbounded } from "../../noun/state-size.ts";
import { ValueNoun } from "../../nouns/value-noun.ts";
import { nounKind, verifyDefault } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { integer, state } from "../setting.ts";
import { shape } from "../shape-setting.ts";

export const valueKind = () =>
  nounKind({
    options: {
      default: withDefault(state, {}),
      shape: optional(shape),
      pairs: withDefault(() => integer({ minimum: 1, maximum: 4096 }), 64),
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
    build: (options) => new ValueNoun(options),
  });
