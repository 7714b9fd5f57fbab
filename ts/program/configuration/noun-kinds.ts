/**
 * The kinds of nouns that a configuration can name. A new kind is a function in `ts/hardware/kinds/`, or in the folder
 * of its part, and a line here.
 */
import { coverKind } from "../../hardware/kinds/cover-kind.ts";
import { gpioInputKind } from "../../hardware/kinds/gpio-input-kind.ts";
import { gpioOutputKind } from "../../hardware/kinds/gpio-output-kind.ts";
import { inputKind } from "../../hardware/kinds/input-kind.ts";
import { ledKind, pwmKind } from "../../hardware/kinds/led-and-pwm-kinds.ts";
import { switchKind, valueKind } from "../../hardware/kinds/memory-kinds.ts";
import { sensorKind, sysfsKind } from "../../hardware/kinds/sensor-kinds.ts";
import { mirrorKind } from "../../parts/mirror/mirror-kind.ts";
import { modbusKind } from "../../parts/modbus/modbus-kind.ts";
import { ruleKind, scheduleKind } from "../../parts/rules/part.ts";
import { webhookKind } from "../../parts/webhook/webhook-kind.ts";
import type { NounPlan } from "../../settings/noun-kind.ts";
import type { Setting } from "../../settings/setting.ts";

/**
 * By the name that a noun's `kind` gives, in the order in which messages and the schema name them. A kind is made when
 * the first noun names it, because making all of them takes time at every start, and its group is loaded then.
 */
export const nounKinds: { readonly [kind: string]: () => Setting<NounPlan> } = {
  switch: switchKind,
  value: valueKind,
  "gpio-output": () => gpioOutputKind(),
  "gpio-input": () => gpioInputKind(),
  cover: () => coverKind(),
  input: () => inputKind(),
  led: () => ledKind(),
  pwm: () => pwmKind(),
  sensor: () => sensorKind(),
  sysfs: () => sysfsKind(),
  modbus: () => modbusKind(),
  mirror: () => mirrorKind(),
  rule: () => ruleKind(),
  schedule: () => scheduleKind(),
  webhook: () => webhookKind(),
};
