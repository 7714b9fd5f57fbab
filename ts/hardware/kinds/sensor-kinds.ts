/** The kinds of nouns that measure by files of the kernel. `sysfs` may also set one. */

import type { NounDescription } from "../../core/noun/description.ts";
import { checkState } from "../../core/noun/shape.ts";
import type { Scalar } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { keyDescription, nounKind, verifyDefault } from "../../settings/noun-kind.ts";
import { keyRecord } from "../../settings/presentation-setting.ts";
import { listOf, objectOf, optional, withDefault } from "../../settings/record.ts";
import { boolean, choice, factor, nonEmptyText, number, pollTime, scalar, textOf } from "../../settings/setting.ts";
import { measuredKeys, type SensorOptions, sensorNoun } from "../nouns/device-sensor.ts";
import { likelyClass } from "../nouns/simulated-channels.ts";
import { checkAttribute, type SysfsOptions, sysfsNoun, sysfsSensor } from "../nouns/sysfs-attribute.ts";
import { machine, systemNoun } from "../nouns/system-sensor.ts";
import { isThermometer, sensorClasses } from "../open/sensor-device.ts";

const ofPaths = 'below /sys, of at most 1024 characters, without the segments "." and ".."';

const attributePath = () =>
  textOf(
    /^(?:[A-Za-z0-9_-]{1,64}|(?=.{5,1024}$)\/sys(\/(?!\.{1,2}(\/|$))[^/\0]+)+)$/,
    `the path of an attribute such as /sys/class/backlight/panel/brightness: ${ofPaths}; ` +
      'or, of a "device", the name of an attribute',
  );

const deviceOfSensor = () =>
  textOf(
    /^(?:[^/\0]{1,256}|(?=.{5,1024}$)\/sys(\/(?!\.{1,2}(\/|$))[^/\0]+)+)$/,
    "a sensor's name such as bme280, cpu-thermal, 28-0316a2796ee1 or BAT0, or a path such as " +
      "/sys/bus/i2c/devices/1-0076",
  );

const channelName = () =>
  textOf(/^[^/\0]{1,256}$/, "a channel such as temp1, voltage0 or humidityrelative, or a label");

const sensorKey = () =>
  keyRecord({
    ...keyDescription(),
    channel: optional(channelName),
    scale: optional(factor),
    offset: optional(number),
  });

/** What the machine itself does not have. */
const ofMachine = ["channel", "key", "scale", "offset", "unit", "raw"] as const;

/** Options of an only value. */
const ofOneValue = ["key", "scale", "offset", "unit", "raw"] as const;

/** Any sensor that has a driver of Linux. */
export const sensorKind = () =>
  nounKind({
    options: {
      device: deviceOfSensor(),
      channel: optional(channelName),
      key: optional(nonEmptyText),
      scale: optional(factor),
      offset: optional(number),
      unit: optional(nonEmptyText),
      raw: optional(boolean),
      poll: optional(pollTime),
      keys: optional(() => objectOf(sensorKey())),
    },
    verify(options, refuse) {
      const { device, channel, key, keys = {}, raw } = options;
      if (device === machine) {
        for (const option of ofMachine) {
          if (options[option] !== undefined) refuse([option], 'expected nothing together with "device": "system"');
        }
        return;
      }
      const named = Object.values(keys).filter((one) => one.channel !== undefined);
      const isOne = channel !== undefined || named.length === 0;
      for (const [name, { channel: of, scale, offset }] of Object.entries(keys)) {
        if (isOne && (scale ?? offset) !== undefined)
          refuse(["keys", name], 'expected one without "scale" and "offset", or a "channel"');
        if (named.length > 0 && channel !== undefined)
          refuse(["channel"], 'expected nothing beside the channels of "keys"');
        if (!isOne && of === undefined)
          refuse(["keys", name, "channel"], "expected one beside those of the other keys, found nothing");
      }
      for (const option of ofOneValue) {
        if (!isOne && options[option] !== undefined) refuse([option], 'expected nothing beside the channels of "keys"');
      }
      if (raw === true && key === "raw")
        refuse(["key"], 'expected another key, because "raw" is the converter\'s number');
      if (!isOne) return;
      try {
        if (ofOneValue.some((option) => options[option] !== undefined))
          measuredKeys(options as SensorOptions, undefined);
      } catch (error) {
        refuse(["device"], `expected one without several values. ${(error as Error).message}`);
      }
      if (raw === true && channel === undefined) refuse(["raw"], 'expected nothing without "channel"');
    },
    hasShapeOfDevice: ({ device, channel, keys = {} }) =>
      device === machine ||
      (channel === undefined &&
        !isThermometer(device) &&
        Object.values(keys).every((one) => one.channel === undefined)),
    folders: ({ device, channel, keys = {} }) => {
      if (device === machine) return [];
      const channels = [channel, ...Object.values(keys).map((one) => one.channel)].filter((one) => one !== undefined);
      if (channels.length === 0 && !isThermometer(device))
        return Object.values(sensorClasses).map(({ folder }) => folder);
      const { folder } = sensorClasses[likelyClass(device, channels)];
      return channels.every((one) => one === "temp") && !isThermometer(device)
        ? [folder, sensorClasses.iio.folder, sensorClasses.thermal.folder]
        : [folder];
    },
    // A sensor itself has described its keys, without their channels.
    describe: ({ keys, ...options }): NounDescription =>
      ({ ...options, ...(options.device === machine && { keys }) }) as NounDescription,
    build: (options, { name: simulatedAs }) =>
      options.device === machine
        ? systemNoun({ poll: options.poll, simulatedAs })
        : sensorNoun({ ...(options as SensorOptions), simulatedAs }),
  });

