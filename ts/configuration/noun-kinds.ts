/**
 * The kinds of nouns that a configuration can name. A new kind is a file in `kinds/`, and a line here and in
 * hardware-kinds.ts.
 */
import {
  adcKind,
  gpioInputKind,
  gpioOutputKind,
  hwmonKind,
  inputKind,
  ledKind,
  powerSupplyKind,
  pwmKind,
  sysfsKind,
  systemKind,
  thermalKind,
  w1Kind,
} from "./hardware-kinds.ts";
import { ruleKind } from "./kinds/rule.ts";
import { switchKind } from "./kinds/switch.ts";
import { valueKind } from "./kinds/value.ts";
import { webhookKind } from "./kinds/webhook.ts";
import type { NounPlan } from "./noun-kind.ts";
import type { Setting } from "./setting.ts";

/**
 * By the name that a noun's `kind` gives. A kind is made when the first noun names it, because making all of them takes
 * time at every start.
 */
export const nounKinds: { readonly [kind: string]: () => Setting<NounPlan> } = {
  switch: switchKind,
  value: valueKind,
  "gpio-output": gpioOutputKind,
  "gpio-input": gpioInputKind,
  input: inputKind,
  led: ledKind,
  pwm: pwmKind,
  adc: adcKind,
  hwmon: hwmonKind,
  thermal: thermalKind,
  w1: w1Kind,
  "power-supply": powerSupplyKind,
  sysfs: sysfsKind,
  system: systemKind,
  rule: ruleKind,
  webhook: webhookKind,
};
