/** The kind `modbus`: registers and bits of a Modbus unit, on a serial line or behind a server. */

import { checkState } from "../../core/noun/shape.ts";
import { StateError } from "../../core/noun/state-error.ts";
import type { Json } from "../../settings/json.ts";
import { keyDescription, nounKind } from "../../settings/noun-kind.ts";
import { keyRecord } from "../../settings/presentation-setting.ts";
import { objectOf, oneOrMore, optional, withDefault } from "../../settings/record.ts";
import {
  absolutePath,
  boolean,
  choice,
  converted,
  either,
  factor,
  integer,
  isList,
  mistake,
  nonEmptyText,
  number,
  pollTime,
  refuse,
  type Setting,
  scalar,
  text,
  textOf,
  textThat,
} from "../../settings/setting.ts";
import { baud } from "./baud-setting.ts";
import type { Table } from "./functions.ts";
import { checkModbusDevice } from "./modbus.ts";
import { type ModbusKey, type ModbusKeys, misfitOf } from "./modbus-key.ts";
import { countKeys, modbusNoun, modbusShape } from "./modbus-noun.ts";
import { longestText, valueOrders, valueTypes } from "./values.ts";

const serverPattern = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?):[0-9]{1,5}$/;

function server(): Setting<string> {
  const isServer = (text: string) => {
    const port = Number(text.slice(text.lastIndexOf(":") + 1));
    return serverPattern.test(text) && text.length <= 259 && port >= 1 && port <= 65_535;
  };
  return textThat(isServer, "a server such as 192.0.2.9:502", serverPattern);
}

const bitNumber = () => integer({ minimum: 0, maximum: 15 });

/** One bit, or the lowest and the highest one of a number. */
function bits(): Setting<NonNullable<ModbusKey["bit"]>> {
  const expected = "a bit from 0 to 15, or the lowest and the highest one, such as [4, 7]";
  const range: Setting<readonly [number, number]> = {
    expected,
    schema: () => ({ type: "array", items: bitNumber().schema(), minItems: 2, maxItems: 2 }),
    read(value, path) {
      if (!isList(value) || value.length !== 2) return refuse(value, path, expected);
      const [lowest = 0, highest = 0] = value.map((one) => bitNumber().read(one, path));
      if (lowest >= highest) throw mistake(path, `expected the lowest bit first, found ${JSON.stringify(value)}`);
      return [lowest, highest];
    },
  };
  return either(expected, bitNumber(), range, (value) => !isList(value));
}

/** What registers hold that have no value. */
function noValue(): Setting<number | string> {
  const expected = "the number, or the text, that means no value";
  const isText = (value: Json) => typeof value === "string";
  const numbers = { ...number(), expected };
  return {
    ...either<number | string, number>(expected, text(), numbers, (value) => isText(value)),
    schema: () => ({ type: ["string", "number"] }),
  };
}

const mostPattern = /^(?=.)([1-9][0-9]?|1[01][0-9]|12[0-5])?(?:(?:^| )gap (0|[1-9][0-9]?|1[01][0-9]|12[0-4]))?$/;

/** What one question may read: how many registers, and how many that nobody asked for between two of them. */
function reach(): Setting<{ readonly most?: number; readonly gap?: number }> {
  const expected = 'how many registers a question may ask for, 1 to 125, or a text such as "125 gap 8"';
  const form = converted(textOf(mostPattern, expected), (text) => {
    const [, most, gap] = mostPattern.exec(text) ?? [];
    return { ...(most && { most: Number(most) }), ...(gap && { gap: Number(gap) }) };
  });
  const alone = { ...integer({ minimum: 1, maximum: 125 }), expected };
  const number = converted(alone, (most): { readonly most?: number; readonly gap?: number } => ({ most }));
  return either(expected, form, number, (value) => typeof value === "string");
}

const confirmation = () => choice("read", "answer");

