/** The kind `rule`: what the device does by itself. */

import { isChange, type When } from "../../core/noun/condition.ts";
import { bootOption, keeps } from "../../hardware/kinds/boot-option.ts";
import { keptText } from "../../hardware/nouns/keeping.ts";
import { anyConditions } from "../../settings/conditions.ts";
import { nounKind } from "../../settings/noun-kind.ts";
import { optional } from "../../settings/record.ts";
import { leastEvery, week } from "./duration.ts";
import type { RuleOptions } from "./rule.ts";
import { actions, days, duration, timesOfDay } from "./rule-setting.ts";

/** @returns the rule without what every noun has. */
function ruleOf({ when, for: time, every, at, days, then, else: otherwise }: RuleOptions): RuleOptions {
  return {
    ...(when && { when }),
    ...(time !== undefined && { for: time }),
    ...(every !== undefined && { every }),
    ...(at && { at }),
    ...(days && { days }),
    then,
    ...(otherwise && { else: otherwise }),
  };
}

/** Whether conditions wait for a change. */
function awaitsChange(when: When): boolean {
  return Object.values(when).some((keys) => Object.values(keys).some(isChange));
}

export const ruleKind = () =>
  nounKind({
    options: {
      when: optional(anyConditions),
      for: optional(() => duration({ minimum: 1, maximum: week })),
      every: optional(() => duration({ minimum: leastEvery, maximum: week })),
      at: optional(timesOfDay),
      days: optional(days),
      then: actions(),
      else: optional(actions),
      boot: bootOption(),
    },
    verify(options, refuse) {
      const { when, at, days } = options;
      if (days !== undefined && at === undefined) refuse(["days"], 'expected nothing without "at"');
      const alternatives = when === undefined ? [] : [when].flat();
      const isOfChanges = alternatives[0] !== undefined && awaitsChange(alternatives[0]);
      if (alternatives.length > 1 && alternatives.some((one) => awaitsChange(one) !== isOfChanges)) {
        refuse(["when"], 'expected "changes" in each object of the list, or in none');
      }
      if (isOfChanges && at !== undefined) refuse(["at"], 'expected nothing together with "changes"');
      for (const key of ["for", "every", "else"] as const) {
        if (options[key] === undefined) continue;
        if (isOfChanges) refuse([key], 'expected nothing together with "changes", which hold for no time');
        else if (at !== undefined) refuse([key], 'expected nothing together with "at"');
        else if (when === undefined && key !== "every") refuse([key], 'expected nothing without "when"');
      }
    },
    isRule: true,
    keeps,
    build(options, context, { store }) {
      if (context.addRule === undefined) throw new TypeError("A rule needs the nouns of its device.");
      return context.addRule(ruleOf(options), store && keptText("rule", context, store, 1_000));
    },
  });
