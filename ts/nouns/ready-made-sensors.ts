/** The ready-made nouns that measure by files of the kernel, for applications. docs/nouns.md has their options. */

import { bootId } from "../application/device-model.ts";
import { lastFailure, logFailure } from "../application/log.ts";
import { hardware, isSimulated, loop, simulatedDevice, system } from "../application/platform.ts";
import { addReach } from "../application/reach.ts";
import { addSource } from "../application/simulated-sources.ts";
import { AdcChannel } from "../hardware/adc-channel.ts";
import { toldBySource } from "../hardware/simulated-source.ts";
import { describeNoun } from "../noun/description.ts";
import type { Noun } from "../noun/noun.ts";
import { type AdcOptions, adcSensor } from "./adc-sensor.ts";
import { type HwmonOptions, hwmonSensor } from "./hwmon-sensor.ts";
import { type PowerSupplyOptions, powerSupplySensor } from "./power-supply-sensor.ts";
import { type Sensor, SensorNoun, type SensorOptions } from "./sensor.ts";
import { simulateSensor } from "./simulated-sensor.ts";
import { type SysfsOptions, sysfsReach, sysfsSensor, WritableAttributeNoun } from "./sysfs-attribute.ts";
import { type SystemOptions, systemSensor } from "./system-sensor.ts";
import { type ThermalOptions, thermalSensor } from "./thermal-sensor.ts";
import { type W1Options, w1Sensor } from "./w1-sensor.ts";

/** ms between two readings of the machine's facts, some of which differ each time. */
const systemPoll = 10_000;

/** @returns a function that writes to the log why a key of this sensor is null. */
function reportAs(source: string): (error: unknown) => void {
  return (error) => logFailure(source, error instanceof Error ? error.message : String(error));
}

/** A service manager may hide files of /proc. An absent file cannot be added to the reach. */
function isThere(path: string): boolean {
  if (!path.startsWith("/proc/")) return true;
  try {
    system.readTextFile(path, 4_096);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes sure that the sensor's files can be read after `restrict`. On simulated hardware, it makes the files and a noun
 * that sets them.
 */
function prepare(sensor: Sensor, source: string): void {
  if (isSimulated) addSource(source, simulateSensor(sensor, simulatedDevice().files.texts));
  else addReach({ readable: sensor.reach.filter(isThere) });
}

function sensorNoun(sensor: Sensor, options: SensorOptions, label: string): Noun {
  const { simulatedAs: source = label, poll } = options;
  prepare(sensor, source);
  const noun = describeNoun(new SensorNoun(sensor, hardware().files, { report: reportAs(source), poll }), options);
  return isSimulated ? toldBySource(noun, source) : noun;
}

/**
 * Opens a channel of an analog-to-digital converter. If the device or the channel is absent, each reading fails until
 * it appears. On simulated hardware, a noun sets the reading: `simulated.iio-device0.voltage0`.
 * @param device its folder's name in `/sys/bus/iio/devices`.
 * @param channel its name in the attributes: `voltage0` of `in_voltage0_raw`.
 * @param simulatedAs the name of that noun after `simulated.`, if it should be another one.
 *
 * @example
 * const battery = openAdc("iio:device0", "voltage0");
 * const { value } = await battery.read(); // mV
 */
export function openAdc(device: string, channel: string, simulatedAs = `${device}.${channel}`): AdcChannel {
  prepare(adcSensor({ device, channel, key: "value" }), simulatedAs);
  return new AdcChannel(hardware().files, device, channel);
}

/**
 * A noun for a channel of an analog-to-digital converter. Its keys are null while the device is absent or does not
 * answer.
 *
 * @example
 * server.register("battery", adcNoun({ device: "iio:device0", channel: "voltage0", key: "millivolts" }));
 */
export function adcNoun(options: AdcOptions): Noun {
  return sensorNoun(adcSensor(options), options, `${options.device}.${options.channel}`);
}

/**
 * A noun for a channel of a monitoring chip: a temperature, a voltage, a fan's speed. Its key is null while the chip is
 * absent or does not answer.
 *
 * @example
 * server.register("board", hwmonNoun({ chip: "lm75", channel: "temp1" })); // {"celsius":23.5}
 */
export function hwmonNoun(options: HwmonOptions): Noun {
  return sensorNoun(hwmonSensor(options), options, `${options.chip}.${options.channel}`);
}

/**
 * A noun for a thermal zone of the kernel. Its key is null while there is no such zone.
 *
 * @example
 * server.register("cpu", thermalNoun({ type: "cpu-thermal" })); // {"celsius":48.312}
 */
export function thermalNoun(options: ThermalOptions): Noun {
  return sensorNoun(thermalSensor(options), options, options.type);
}

/**
 * A noun for a one-wire thermometer such as the DS18B20. A reading takes 750 ms. Meanwhile the server serves other
 * nouns. The noun uses a reading for a second. Its key is null while the sensor is absent.
 *
 * @example
 * server.register("water", w1Noun({ id: "28-0316a2796ee1" })); // {"celsius":21.437}
 */
export function w1Noun(options: W1Options = {}): Noun {
  return sensorNoun(
    w1Sensor(options, () => loop.now()),
    options,
    options.id ?? "w1",
  );
}

/**
 * A noun for a battery. Each of its keys is null while the kernel does not know it.
 *
 * @example
 * server.register("battery", powerSupplyNoun()); // {"percent":80,"volts":3.9,"status":"Discharging"}
 */
export function powerSupplyNoun(options: PowerSupplyOptions = {}): Noun {
  return sensorNoun(powerSupplySensor(options), options, options.device ?? "battery");
}

/**
 * A noun for facts of the machine: how long it runs, how busy it is, how much memory is left, how warm it is; and of
 * nound: its version, and its last failure.
 *
 * @example
 * server.register("system", systemNoun());
 */
export function systemNoun(options: SystemOptions = {}): Noun {
  const health = { version: system.version, boot: bootId(), lastError: lastFailure };
  return sensorNoun(systemSensor(options, health), { ...options, poll: options.poll ?? systemPoll }, "system");
}

/**
 * A noun for any attribute below `/sys`; with `writable`, clients set it.
 * @throws Error with a sentence when the attribute is absent, unless it may be.
 *
 * @example
 * const panel = "/sys/class/backlight/panel/brightness";
 * server.register("backlight", sysfsNoun({ path: panel, minimum: 0, maximum: 255, writable: true, default: 128 }));
 */
export function sysfsNoun(options: SysfsOptions): Noun {
  const { path, mayBeAbsent = false, writable = false, simulatedAs = path.slice("/sys/".length) } = options;
  if (!isSimulated && !mayBeAbsent) system.readTextFile(path, 4_096);
  prepare(sysfsSensor(options), simulatedAs);
  const reading = { report: reportAs(simulatedAs), poll: options.poll };
  if (!writable) return describeNoun(new SensorNoun(sysfsSensor(options), hardware().files, reading), options);
  if (!isSimulated) addReach({ writable: sysfsReach(options) });
  return describeNoun(new WritableAttributeNoun(options, hardware().files, reading), options);
}
