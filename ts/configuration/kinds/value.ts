/** The kind `value`: any state in memory, or any of a shape. */
import { checkState } from "../../noun/shape.ts";
import { StateError } from "../../noun/state-error.ts";
import { isUnbounded } from "../../noun/state-size.ts";
import { ValueNoun } from "../../nouns/value-noun.ts";
import { nounKind } from "../noun-kind.ts";
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
      if (options.shape === undefined) {
        return;
      }
      try {
        checkState(options.shape, options.default);
      } catch (error) {
        if (error instanceof StateError) {
          refuse(
            ["default", ...(error.key === undefined ? [] : [error.key])],
            `expected a state of the shape. ${error.message}`,
          );
        }
        throw error;
      }
    },
    isUnbounded: ({ shape }) => isUnbounded(shape),
    build: (options) => new ValueNoun(options),
  });
