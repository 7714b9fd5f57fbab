/** The setting of the server of Modbus, and what fits the nouns of a configuration. */

import { grantOf, grantPattern } from "../../../core/access/grant.ts";
import type { NounDirectory } from "../../../core/feeds/noun-directory.ts";
import { ipv4Pattern } from "../../../core/grammar/ip-address.ts";
import { networkOf } from "../../../core/grammar/ip-network.ts";
import { isListenAddress } from "../../../platform/listen-address.ts";
import { oneOrMore, optional, record } from "../../../settings/record.ts";
import {
  absolutePath,
  checked,
  choice,
  either,
  factor,
  integer,
  isObject,
  keyPath,
  Mistakes,
  number,
  refuse,
  type Setting,
  textOf,
  textThat,
} from "../../../settings/setting.ts";
import { baud } from "../baud-setting.ts";
import { type Table, tables } from "../functions.ts";
import { longestText, valueOrders, valueTypes } from "../values.ts";
import type { ModbusServerOptions, ServedRegister, ServedRegisters } from "./options.ts";
import { entriesOf } from "./register-map.ts";

const keyPattern = /^(?!.*\.$)[^.].*\..+$/;

const keyOfNoun = () => textOf(keyPattern, 'a noun and its key, such as "cellar.celsius"');

const register = () =>
  record({
    key: keyOfNoun(),
    as: optional(() => choice(...valueTypes)),
    order: optional(() => choice(...valueOrders)),
    length: optional(() => integer({ minimum: 1, maximum: longestText })),
    scale: optional(factor),
    offset: optional(number),
    none: optional(number),
  });

/** A key of a noun alone, or with its form. */
function served(isBits: boolean): Setting<string | ServedRegister> {
  const expected = 'a key such as "cellar.celsius", or an object with "key" and its form';
  if (isBits) return keyOfNoun() as Setting<string | ServedRegister>;
  return either<string, ServedRegister>(expected, keyOfNoun(), register(), (value) => !isObject(value));
}

const addressPattern = "^(?:0|[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$";

/** The keys of nouns by their addresses. */
function table(isBits: boolean): Setting<{ readonly [address: string]: string | ServedRegister }> {
  const expected = "an object with a key for each address from 0 to 65535";
  const one = served(isBits);
  return {
    expected,
    schema: () => ({
      type: "object",
      propertyNames: { pattern: addressPattern },
      additionalProperties: one.schema(),
    }),
    read(value, path) {
      if (!isObject(value)) return refuse(value, path, expected);
      const mistakes = new Mistakes();
      const read: { [address: string]: string | ServedRegister } = {};
      for (const [address, given] of Object.entries(value)) {
        const place = keyPath(path, address);
        if (!new RegExp(addressPattern).test(address)) {
          mistakes.add(place, `expected an address from 0 to 65535 as the key, found ${JSON.stringify(address)}`);
          continue;
        }
        const register = mistakes.attempt(() => one.read(given, place));
        if (register !== undefined) read[address] = register;
      }
      return mistakes.finish(read);
    },
  };
}

/** Refuses values that have the same registers, or no length. */
function checkRegisters(registers: ServedRegisters, path: string): void {
  const mistakes = new Mistakes();
  for (const name of Object.keys(tables) as Table[]) {
    let end = 0;
    for (const { at, count, form } of entriesOf(name, registers)) {
      const place = keyPath(keyPath(path, name), String(at));
      if ((form.as === "string") !== (form.length !== undefined)) {
        mistakes.add(place, 'expected "length", the number of bytes, together with "as": "string" and only there');
      } else if (at < end)
        mistakes.add(place, `expected an address from ${end} on: the value before it has ${end - 1}, too`);
      else if (at + count > 65_536) mistakes.add(place, "expected an address whose value ends at 65535 or before");
      end = Math.max(end, at + count);
    }
  }
  mistakes.finish(undefined);
}