const placePattern =
  /^(coil|discrete|holding|input) (0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$/;

const place = () =>
  textOf(placePattern, 'the table, one of coil, discrete, holding and input, and the address: "holding 40"');

const writtenKey = () =>
  keyRecord({
    ...keyDescription(),
    unit: optional(nonEmptyText),
    at: place(),
    as: optional(() => choice(...valueTypes)),
    order: optional(() => choice(...valueOrders)),
    length: optional(() => integer({ minimum: 1, maximum: longestText })),
    bit: optional(bits),
    scale: optional(factor),
    offset: optional(number),
    scaleBy: optional(nonEmptyText),
    none: optional(() => oneOrMore(noValue())),
    writable: withDefault(boolean, false),
    minimum: optional(number),
    maximum: optional(number),
    default: optional(scalar),
    confirm: optional(confirmation),
  });

const modbusKey = () =>
  converted(writtenKey(), ({ at: written, ...key }) => {
    const [table, address] = written.split(" ");
    return { read: table as Table, at: Number(address), ...key };
  });

type ReadKey = ReturnType<ReturnType<typeof modbusKey>["read"]>;

/** The options that change a number. */
const ofScales = ["scale", "offset", "scaleBy", "unit", "minimum", "maximum"] as const;

/** The options that only a value in registers has. */
const ofRegisters = ["as", "order", "bit", "length", "none", ...ofScales] as const;

/** @returns the first option of a key that does not fit the others, with a sentence; undefined if all fit. */
function misfit(name: string, key: ReadKey, keys: ModbusKeys): readonly [option: string, sentence: string] | undefined {
  const { read, as, bit, writable, minimum, maximum, default: initial, confirm } = key;
  if (read === "coil" || read === "discrete") {
    const option = ofRegisters.find((one) => key[one] !== undefined);
    if (option !== undefined) return [option, `expected nothing together with "${read}", which is a bit`];
  }
  if (bit !== undefined && as !== "bits") return ["bit", 'expected nothing without "as": "bits"'];
  const isSingle = typeof bit === "number";
  if (isSingle || as === "string") {
    const option = ([...ofScales, ...(isSingle ? (["none"] as const) : [])] as const).find(
      (one) => key[one] !== undefined,
    );
    const what = isSingle ? '"bit", which is true or false' : '"as": "string"';
    if (option !== undefined) return [option, `expected nothing together with ${what}`];
  }
  if (as === "bits" && bit === undefined) {
    const option = (["scale", "offset", "scaleBy"] as const).find((one) => key[one] !== undefined);
    if (option !== undefined) return [option, 'expected nothing together with "as": "bits"'];
  }
  if (writable && (read === "discrete" || read === "input" || bit !== undefined)) {
    const what = bit === undefined ? `"${read}", which cannot be written` : '"bit"';
    return ["writable", `expected nothing together with ${what}`];
  }
  for (const [option, value] of Object.entries({ minimum, maximum, default: initial, confirm })) {
    if (!writable && value !== undefined) return [option, 'expected nothing without "writable": true'];
  }
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    return ["maximum", `expected at least the minimum, ${minimum}, found ${maximum}`];
  }
  const found = misfitOf(name, keys);
  if (initial === undefined || found !== undefined) return found;
  try {
    const { [name]: declared } = modbusShape({ [name]: key as ModbusKey });
    if (declared !== undefined && initial !== null) checkState({ [name]: declared }, { [name]: initial });
    return initial === null ? ["default", "expected a value other than null"] : undefined;
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return ["default", `expected a state of the noun. ${error.message}`];
  }
}

export const modbusKind = () =>
  nounKind({
    options: {
      device: optional(absolutePath),
      server: optional(server),
      framing: optional(() => choice("tcp", "rtu")),
      unit: withDefault(() => integer({ minimum: 0, maximum: 255 }), 1),
      baud: optional(baud),
      timeout: optional(() => integer({ minimum: 10, maximum: 30_000 })),
      most: optional(reach),
      confirm: optional(confirmation),
      poll: optional(pollTime),
      keys: withDefault(() => objectOf(modbusKey()), {}),
    },
    verify(options, refuse) {
      const { device, server, unit, keys } = options;
      if (device === undefined && server === undefined) {
        refuse(["device"], 'expected a serial device such as "/dev/ttyS1" without "server", found nothing');
      } else if (device !== undefined && server !== undefined) {
        refuse(["server"], 'expected nothing together with "device"');
      }
      if (device === undefined && options.baud !== undefined) {
        refuse(["baud"], 'expected nothing without "device", a serial line');
      }
      if (device !== undefined && (unit < 1 || unit > 247)) {
        refuse(["unit"], `expected one together with "device" from 1 to 247, found ${unit}`);
      }
      if (device !== undefined && options.framing === "tcp") {
        refuse(["framing"], 'expected "rtu" together with "device", a serial line');
      }
      if (Object.keys(keys).length === 0) refuse(["keys"], "expected a value together with a unit, found no key");
      for (const [name, key] of Object.entries(keys)) {
        if (countKeys.includes(name)) refuse(["keys", name], "expected another key, because a count uses this one");
        const found = misfit(name, key, keys as ModbusKeys);
        if (found !== undefined) refuse(["keys", name, found[0]], found[1]);
      }
    },
    waits: ({ timeout }) => (timeout === undefined ? undefined : ["timeout", timeout]),
    folders: ({ device }) => (device === undefined ? [] : ["/sys/class/tty"]),
    attempt: (options) => checkModbusDevice(options),
    describe: ({ keys, ...options }) => ({
      ...options,
      keys: Object.fromEntries(
        Object.entries(keys).map(([name, key]) => {
          const words = [...Object.keys(keyDescription()), "diagnostic", "colour"];
          const described = words.filter((one) => one !== "unit" && Object.hasOwn(key, one));
          return [name, Object.fromEntries(described.map((one) => [one, key[one as "title"]]))];
        }),
      ),
    }),
    build: ({ keys, most, ...options }, { name }) =>
      modbusNoun({ ...options, ...most, keys: keys as ModbusKeys, simulatedAs: name }),
  });
