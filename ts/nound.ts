/**
 * nound: a REST server for nouns, on small Linux devices. This is all that an application imports.
 *
 *     import { Server, switchNoun } from "nound";
 *
 *     const server = new Server();
 *     server.register("led", switchNoun({ key: "led" }));
 *     server.listen("127.0.0.1:8080");
 */

// biome-ignore-all assist/source/organizeImports: the headings group the names for readers

// Serving
export { type Application, serve } from "./program/application/serve.ts";
export type { HttpsOptions } from "./parts/tls/part.ts";
export type { ServerOptions } from "./program/application/parts.ts";
export { Server } from "./program/application/server.ts";
export type { LogLevel } from "./platform/log.ts";
export { defaultLimits, type ServerLimits } from "./core/server/options.ts";
export type { DeviceOptions, DocumentSwitches } from "./parts/documents/part.ts";
export type { ChangesOptions } from "./parts/changes/part.ts";
export type { HistoryOptions } from "./parts/history/part.ts";
export type { AccessOptions } from "./core/access/access.ts";
export type { MqttOptions } from "./parts/mqtt/part.ts";
export type { Token } from "./core/access/tokens.ts";
export { readTokens } from "./program/application/read-tokens.ts";
export type { Verb } from "./core/noun/verb.ts";

// Writing a noun
export { defineNoun } from "./program/application/defined-nouns.ts";
export type { NounDefinition } from "./core/noun/define-noun.ts";
export type { Noun } from "./core/noun/noun.ts";
export type { NounDescription } from "./core/noun/description.ts";
export type { Condition, When } from "./core/noun/condition.ts";
export type { HomeAssistantEntity, HomeAssistantOptions, HomeAssistantThing } from "./core/noun/home-assistant.ts";
export type { Scalar, State } from "./core/noun/state.ts";
export { StateError } from "./core/noun/state-error.ts";

// Shapes
export type { Shape, Key, NumberKey, StringKey, BooleanKey, ChoiceKey, KeyDescription } from "./core/noun/shape.ts";

// Ready-made nouns
export { type GpioInputOptions, gpioInputNoun } from "./hardware/nouns/gpio-input-noun.ts";
export { type GpioOutputOptions, gpioOutputNoun } from "./hardware/nouns/gpio-output-noun.ts";
export type {
  CoverGoal,
  CoverNounOutput,
  CoverOptions,
  CoverTimes,
  StopAt,
} from "./hardware/nouns/cover-options.ts";
export { coverNoun } from "./hardware/nouns/open-cover.ts";
export { ledNoun, pwmNoun } from "./hardware/nouns/inherited-hardware.ts";
export {
  type Meter,
  openMeter,
  type MeterOptions,
  type RateOptions,
  type TotalOptions,
} from "./hardware/nouns/meter.ts";
export { type MirrorOptions, mirrorNoun } from "./parts/mirror/mirrors.ts";
export type { Confirmation, ModbusKey, ModbusKeys } from "./parts/modbus/modbus-key.ts";
export type { ModbusServerOptions, ServedRegister, ServedRegisters } from "./parts/modbus/server/part.ts";
export { type ModbusOptions, modbusNoun } from "./parts/modbus/modbus-noun.ts";
export { type SysfsOptions, sysfsNoun } from "./hardware/nouns/sysfs-attribute.ts";
export { systemNoun } from "./hardware/nouns/system-sensor.ts";
export type { MeasuringOptions } from "./hardware/nouns/sensor.ts";
export { type SensorKey, type SensorOptions, sensorNoun } from "./hardware/nouns/device-sensor.ts";
export { type SwitchOptions, switchNoun } from "./hardware/nouns/switch-noun.ts";
export { type ValueOptions, valueNoun } from "./hardware/nouns/value-noun.ts";
export { type InputNounOptions, inputNoun } from "./hardware/nouns/input-noun.ts";
export type { ExitRule } from "./hardware/nouns/hardware-noun.ts";
export type { LedOptions } from "./hardware/nouns/led-noun.ts";
export type { PwmOptions } from "./hardware/nouns/pwm-noun.ts";

// Hardware
export { openInput, openOutput } from "./hardware/open/lines.ts";
export type { InputOptions, LineOptions, OutputOptions } from "./hardware/open/line-options.ts";
export type { EdgeEvent, Edges, Level, Line } from "./native/gpio.ts";
export { openLed, openPwm } from "./hardware/open/led-and-pwm.ts";
export { openAdc } from "./hardware/nouns/adc-sensor.ts";
export type { AdcChannel, AdcReading } from "./hardware/open/adc-channel.ts";
export type { Led, LedState } from "./hardware/open/led.ts";
export type { PwmChannel, PwmSignal } from "./hardware/open/pwm-channel.ts";
export { openSerial, type SerialPort } from "./hardware/open/serial-port.ts";
export type { SerialOptions } from "./native/serial.ts";
export { type I2cDevice, openI2c } from "./hardware/open/i2c.ts";
export { openSpi, type SpiDevice, type SpiOptions } from "./hardware/open/spi.ts";
export { type ModbusPlace, openModbus } from "./parts/modbus/modbus.ts";
export { ModbusError, type ModbusUnit } from "./parts/modbus/unit.ts";
export { listFolder, readText } from "./hardware/open/application-files.ts";

// Other servers
export { fetch } from "./parts/client/fetch.ts";
export type { FetchOptions, FetchResponse, FetchSignal } from "./parts/client/fetch-from.ts";
export type { TlsOptions } from "./native/tls-options.ts";

// Time
export { now, sleep } from "./platform/time.ts";

// The program
export { openStore } from "./hardware/open/application-files.ts";
export type { Store } from "./native/storage.ts";
export { args, environment, onSignal, quit } from "./program/application/program.ts";
export { limitProcess, type ProcessLimits } from "./platform/process-limits.ts";
export { chooseAccount, restrict } from "./program/application/privileges.ts";
export type { Reach } from "./native/privileges.ts";

// Types that the others use
export type { AnyKey, ChangeOf, DesiredOf, StateOf } from "./core/noun/shape.ts";
export type { NounOf } from "./core/noun/define-noun.ts";
export type { Awaitable } from "./core/noun/noun.ts";
export type { ModbusCounts } from "./parts/modbus/bus.ts";
export type { Table } from "./parts/modbus/functions.ts";
export type { ValueOrder, ValueType } from "./parts/modbus/values.ts";
export type { Microseconds, Milliseconds, Nanoseconds } from "./native/units.ts";
