/** The kinds of nouns that a configuration can name. A new kind is a function in `kinds/`, and a line here. */
import { type HardwareKind, hardwareKind } from "./hardware-kinds.ts";
import { mirrorKind } from "./kinds/mirror-kind.ts";
import { modbusKind } from "./kinds/modbus-kind.ts";
import { ruleKind } from "./kinds/rule-kind.ts";
import { switchKind } from "./kinds/switch-kind.ts";
import { valueKind } from "./kinds/value-kind.ts";
import { webhookKind } from "./kinds/webhook-kind.ts";
import type { NounPlan } from "./noun-kind.ts";
import type { Setting } from "./setting.ts";

const ofHardware = (kind: HardwareKind) => () => hardwareKind(kind);

/**
 * By the name that a noun's `kind` gives. A kind is made when the first noun names it, because making all of them takes
 * time at every start.
 */
export const nounKinds: { readonly [kind: string]: () => Setting<NounPlan> } = {
  switch: switchKind,
  value: valueKind,
  "gpio-output": ofHardware("gpio-output"),
  "gpio-input": ofHardware("gpio-input"),
  cover: ofHardware("cover"),
  input: ofHardware("input"),
  led: ofHardware("led"),
  pwm: ofHardware("pwm"),
  adc: ofHardware("adc"),
  hwmon: ofHardware("hwmon"),
  thermal: ofHardware("thermal"),
  w1: ofHardware("w1"),
  "power-supply": ofHardware("power-supply"),
  sysfs: ofHardware("sysfs"),
  system: ofHardware("system"),
  modbus: modbusKind,
  mirror: mirrorKind,
  rule: ruleKind,
  webhook: webhookKind,
};
