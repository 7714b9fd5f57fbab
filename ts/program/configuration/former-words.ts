/**
 * What earlier versions called otherwise, and what takes its place: for the messages of `--check`, and for
 * `npx nound migrate`. What has another name alone is still read. It goes with 1.0.
 */
import { defaultLimits } from "../../core/server/options.ts";
import { measuredBy } from "../../hardware/open/converter-channel.ts";
import type { Json, JsonObject } from "../../settings/json.ts";
import { entriesOf } from "../../settings/json-entries.ts";
import { servedDocuments } from "../../settings/served-documents.ts";
import { isList, isObject, keyPath } from "../../settings/setting.ts";

/** What takes the place of a key: other keys with their values; or why nothing does, as a clause. */
type Successor = JsonObject | string;

/** @returns the successor of a key with its value in an object; undefined if the key stays as it is. */
type Renew = (value: Json, object: JsonObject) => Successor | undefined;

type Words = { readonly [key: string]: Renew };

/** One former word of a configuration. */
export interface FormerWord {
  /** The JSON path of the key. */
  readonly path: string;
  /** What to write in its place. */
  readonly sentence: string;
  /** Whether it is read all the same: it means what its successor does. */
  readonly isRead: boolean;
}

/** Keys that have another unit now, or are of before 0.2: they have a successor, and are refused. */
const refused = ["debounce", "keepAlive", "period", "default", "debug", "connections", "operationTime"];

