/** The kinds of nouns that read measurements from files of the kernel. The stock program loads them when a configuration names one. */
export { adcKind } from "./kinds/adc.ts";
export { hwmonKind } from "./kinds/hwmon.ts";
export { powerSupplyKind } from "./kinds/power-supply.ts";
export { sysfsKind } from "./kinds/sysfs.ts";
export { systemKind } from "./kinds/system.ts";
export { thermalKind } from "./kinds/thermal.ts";
export { w1Kind } from "./kinds/w1.ts";