/** Options that only a number has. */
const ofNumbers = ["scale", "offset", "unit", "minimum", "maximum"] as const;

/** @throws StateError if the key cannot have this default. */
function checkDefault(options: SysfsOptions, initial: Scalar): void {
  const { key = "value" } = options;
  checkState(sysfsSensor(options).shape, { [key]: initial });
  if (initial === null) throw new StateError(`The value of ${JSON.stringify(key)} cannot be set to null.`);
}

/** Any attribute below /sys. */
export const sysfsKind = () =>
  nounKind({
    options: {
      device: optional(deviceOfSensor),
      path: attributePath(),
      key: withDefault(nonEmptyText, "value"),
      scale: optional(factor),
      offset: optional(number),
      unit: optional(nonEmptyText),
      minimum: optional(number),
      maximum: optional(number),
      values: optional(() => listOf(nonEmptyText())),
      as: optional(() => choice("string")),
      writable: withDefault(boolean, false),
      readable: withDefault(boolean, true),
      default: optional(scalar),
      poll: optional(pollTime),
    },
    verify(options, refuse) {
      const { device, path, values, as, minimum, maximum, writable, readable, default: initial } = options;
      if (path.startsWith("/") === (device !== undefined)) {
        const expected = device === undefined ? 'without "device" below /sys' : 'together with "device": a name alone';
        refuse(["path"], `expected one ${expected}, found ${JSON.stringify(path)}`);
      }
      if (values !== undefined && as !== undefined) refuse(["as"], 'expected nothing together with "values"');
      for (const option of ofNumbers) {
        if (options[option] === undefined || (values === undefined && as === undefined)) continue;
        refuse(
          [option],
          `expected nothing together with "${as === undefined ? "values" : "as"}", because only a number has it`,
        );
      }
      if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
        refuse(["maximum"], `expected at least the minimum, ${minimum}, found ${maximum}`);
      }
      if (!readable && !writable) refuse(["readable"], 'expected nothing without "writable": true');
      if (!writable) {
        if (initial !== undefined) refuse(["default"], 'expected nothing without "writable", because nothing is set');
      } else if (initial === undefined) {
        refuse(["default"], 'expected a value together with "writable", because DELETE sets it');
      } else {
        verifyDefault(
          () => checkDefault(options, initial),
          "the noun",
          ([key], sentence) => refuse([key], sentence),
        );
      }
    },
    folders: ({ device, path }) =>
      device !== undefined
        ? [sensorClasses.iio.folder, sensorClasses.hwmon.folder]
        : [path.split("/").slice(0, 4).join("/")],
    attempt: (options) => (options.device === undefined ? checkAttribute(options) : undefined),
    build: (options, { name }) => sysfsNoun({ ...options, simulatedAs: name }),
  });
