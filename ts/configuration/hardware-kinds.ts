/** The kinds of nouns that use the device's hardware: what moves it, and what reads it from files of the kernel. */
export { releaseInherited } from "../nouns/ready-made.ts";
export { adcKind } from "./kinds/adc.ts";
export { gpioInputKind } from "./kinds/gpio-input.ts";
export { gpioOutputKind } from "./kinds/gpio-output.ts";
export { hwmonKind } from "./kinds/hwmon.ts";
export { inputKind } from "./kinds/input.ts";
export { ledKind } from "./kinds/led.ts";
export { powerSupplyKind } from "./kinds/power-supply.ts";
export { pwmKind } from "./kinds/pwm.ts";
export { sysfsKind } from "./kinds/sysfs.ts";
export { systemKind } from "./kinds/system.ts";
export { thermalKind } from "./kinds/thermal.ts";
export { w1Kind } from "./kinds/w1.ts";
