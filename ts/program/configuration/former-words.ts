/**
 * The kinds of nouns that earlier versions had, and the nouns that take their places: for the message of `--check`, and
 * for `npx nound migrate`. It goes with 1.0.
 */
import { channelOf, factorOf } from "../../hardware/open/quantities.ts";
import type { Json, JsonObject } from "../../settings/json.ts";

/** @returns the object without the keys that are undefined. */
function without(object: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** A key that the sensor has anyway is left out. */
const keyBut = (usual: string, key: Json | undefined) => (key === usual ? undefined : key);

/** The unit of a channel of Industrial I/O in the kernel's document, where people use another one. */
function unitBefore(unit: string | undefined, factor: number): string | undefined {
  if (factor === 0.001) return `m${unit}`;
  return factor === 10 ? "kPa" : factor === 10_000 ? "%" : unit;
}

/** A converter's value was in the kernel's unit. @returns the same value. */
function converter({ channel, key = "value", scale = 1, unit, offset, ...rest }: JsonObject): JsonObject {
  const measured = channelOf(String(channel));
  const factor = factorOf(measured, "iio");
  const { key: usual, unit: now } = measured.quantity;
  const same = Math.round((Number(scale) / factor) * 1e9) / 1e9;
  const old = unit ?? (scale === 1 ? unitBefore(now, factor) : undefined);
  return without({
    ...rest,
    channel,
    key: keyBut(usual, key),
    scale: same === 1 ? undefined : same,
    unit: same === 1 && old === now ? undefined : old,
    offset,
    raw: true,
  });
}

function chip({ chip: name, device = name, channel, quantity = "temp", ...rest }: JsonObject): JsonObject {
  const isNumbered = /^[a-z]+[0-9]+$/.test(String(channel));
  return {
    device: device as Json,
    channel: isNumbered || quantity === "temp" ? (channel as Json) : `${quantity} ${channel}`,
    ...rest,
  };
}

const kinds: { readonly [kind: string]: (noun: JsonObject) => JsonObject } = {
  adc: converter,
  hwmon: chip,
  thermal: ({ type, key, ...rest }) => without({ device: type, channel: "temp", key: keyBut("celsius", key), ...rest }),
  w1: ({ id = "/sys/bus/w1/devices", key, ...rest }) => without({ device: id, key: keyBut("celsius", key), ...rest }),
  "power-supply": ({ device = "/sys/class/power_supply", ...rest }) => ({ device, ...rest }),
};

/** @returns the noun that takes the place of one of a former kind; undefined of any other. */
export function successor({ kind, ...noun }: JsonObject): JsonObject | undefined {
  const convert = typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return convert && { kind: "sensor", ...convert(noun) };
}

/** @returns what to write in the place of a noun of a former kind, as a sentence; undefined of any other. */
export function successorSentence(noun: JsonObject): string | undefined {
  const next = successor(noun);
  return next && `expected the kind that took the place of ${JSON.stringify(noun["kind"])}: ${JSON.stringify(next)}`;
}

/** @returns the configuration with nouns of today's kinds, and the names of those that were converted. */
export function migrated(configuration: JsonObject): {
  readonly result: JsonObject;
  readonly changed: readonly string[];
} {
  const { nouns } = configuration;
  if (typeof nouns !== "object" || nouns === null || Array.isArray(nouns))
    return { result: configuration, changed: [] };
  const changed: string[] = [];
  const entries = Object.entries(nouns as JsonObject).map(([name, noun]): [string, Json] => {
    const next =
      typeof noun === "object" && noun !== null && !Array.isArray(noun) ? successor(noun as JsonObject) : undefined;
    if (next !== undefined) changed.push(name);
    return [name, next ?? noun];
  });
  return { result: { ...configuration, nouns: Object.fromEntries(entries) }, changed };
}
