/**
 * nound: a REST server for nouns, on small Linux devices. This is all that an application imports.
 *
 *     import { Server, switchNoun } from "nound";
 *
 *     const server = new Server();
 *     server.register("led", switchNoun({ key: "led" }));
 *     server.listen("127.0.0.1:8080");
 */
export { openAdc, openLed, openPwm, openStore } from "./application/devices.ts";
export { type InputOptions, type LineOptions, type OutputOptions, openInput, openOutput } from "./application/lines.ts";
export {
  type AdcNounOptions,
  adcNoun,
  type GpioInputNounOptions,
  type GpioOutputNounOptions,
  gpioInputNoun,
  gpioOutputNoun,
  type LedNounOptions,
  ledNoun,
  type PwmNounOptions,
  pwmNoun,
  switchNoun,
  valueNoun,
} from "./application/nouns.ts";
export { openSerial, type SerialOptions, type SerialPort } from "./application/serial.ts";
export { Server, type ServerOptions } from "./application/server.ts";
export { clearTimer, now, repeat, setTimer, sleep } from "./application/time.ts";
export type { EdgeEvent, Level, Line } from "./native/gpio.ts";
export type { TimerId } from "./native/loop.ts";
export type { SerialSettings } from "./native/serial.ts";
export type { Store } from "./native/storage.ts";
export { defineNoun, type NounDefinition } from "./noun/define-noun.ts";
export type { Awaitable, Noun } from "./noun/noun.ts";
export type { BooleanKey, ChoiceKey, DesiredOf, Key, NumberKey, Shape, StateOf, StringKey } from "./noun/shape.ts";
export type { Scalar, State } from "./noun/state.ts";
export { StateError } from "./noun/state-error.ts";
export type { AdcChannel, AdcReading } from "./nouns/adc-channel.ts";
export type { ExitRule, HardwareNoun } from "./nouns/hardware-noun.ts";
export type { Led, LedState } from "./nouns/led.ts";
export type { PwmChannel, PwmSignal } from "./nouns/pwm-channel.ts";
export type { SwitchOptions } from "./nouns/switch-noun.ts";
export type { ValueOptions } from "./nouns/value-noun.ts";
export { defaultLimits, type ServerLimits } from "./server/options.ts";
