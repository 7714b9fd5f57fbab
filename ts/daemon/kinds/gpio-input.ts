/** The kind `gpio-input`: a GPIO line that is read. */
import { edgeKeys, GpioInputNoun } from "../../nouns/gpio-input-noun.ts";
import { SimulatedSource } from "../../nouns/simulated-source.ts";
import { lineAddress, lineClaim, lineOptions, openLine, verifyLine } from "../line-options.ts";
import { nounKind } from "../noun-kind.ts";
import { withDefault } from "../record.ts";
import { choice, integer, nonEmptyText } from "../setting.ts";

export const gpioInputKind = () =>
  nounKind({
    options: {
      ...lineOptions(),
      key: nonEmptyText(),
      edges: withDefault(choice("none", "rising", "falling", "both"), "none"),
      debounce: withDefault(integer({ minimum: 0, maximum: 10_000_000 }), 0),
    },
    verify(options, refuse) {
      verifyLine(options, refuse);
      const { key, edges } = options;
      if (edges !== "none" && edgeKeys.includes(key)) {
        refuse(["key"], `expected another key, as the counted edges have "${key}" already`);
      }
    },
    claim: lineClaim,
    build(options, context) {
      const { key, edges, debounce } = options;
      const line = openLine(options, context, {
        direction: "input",
        value: 0,
        keepValue: false,
        drive: "push-pull",
        edges,
        debounce,
      });
      return new GpioInputNoun({ line, clock: context.clock }, { key, edges: edges !== "none" });
    },
    simulate(options, { gpio }) {
      const pin = gpio.pin(lineAddress(options));
      const turn = options.activeLow ? 1 : 0;
      return new SimulatedSource({
        key: options.key,
        maximum: 1,
        read: () => pin.voltage ^ turn,
        write: (level) => pin.drive((level ^ turn) === 1 ? 1 : 0),
      });
    },
  });
