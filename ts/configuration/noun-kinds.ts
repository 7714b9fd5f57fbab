/** The kinds of nouns that a configuration can name. A new kind is a file in `kinds/`, and a line here and in hardware-kinds.ts or sensor-kinds.ts. */
import { gpioInputKind, gpioOutputKind, ledKind, pwmKind } from "./hardware-kinds.ts";
import { switchKind } from "./kinds/switch.ts";
import { valueKind } from "./kinds/value.ts";
import type { NounPlan } from "./noun-kind.ts";
import { adcKind, hwmonKind, powerSupplyKind, sysfsKind, systemKind, thermalKind, w1Kind } from "./sensor-kinds.ts";
import type { Setting } from "./setting.ts";

/**
 * By the name that a noun's `kind` gives. A kind is made when the first noun names it. Making all of them took a seventh of
 * a start's instructions.
 */
export const nounKinds: { readonly [kind: string]: () => Setting<NounPlan> } = {
  switch: switchKind,
  value: valueKind,
  "gpio-output": gpioOutputKind,
  "gpio-input": gpioInputKind,
  led: ledKind,
  pwm: pwmKind,
  adc: adcKind,
  hwmon: hwmonKind,
  thermal: thermalKind,
  w1: w1Kind,
  "power-supply": powerSupplyKind,
  sysfs: sysfsKind,
  system: systemKind,
};
