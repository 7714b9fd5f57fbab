/** The kinds of nouns that use the device's hardware: what moves it, and what reads it from files of the kernel. */

import type { NounPlan } from "../../settings/noun-kind.ts";
import type { Setting } from "../../settings/setting.ts";
import { inputKind } from "./input-kind.ts";
import { ledKind, pwmKind } from "./led-and-pwm-kinds.ts";
import { gpioInputKind, gpioOutputKind } from "./line-kinds.ts";
import { sensorKind, sysfsKind } from "./sensor-kinds.ts";

export { releaseInherited } from "../nouns/inherited-hardware.ts";

const kinds = {
  "gpio-output": gpioOutputKind,
  "gpio-input": gpioInputKind,
  input: inputKind,
  led: ledKind,
  pwm: pwmKind,
  sensor: sensorKind,
  sysfs: sysfsKind,
} satisfies { readonly [kind: string]: () => Setting<NounPlan> };

type HardwareKind = keyof typeof kinds;

/** One function for all of them, because each function that may be called before its module is loaded takes memory. */
export function hardwareKind(kind: HardwareKind): Setting<NounPlan> {
  return kinds[kind]();
}