/** @returns the object without the keys that are undefined. */
function without(object: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** A key that has another name, and the same values. */
const renamed =
  (name: string): Renew =>
  (value) => ({ [name]: value });

/** A key that went. @param why a clause. */
const gone =
  (why: string): Renew =>
  () =>
    why;

/** A key that the sensor has anyway is left out. */
const keyBut = (usual: string, key: Json | undefined) => (key === usual ? undefined : key);

/** The unit of a channel of Industrial I/O in the kernel's document, where people use another one. */
function unitBefore(unit: string | undefined, factor: number): string | undefined {
  if (factor === 0.001) return `m${unit}`;
  return factor === 10 ? "kPa" : factor === 10_000 ? "%" : unit;
}

/** A converter's value was in the kernel's unit. @returns the same value. */
function converter({ channel, key = "value", scale = 1, unit, offset, ...rest }: JsonObject): JsonObject {
  const { key: usual, unit: now, factor } = measuredBy(String(channel));
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

/** The kinds that went, each with the options of the sensor in its place. */
const sensors: { readonly [kind: string]: (noun: JsonObject) => JsonObject } = {
  adc: converter,
  hwmon: chip,
  thermal: ({ type, key, ...rest }) => without({ device: type, channel: "temp", key: keyBut("celsius", key), ...rest }),
  w1: ({ id = "/sys/bus/w1/devices", key, ...rest }) => without({ device: id, key: keyBut("celsius", key), ...rest }),
  system: ({ zone: _, temperature: __, ...rest }) => ({ device: "system", ...rest }),
  "power-supply": ({ device = "/sys/class/power_supply", ...rest }) => ({ device, ...rest }),
};

const onePerConnection = gone("a connection performs one request at a time");

/** ms: the default of the process, whose module a program of Node cannot load. */
const nounBusyTime = 1_000;

/** The limits that are constants now, also by their names before 0.2. */
const limits: Words = {
  ...Object.fromEntries(
    Object.entries({ ...defaultLimits, nounBusyTime }).map(([name, value]) => [name, gone(`it is always ${value}`)]),
  ),
  stateBytes: gone("it is always four times bodyBytes"),
  connections: renamed("maxConnections"),
  operationTime: renamed("nounTimeout"),
  headTime: gone(`it is always ${defaultLimits.headersTimeout}`),
  bodyTime: gone(`it is always ${defaultLimits.bodyTimeout}`),
  idleTime: gone(`it is always ${defaultLimits.keepAliveTimeout}`),
  answerTime: gone(`it is always ${defaultLimits.sendTimeout}`),
  busyTime: gone(`it is always ${nounBusyTime}`),
  closeTime: gone(`it is always ${defaultLimits.shutdownTimeout}`),
  pipeline: onePerConnection,
  maxPipelined: onePerConnection,
};
for (const name of ["maxConnections", "tlsConnections", "maxStreams", "bodyBytes", "nounTimeout"]) {
  delete (limits as { [name: string]: Renew })[name];
}

const chosenBySystem = gone("nound finds out how a line is reached");

/** A Unix socket was an object, too. */
function listenText(value: Json): Json {
  if (!isObject(value) || value["unix"] === undefined) return value;
  const { unix, mode, group } = value;
  return `unix:${unix}${mode === undefined ? "" : `,mode=${mode}`}${group === undefined ? "" : `,group=${group}`}`;
}

/** Switches of documents, and numbers of changes and bytes, are one list. */
const documents: Renew = (_, { documents: given = {}, changes, history }) => {
  const numbers: { readonly [name: string]: Json | undefined } = { changes, history };
  const isOn = (name: string) =>
    isList(given)
      ? given.some((one) => String(one).split(" ")[0] === name) || (numbers[name] ?? 0) !== 0
      : !isObject(given) || given[name] !== false;
  return {
    documents: servedDocuments
      .filter((name) => isOn(name) && numbers[name] !== 0)
      .map((name) => (numbers[name] === undefined ? name : `${name} ${numbers[name]}`)),
  };
};

const top: Words = {
  address: renamed("url"),
  documents: (value, object) => (isObject(value) ? documents(value, object) : undefined),
  changes: documents,
  history: documents,
  gpioBackend: chosenBySystem,
  listen(value) {
    const texts = isList(value) ? value.map(listenText) : listenText(value);
    return JSON.stringify(texts) === JSON.stringify(value) ? undefined : { listen: texts };
  },
  location: (value) => (isObject(value) ? { location: `${value["latitude"]},${value["longitude"]}` } : undefined),
  debug: (value) => ({ log: value === true ? "requests" : "none" }),
};

/** @returns Hz. @param period ns. */
const frequencyOf = (period: Json | undefined) => Number((1e9 / Number(period)).toPrecision(9));

/** A signal in ns is one in µs. */
function signal({ period, duty, ...rest }: JsonObject): JsonObject {
  const pulse = { microseconds: Number(duty) / 1_000, ...rest };
  return without({ frequency: period === undefined ? undefined : frequencyOf(period), pulse: true, default: pulse });
}

const lineWords: Words = { backend: chosenBySystem };

/** The rate of a serial line has the form of a character behind it. */
const serialLine: Renew = (_, { baud = 9_600, parity = "none", stopBits = 1, rs485 = false }) => {
  const letter = String(parity).slice(0, 1).toUpperCase();
  const form = letter === "N" && stopBits === 1 && rs485 !== true ? "" : ` 8${letter}${stopBits}`;
  return { baud: form === "" ? baud : `${baud}${form}${rs485 === true ? " rs485" : ""}` };
};
const serialWords: Words = { parity: serialLine, stopBits: serialLine, rs485: serialLine };

const twoValues: Renew = (_, { off = 0, on = 1 }) => ({ values: [off, on] });

/** The times of presses stand in the text that has them counted. */
const pressTimes: Renew = (_, { longPress, doublePress }) => {
  const double = doublePress === 0 ? undefined : doublePress;
  const texts = Object.entries({ long: longPress, double }).filter(([, time]) => time !== undefined);
  return { presses: texts.length === 0 ? true : texts.map(([name, time]) => `${name} ${time}`).join(" ") };
};
const pressWords: Words = { longPress: pressTimes, doublePress: pressTimes };

/** The former words of every noun, and those of some kinds. */
const kinds: { readonly [kind: string]: Words } = {
  "gpio-output": lineWords,
  "gpio-input": {
    ...lineWords,
    ...pressWords,
    debounce: (value) => (Number(value) > 999 ? { debounce: Number(value) / 1_000 } : undefined),
  },
  input: { ...pressWords, code: renamed("channel") },
  switch: { off: twoValues, on: twoValues },
  value: { pairs: gone("a state has at most 64 keys") },
  cover: { overrun: gone("it is always 10") },
  sysfs: {
    text: (value) => (value === true ? { as: "string" } : "an attribute is a number unless another word says so"),
    mayBeAbsent: gone("each attribute may be absent, as a sensor may"),
  },
  modbus: {
    ...serialWords,
    gap: (value, { most }) => ({ most: most === undefined ? `gap ${value}` : `${most} gap ${value}` }),
  },
  mirror: { of: renamed("url") },
  webhook: {
    method: (value, { url }) =>
      value === "POST" ? "POST is the method if the url has none" : { url: `${value} ${url}` },
    text: renamed("key"),
  },
  pwm: {
    period: (value) => ({ frequency: frequencyOf(value) }),
    default: (value) => (isObject(value) && "duty" in value ? signal(value) : undefined),
  },
};

const isPlain = gone("it is so without the word");

/** The former words of a key, in `keys` and in a `shape`. */
const keyWords: Words = {
  maximumLength: renamed("maximum"),
  optional: (value) => (value === true ? { required: false } : isPlain(value, {})),
  diagnostic: (value) => (value === true ? { kind: "diagnostic" } : isPlain(value, {})),
  colour: renamed("kind"),
  read: (value, { at = 0 }) => ({ at: `${value} ${at}` }),
};

const tlsWords: Words = { name: renamed("server") };

/** The former words of objects in a noun. */
const within: { readonly [key: string]: Words } = {
  open: lineWords,
  close: lineWords,
  button: lineWords,
  total: { each: renamed("scale") },
  rate: { factor: renamed("scale") },
  homeAssistant: { component: renamed("platform") },
  tls: tlsWords,
};

const mqtt: Words = {
  broker: renamed("server"),
  groups: renamed("group"),
  spread: renamed("startDelay"),
  // s were given, of which there are fewer than ms.
  keepAlive: (value) => (Number(value) <= 1_200 ? { keepAlive: 1_000 * Number(value) } : undefined),
};

/** @returns the text of entries, to be pasted into an object. */
function pasted(entries: JsonObject): string {
  return JSON.stringify(entries).slice(1, -1).replaceAll('":', '": ').replaceAll(',"', ', "');
}

function sentenceOf(key: string, next: Successor): string {
  if (typeof next === "string") return `expected nothing any more, because ${next}; leave it out`;
  return `expected what took the place of "${key}": ${pasted(next)}`;
}

/** Few ms are µs in a configuration with former words: nothing else tells them apart. */
const microseconds: Words = {
  debounce: (value) => (Number(value) > 0 ? { debounce: Number(value) / 1_000 } : undefined),
};

/** The former words of a configuration, and what it is without them. */
class Renewal {
  readonly words: FormerWord[] = [];
  private readonly isOld: boolean;

  /** @param isOld whether the configuration has former words: then a short `debounce` is one, too. */
  constructor(isOld: boolean) {
    this.isOld = isOld;
  }

  /** @returns the object with each key that has a successor replaced by it. */
  object(object: JsonObject, path: string, words: Words): JsonObject {
    const renewed: { [key: string]: Json } = {};
    const successors: { [key: string]: Json } = {};
    for (const [key, value] of entriesOf(object)) {
      const next = Object.hasOwn(words, key) ? words[key]?.(value, object) : undefined;
      if (next === undefined) renewed[key] = value;
      else {
        const isRead = typeof next !== "string" && !refused.includes(key);
        this.words.push({ path: keyPath(path, key), sentence: sentenceOf(key, next), isRead });
        if (typeof next === "string") continue;
        Object.assign(renewed, next);
        Object.assign(successors, next);
      }
    }
    return Object.assign(renewed, successors);
  }

  /** @returns the value, if it is an object, with what `renew` makes of it. */
  inner(object: JsonObject, key: string, renew: (inner: JsonObject) => JsonObject): JsonObject {
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    return inner !== undefined && isObject(inner) ? { ...object, [key]: renew(inner) } : object;
  }

  noun(noun: JsonObject, path: string): JsonObject {
    const { kind, ...options } = noun;
    const convert = typeof kind === "string" && Object.hasOwn(sensors, kind) ? sensors[kind] : undefined;
    if (convert === undefined) return this.ofToday(noun, path);
    const next = new Renewal(this.isOld).ofToday({ kind: "sensor", ...convert(options) }, path);
    const sentence = `expected the kind that took the place of ${JSON.stringify(kind)}: ${JSON.stringify(next)}`;
    this.words.push({ path: keyPath(path, "kind"), sentence, isRead: false });
    return next;
  }

  /** @returns a noun of a kind that is still there, with the options of today. */
  private ofToday(noun: JsonObject, path: string): JsonObject {
    const { kind } = noun;
    const ofKind = typeof kind === "string" && Object.hasOwn(kinds, kind) ? kinds[kind] : {};
    const renewed = Object.entries(within).reduce(
      (renewed, [name, words]) => this.inner(renewed, name, (inner) => this.object(inner, keyPath(path, name), words)),
      this.object(noun, path, { ...ofKind, ...(this.isOld && kind === "gpio-input" && microseconds) }),
    );
    return ["keys", "shape"].reduce(
      (renewed, name) =>
        this.inner(renewed, name, (keys) =>
          this.each(keys, keyPath(path, name), (key, place) => this.object(key, place, keyWords)),
        ),
      renewed,
    );
  }

  /** @returns an object with what `renew` makes of each object in it. */
  private each(object: JsonObject, path: string, renew: (inner: JsonObject, path: string) => JsonObject): JsonObject {
    return Object.fromEntries(
      entriesOf(object).map(([name, inner]) => [name, isObject(inner) ? renew(inner, keyPath(path, name)) : inner]),
    );
  }

  configuration(configuration: JsonObject): JsonObject {
    const inner = { limits, mqtt, tls: tlsWords, modbusServer: serialWords };
    const renewed = Object.entries(inner).reduce(
      (renewed, [name, words]) => this.inner(renewed, name, (one) => this.object(one, keyPath("$", name), words)),
      this.object(configuration, "$", top),
    );
    const broker = this.inner(renewed, "mqtt", (one) =>
      this.inner(one, "tls", (tls) => this.object(tls, "$.mqtt.tls", tlsWords)),
    );
    return this.inner(broker, "nouns", (nouns) => this.each(nouns, "$.nouns", (noun, path) => this.noun(noun, path)));
  }
}

/** @returns the configuration with the words of today, and the former words that it has. */
export function migrated(configuration: JsonObject): {
  readonly result: JsonObject;
  readonly former: readonly FormerWord[];
} {
  const first = new Renewal(false);
  const result = first.configuration(configuration);
  if (first.words.length === 0) return { result, former: [] };
  const renewal = new Renewal(true);
  return { result: renewal.configuration(configuration), former: renewal.words };
}

/** @returns the mistakes of a configuration; those about its former words say what took their places. */
export function withFormerWords(mistakes: readonly string[], former: readonly FormerWord[]): readonly string[] {
  const isAt = (mistake: string, path: string) => mistake.startsWith(`${path}: `);
  const others = mistakes.filter((mistake) => !former.some(({ path }) => isAt(mistake, path)));
  return [...former.map(({ path, sentence }) => `${path}: ${sentence}`), ...others];
}
