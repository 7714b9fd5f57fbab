/** The kind `modbus`: registers and bits of a Modbus unit, on a serial line or behind a server. */

import { checkState } from "../../core/noun/shape.ts";
import { StateError } from "../../core/noun/state-error.ts";
import { keyDescription, nounKind } from "../../settings/noun-kind.ts";
import { objectOf, optional, record, withDefault } from "../../settings/record.ts";
import {
  absolutePath,
  boolean,
  choice,
  factor,
  integer,
  nonEmptyText,
  number,
  pollTime,
  type Setting,
  scalar,
  textThat,
} from "../../settings/setting.ts";
import { checkModbusDevice } from "./modbus.ts";
import { countKeys, type ModbusKey, modbusNoun, modbusShape } from "./modbus-noun.ts";
import { valueOrders, valueTypes } from "./values.ts";

const serverPattern = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?):[0-9]{1,5}$/;

function server(): Setting<string> {
  const isServer = (text: string) => {
    const port = Number(text.slice(text.lastIndexOf(":") + 1));
    return serverPattern.test(text) && text.length <= 259 && port >= 1 && port <= 65_535;
  };
  return textThat(isServer, "a server such as 192.0.2.9:502", serverPattern);
}

const modbusKey = () =>
  record({
    ...keyDescription(),
    unit: optional(nonEmptyText),
    read: choice("coil", "discrete", "holding", "input"),
    at: integer({ minimum: 0, maximum: 65_535 }),
    as: optional(() => choice(...valueTypes)),
    order: optional(() => choice(...valueOrders)),
    bit: optional(() => integer({ minimum: 0, maximum: 15 })),
    scale: optional(factor),
    offset: optional(number),
    writable: withDefault(boolean, false),
    minimum: optional(number),
    maximum: optional(number),
    default: optional(scalar),
  });

type ReadKey = ReturnType<ReturnType<typeof modbusKey>["read"]>;

/** The options that only a number has. */
const ofNumbers = ["as", "order", "bit", "scale", "offset", "unit", "minimum", "maximum"] as const;

/** @returns the first option of a key that does not fit the others, with a sentence; undefined if all fit. */
function misfit(name: string, key: ReadKey): readonly [option: string, sentence: string] | undefined {
  const { read, as, bit, scale, offset, writable, minimum, maximum, default: initial } = key;
  if (read === "coil" || read === "discrete") {
    const option = ofNumbers.find((one) => key[one] !== undefined);
    if (option !== undefined) return [option, `expected nothing together with "${read}", which is a bit`];
  }
  if (bit !== undefined) {
    if (as !== "bits") return ["bit", 'expected nothing without "as": "bits"'];
    const option = (["scale", "offset", "unit", "minimum", "maximum"] as const).find((one) => key[one] !== undefined);
    if (option !== undefined) return [option, 'expected nothing together with "bit", which is true or false'];
  }
  if (as === "bits" && (scale !== undefined || offset !== undefined)) {
    return [scale === undefined ? "offset" : "scale", 'expected nothing together with "as": "bits"'];
  }
  if (writable && (read === "discrete" || read === "input" || bit !== undefined)) {
    const what = bit === undefined ? `"${read}", which cannot be written` : '"bit"';
    return ["writable", `expected nothing together with ${what}`];
  }
  for (const [option, value] of Object.entries({ minimum, maximum, default: initial })) {
    if (!writable && value !== undefined) return [option, 'expected nothing without "writable": true'];
  }
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    return ["maximum", `expected at least the minimum, ${minimum}, found ${maximum}`];
  }
  if (initial === undefined) return undefined;
  try {
    const { [name]: declared } = modbusShape({ [name]: key as ModbusKey });
    if (declared !== undefined && initial !== null) checkState({ [name]: declared }, { [name]: initial });
    return initial === null ? ["default", "expected a value other than null"] : undefined;
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    return ["default", `expected a state of the noun. ${error.message}`];
  }
}

/** Options of a serial line. */
const ofLines = ["baud", "parity", "stopBits", "rs485"] as const;

export const modbusKind = () =>
  nounKind({
    options: {
      device: optional(absolutePath),
      server: optional(server),
      unit: withDefault(() => integer({ minimum: 0, maximum: 255 }), 1),
      baud: optional(() => integer({ minimum: 300, maximum: 4_000_000 })),
      parity: optional(() => choice("none", "even", "odd")),
      stopBits: optional(() => choice(1, 2)),
      rs485: optional(boolean),
      timeout: optional(() => integer({ minimum: 10, maximum: 4_000 })),
      gap: optional(() => integer({ minimum: 0, maximum: 124 })),
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
      const ofLine = ofLines.find((one) => options[one] !== undefined);
      if (device === undefined && ofLine !== undefined) {
        refuse([ofLine], 'expected nothing without "device", a serial line');
      }
      if (device !== undefined && (unit < 1 || unit > 247)) {
        refuse(["unit"], `expected one together with "device" from 1 to 247, found ${unit}`);
      }
      if (Object.keys(keys).length === 0) refuse(["keys"], "expected a value together with a unit, found no key");
      for (const [name, key] of Object.entries(keys)) {
        if (countKeys.includes(name)) refuse(["keys", name], "expected another key, because a count uses this one");
        const found = misfit(name, key);
        if (found !== undefined) refuse(["keys", name, found[0]], found[1]);
      }
    },
    folders: ({ device }) => (device === undefined ? [] : ["/sys/class/tty"]),
    attempt: (options) => checkModbusDevice(options),
    describe: ({ keys, ...options }) => ({
      ...options,
      keys: Object.fromEntries(
        Object.entries(keys).map(([name, key]) => {
          const described = Object.keys(keyDescription()).filter((one) => one !== "unit" && Object.hasOwn(key, one));
          return [name, Object.fromEntries(described.map((one) => [one, key[one as "title"]]))];
        }),
      ),
    }),
    build: ({ keys, ...options }, { name }) =>
      modbusNoun({ ...options, keys: keys as { readonly [key: string]: ModbusKey }, simulatedAs: name }),
  });
