/**
 * nound: a REST server for nouns, on small Linux devices. This is all that an application imports.
 *
 *     import { Server, switchNoun } from "nound";
 *
 *     const server = new Server();
 *     server.register("led", switchNoun({ key: "led" }));
 *     server.listen("127.0.0.1:8080");
 */

// biome-ignore-all assist/source/organizeImports: the headings are those of docs/reference.md

// Serving
export { type Application, serve } from "./application/serve.ts";
export type { HttpsOptions } from "./application/https.ts";
export { Server, type ServerOptions } from "./application/server.ts";
export type { LogLevel } from "./application/log.ts";
export { defaultLimits, type ServerLimits } from "./server/options.ts";
export type { DeviceOptions, DocumentSwitches } from "./application/device-documents.ts";
export type { AccessOptions } from "./access/access.ts";
export type { MqttOptions } from "./mqtt/mqtt-settings.ts";
export type { Token } from "./access/tokens.ts";
export { readTokens } from "./application/read-tokens.ts";
export type { Verb } from "./noun/verb.ts";

// Writing a noun
export { defineNoun } from "./application/defined-nouns.ts";
export type { NounDefinition } from "./noun/define-noun.ts";
export type { Noun } from "./noun/noun.ts";
export type { NounDescription } from "./noun/description.ts";
export type { Condition, When } from "./noun/condition.ts";
export type { HomeAssistantEntity, HomeAssistantOptions, HomeAssistantThing } from "./noun/home-assistant.ts";
export type { Scalar, State } from "./noun/state.ts";
export { StateError } from "./noun/state-error.ts";

// Shapes
export type { Shape, Key, NumberKey, StringKey, BooleanKey, ChoiceKey, KeyDescription } from "./noun/shape.ts";

// Ready-made nouns
export { type GpioInputOptions, gpioInputNoun } from "./nouns/gpio-input-noun.ts";
export { type GpioOutputOptions, gpioOutputNoun } from "./nouns/gpio-output-noun.ts";
export { type CoverOptions, type CoverTimes, coverNoun, type StopAt } from "./nouns/cover-noun.ts";
export { ledNoun, pwmNoun } from "./nouns/inherited-hardware.ts";
export { type AdcOptions, adcNoun } from "./nouns/adc-sensor.ts";
export { type Meter, openMeter, type MeterOptions, type RateOptions, type TotalOptions } from "./nouns/meter.ts";
export { type MirrorOptions, mirrorNoun } from "./application/mirrors.ts";
export { type ModbusKey, type ModbusOptions, modbusNoun } from "./nouns/modbus-noun.ts";
export { type HwmonOptions, type HwmonQuantity, hwmonNoun } from "./nouns/hwmon-sensor.ts";
export { type PowerSupplyOptions, powerSupplyNoun } from "./nouns/power-supply-sensor.ts";
export { type SysfsOptions, sysfsNoun } from "./nouns/sysfs-attribute.ts";
export { type SystemOptions, systemNoun } from "./nouns/system-sensor.ts";
export { type ThermalOptions, thermalNoun } from "./nouns/thermal-sensor.ts";
export { type W1Options, w1Noun } from "./nouns/w1-sensor.ts";
export type { SensorOptions } from "./nouns/sensor.ts";
export { type SwitchOptions, switchNoun } from "./nouns/switch-noun.ts";
export { type ValueOptions, valueNoun } from "./nouns/value-noun.ts";
export { type InputNounOptions, inputNoun } from "./nouns/input-noun.ts";
export type { ExitRule } from "./nouns/hardware-noun.ts";
export type { LedOptions } from "./nouns/led-noun.ts";
export type { PwmOptions } from "./nouns/pwm-noun.ts";

// Hardware
export { openInput, openOutput } from "./hardware/lines.ts";
export type { InputOptions, LineOptions, OutputOptions } from "./hardware/line-options.ts";
export type { EdgeEvent, Edges, Level, Line } from "./native/gpio.ts";
export { openLed, openPwm } from "./hardware/led-and-pwm.ts";
export { openAdc } from "./nouns/adc-sensor.ts";
export type { AdcChannel, AdcReading } from "./hardware/adc-channel.ts";
export type { Led, LedState } from "./hardware/led.ts";
export type { PwmChannel, PwmSignal } from "./hardware/pwm-channel.ts";
export { openSerial, type SerialPort } from "./hardware/serial-port.ts";
export type { SerialOptions } from "./native/serial.ts";
export { type I2cDevice, openI2c } from "./hardware/i2c.ts";
export { openSpi, type SpiDevice, type SpiOptions } from "./hardware/spi.ts";
export { type ModbusPlace, openModbus } from "./hardware/modbus.ts";
export { ModbusError, type ModbusUnit } from "./modbus/unit.ts";
export { listFolder, readText } from "./hardware/application-files.ts";

// Other servers
export { fetch } from "./application/fetch.ts";
export type { FetchOptions, FetchResponse, FetchSignal } from "./client/fetch-from.ts";
export type { TlsOptions } from "./native/tls-options.ts";

// Time
export { now, sleep } from "./application/time.ts";

// The program
export { openStore } from "./hardware/application-files.ts";
export type { Store } from "./native/storage.ts";
export { args, environment, onSignal, quit } from "./application/program.ts";
export { limitProcess, type ProcessLimits } from "./application/process-limits.ts";
export { chooseAccount, restrict } from "./application/privileges.ts";
export type { Reach } from "./native/privileges.ts";

// Types that the others use
export type { AnyKey, ChangeOf, DesiredOf, StateOf } from "./noun/shape.ts";
export type { NounOf } from "./noun/define-noun.ts";
export type { Awaitable } from "./noun/noun.ts";
export type { ModbusCounts } from "./modbus/bus.ts";
export type { Table } from "./modbus/functions.ts";
export type { ValueOrder, ValueType } from "./modbus/values.ts";
export type { Microseconds, Milliseconds, Nanoseconds } from "./native/units.ts";
