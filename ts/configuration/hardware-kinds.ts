/** The kinds of nouns that move the device's hardware. The stock program loads them when a configuration names one. */
export { gpioInputKind } from "./kinds/gpio-input.ts";
export { gpioOutputKind } from "./kinds/gpio-output.ts";
export { ledKind } from "./kinds/led.ts";
export { pwmKind } from "./kinds/pwm.ts";