const address = () =>
  textThat(
    (text) => isListenAddress(text) && /^[0-9[]/.test(text),
    "an address such as 0.0.0.0:502 or [::]:502",
    new RegExp(`^(?:${ipv4Pattern}|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}$`),
  );

const networkPattern =
  `^(?:${ipv4Pattern}(?:/(?:[12]?[0-9]|3[0-2]))?|` +
  "(?=[^/]*:[^/]*:)[0-9A-Fa-f:.]+(?:/(?:[1-9]?[0-9]|1[01][0-9]|12[0-8]))?)$";

const network = () =>
  textThat(
    (text) => networkOf(text) !== undefined,
    "a network such as 192.0.2.0/24 or 2001:db8::/32",
    new RegExp(networkPattern),
  );

const ofLines = ["unit", "baud"] as const;

export function modbusServerSetting(): Setting<ModbusServerOptions> {
  const setting = record({
    listen: optional(() => oneOrMore(address())),
    device: optional(absolutePath),
    unit: optional(() => integer({ minimum: 1, maximum: 247 })),
    baud: optional(baud),
    may: optional(() =>
      oneOrMore(textOf(grantPattern, 'verbs and nouns as in a token file, such as "GET,POST heater"')),
    ),
    from: optional(() => oneOrMore(network())),
    registers: record({
      coil: optional(() => table(true)),
      discrete: optional(() => table(true)),
      holding: optional(() => table(false)),
      input: optional(() => table(false)),
    }),
  });
  return checked(setting, (options, path) => {
    const mistakes = new Mistakes();
    if (options.listen === undefined && options.device === undefined) {
      mistakes.add(
        keyPath(path, "listen"),
        'expected an address such as "0.0.0.0:502" without "device", found nothing',
      );
    }
    const ofLine = ofLines.find((one) => options[one] !== undefined);
    if (options.device === undefined && ofLine !== undefined) {
      mistakes.add(keyPath(path, ofLine), 'expected nothing without "device", a serial line');
    }
    mistakes.attempt(() => checkRegisters(options.registers, keyPath(path, "registers")));
    mistakes.finish(undefined);
  });
}

/**
 * @param isKnown says whether the shape of a noun is known here.
 * @returns a line for each register whose noun or key is missing, with its JSON path.
 */
export function registerMistakes(
  { registers }: ModbusServerOptions,
  nouns: NounDirectory,
  isKnown: (noun: string) => boolean = () => true,
): readonly string[] {
  const path = "$.modbusServer.registers";
  return (Object.keys(tables) as Table[]).flatMap((name) =>
    entriesOf(name, registers).flatMap(({ noun, key, at, form }) => {
      const place = keyPath(keyPath(path, name), String(at));
      const found = nouns.find(noun);
      if (found === undefined) return [`${place}: expected the name of a noun, found ${JSON.stringify(noun)}`];
      const { shape } = found.face;
      if (shape === undefined || !isKnown(noun)) return [];
      const declared = shape[key];
      if (declared === undefined) {
        return [`${place}: expected a key of ${noun}, ${Object.keys(shape).join(", ")}; found ${JSON.stringify(key)}`];
      }
      if (declared.type === "string" && form.as !== "string") {
        return [`${place}: expected "as": "string" for ${JSON.stringify(key)}, which is a text`];
      }
      return [];
    }),
  );
}

/** @returns a line on who may set what; "" if clients may only read. */
export function adviceOnModbus({ may = "GET *", listen = [], from }: ModbusServerOptions): string {
  const writes = (one: string) => grantOf("may", one).verbs.some((verb) => verb === "PUT" || verb === "POST");
  const nouns = [may]
    .flat()
    .filter(writes)
    .map((one) => one.replace(/^\S+ +/, ""));
  if (nouns.length === 0) return "";
  const who = from === undefined ? `everyone who reaches ${listen.join(", ") || "the line"}` : from.join(", ");
  return `modbusServer: Modbus has no passwords: ${who} can set ${nouns.join(", ")}`;
}
