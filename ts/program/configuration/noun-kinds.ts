/**
 * The kinds of nouns that a configuration can name. A new kind is a function in `ts/hardware/kinds/`, or in the folder
 * of its part, and a line here.
 */
import { coverKind } from "../../hardware/kinds/cover-kind.ts";
import { hardwareKind } from "../../hardware/kinds/hardware-kinds.ts";
import { switchKind, valueKind } from "../../hardware/kinds/memory-kinds.ts";
import { mirrorKind } from "../../parts/mirror/mirror-kind.ts";
import { modbusKind } from "../../parts/modbus/modbus-kind.ts";
import { ruleKind, scheduleKind } from "../../parts/rules/part.ts";
import { webhookKind } from "../../parts/webhook/webhook-kind.ts";
import type { NounPlan } from "../../settings/noun-kind.ts";
import type { Setting } from "../../settings/setting.ts";

/** In the order in which messages and the schema name them. */
const hardware = ["gpio-output", "gpio-input", "cover", "input", "led", "pwm", "sensor", "sysfs"] as const;

/**
 * By the name that a noun's `kind` gives. A kind is made when the first noun names it, because making all of them takes
 * time at every start.
 */
export const nounKinds: { readonly [kind: string]: () => Setting<NounPlan> } = {
  switch: switchKind,
  value: valueKind,
  ...Object.fromEntries(hardware.map((kind) => [kind, kind === "cover" ? coverKind : () => hardwareKind(kind)])),
  modbus: modbusKind,
  mirror: mirrorKind,
  rule: ruleKind,
  schedule: scheduleKind,
  webhook: webhookKind,
};
