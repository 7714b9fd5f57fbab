/** The kind `schedule`: a level that is active from one time of day to another one. */

import { bootOption, keeps } from "../../hardware/kinds/boot-option.ts";
import { restored } from "../../hardware/nouns/kept-state.ts";
import { nounKind } from "../../settings/noun-kind.ts";
import { optional } from "../../settings/record.ts";
import { days, timeOfDay } from "./rule-setting.ts";

export const scheduleKind = () =>
  nounKind({
    options: {
      from: timeOfDay(),
      to: timeOfDay(),
      days: optional(days),
      boot: bootOption(),
    },
    isRule: true,
    keeps,
    build({ from, to, days }, context, { store }) {
      if (context.addSchedule === undefined) throw new TypeError("A schedule needs the clock of its device.");
      const noun = context.addSchedule({ from, to, days });
      return store === undefined ? noun : restored(noun, context, store);
    },
  });
