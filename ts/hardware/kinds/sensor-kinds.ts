/** The kinds of nouns that measure by files of the kernel. `sysfs` may also set one. */

import { checkState } from "../../core/noun/shape.ts";
import type { Scalar } from "../../core/noun/state.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { system } from "../../platform/platform.ts";
import { nounKind, verifyDefault } from "../../settings/noun-kind.ts";
import { listOf, optional, withDefault } from "../../settings/record.ts";
import {
  boolean,
  choice,
  deviceName,
  deviceOrPath,
  factor,
  nonEmptyText,
  number,
  pollTime,
  type Setting,
  scalar,
  textOf,
} from "../../settings/setting.ts";
import { adcNoun } from "../nouns/adc-sensor.ts";
import { hwmonNoun, hwmonQuantities, quantityOfChannel } from "../nouns/hwmon-sensor.ts";
import { powerSupplyNoun } from "../nouns/power-supply-sensor.ts";
import { numberedPath, type SysfsOptions, sysfsNoun, sysfsSensor } from "../nouns/sysfs-attribute.ts";
import { systemNoun } from "../nouns/system-sensor.ts";
import { thermalNoun } from "../nouns/thermal-sensor.ts";
import { w1Id, w1Noun } from "../nouns/w1-sensor.ts";

const ofPaths = 'below /sys, of at most 1024 characters, without the segments "." and ".."';

/** @param what the path names, with an example, for the error message. */
function sysfsPath(what: string): Setting<string> {
  return textOf(/^(?=.{5,1024}$)\/sys(\/(?!\.{1,2}(\/|$))[^/\0]+)+$/, `${what}: ${ofPaths}`);
}

const attributePath = () =>
  textOf(
    /^(?:[A-Za-z0-9_-]{1,64}|(?=.{5,1024}$)\/sys(\/(?!\.{1,2}(\/|$))[^/\0]+)+)$/,
    `the path of an attribute such as /sys/class/backlight/panel/brightness: ${ofPaths}; ` +
      'or, of a "device", the name of an attribute',
  );

const channelName = () =>
  textOf(/^[a-z]{1,32}[0-9]{0,3}(-[a-z]{1,32}[0-9]{0,3})?$/, "a channel such as voltage0 or voltage0-voltage1");

const chipName = () =>
  deviceOrPath(
    "a chip's name such as bme280, a folder such as iio:device0, or a path such as /sys/bus/i2c/devices/1-0076",
  );

/** A channel of a converter or sensor of the kernel's Industrial I/O. */
export const adcKind = () =>
  nounKind({
    options: {
      device: chipName(),
      channel: channelName(),
      key: withDefault(nonEmptyText, "value"),
      poll: optional(pollTime),
      scale: optional(factor),
      offset: optional(number),
      unit: optional(nonEmptyText),
    },
    verify({ key }, refuse) {
      if (key === "raw") refuse(["key"], 'expected another key, because "raw" is the number of the converter');
    },
    folders: () => ["/sys/bus/iio/devices"],
    build: (options, { name }) => adcNoun({ ...options, simulatedAs: name }),
  });

/** A channel of a monitoring chip. */
export const hwmonKind = () =>
  nounKind({
    options: {
      chip: nonEmptyText(),
      channel: nonEmptyText(),
      device: optional(() => sysfsPath("a device's folder such as /sys/bus/i2c/devices/3-0049")),
      quantity: optional(() => choice(...hwmonQuantities)),
      key: optional(nonEmptyText),
      poll: optional(pollTime),
    },
    verify({ channel, quantity }, refuse) {
      const numbered = quantityOfChannel(channel);
      if (quantity !== undefined && numbered !== undefined) {
        refuse(["quantity"], `expected nothing together with the channel ${channel}, whose quantity is "${numbered}"`);
      }
    },
    folders: () => ["/sys/class/hwmon"],
    build: (options, { name }) => hwmonNoun({ ...options, simulatedAs: name }),
  });

/** A thermal zone of the kernel. */
export const thermalKind = () =>
  nounKind({
    options: { type: nonEmptyText(), key: withDefault(nonEmptyText, "celsius"), poll: optional(pollTime) },
    folders: () => ["/sys/class/thermal"],
    build: (options, { name }) => thermalNoun({ ...options, simulatedAs: name }),
  });

const sensorId = () => textOf(w1Id, "a thermometer's id such as 28-0316a2796ee1, of the family 10, 22, 28, 3b or 42");

/** A one-wire thermometer. */
export const w1Kind = () =>
  nounKind({
    options: { id: optional(sensorId), key: withDefault(nonEmptyText, "celsius"), poll: optional(pollTime) },
    folders: () => ["/sys/bus/w1/devices"],
    build: (options, { name }) => w1Noun({ ...options, simulatedAs: name }),
  });

/** A battery. */
export const powerSupplyKind = () =>
  nounKind({
    options: { device: optional(() => deviceName("BAT0")), poll: optional(pollTime) },
    folders: () => ["/sys/class/power_supply"],
    build: (options, { name }) => powerSupplyNoun({ ...options, simulatedAs: name }),
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
      device: optional(chipName),
      path: attributePath(),
      key: withDefault(nonEmptyText, "value"),
      scale: optional(factor),
      offset: optional(number),
      unit: optional(nonEmptyText),
      minimum: optional(number),
      maximum: optional(number),
      values: optional(() => listOf(nonEmptyText())),
      text: withDefault(boolean, false),
      writable: withDefault(boolean, false),
      default: optional(scalar),
      mayBeAbsent: withDefault(boolean, false),
      poll: optional(pollTime),
    },
    verify(options, refuse) {
      const { device, path, values, text, minimum, maximum, writable, default: initial, mayBeAbsent } = options;
      if (path.startsWith("/") === (device !== undefined)) {
        const expected = device === undefined ? 'without "device" below /sys' : 'together with "device": a name alone';
        refuse(["path"], `expected one ${expected}, found ${JSON.stringify(path)}`);
      }
      if (device !== undefined && mayBeAbsent) refuse(["mayBeAbsent"], 'expected nothing together with "device"');
      if (values !== undefined && text) refuse(["text"], 'expected nothing together with "values"');
      for (const option of ofNumbers) {
        if (options[option] === undefined || (values === undefined && !text)) continue;
        refuse([option], `expected nothing together with "${text ? "text" : "values"}", because only a number has it`);
      }
      if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
        refuse(["maximum"], `expected at least the minimum, ${minimum}, found ${maximum}`);
      }
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
    // A noun that may be absent is in order without its attribute; the others need it at the start.
    folders: ({ device, path, mayBeAbsent }) =>
      device !== undefined ? ["/sys/bus/iio/devices"] : mayBeAbsent ? [] : [path.split("/").slice(0, 4).join("/")],
    attempt: ({ device, path }) => void (device ?? system.readTextFile(numberedPath(path), 4_096)),
    build: (options, { name }) => sysfsNoun({ ...options, simulatedAs: name }),
  });

/** Facts of the machine. */
export const systemKind = () =>
  nounKind({
    options: {
      zone: optional(nonEmptyText),
      temperature: withDefault(boolean, true),
      poll: optional(pollTime),
    },
    verify({ zone, temperature }, refuse) {
      if (zone !== undefined && !temperature) refuse(["zone"], 'expected nothing together with "temperature": false');
    },
    build: (options, { name }) => systemNoun({ ...options, simulatedAs: name }),
  });
