/**
 * The page's view of each noun, from the device's Thing Description (W3C, 1.1), or from a state if there is no
 * description.
 */

import { calledBy } from "./pictures.ts";
import { isWorded, worded } from "./say.ts";
import { isObject, type JsonObject, member, type Scalar, type State, textOf } from "./scalar.ts";

/** Begins the names of nouns that move simulated hardware. */
export const simulatedPrefix = "simulated.";

/** @returns a name as people write it: `sinceEdge` is Since edge. */
export function humanize(name: string): string {
  const words = name
    .replace(/[._~-]+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/([a-z])([0-9])/g, "$1 $2")
    .trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** @returns the value to which a key returns by itself, `after` ms. With `renewed`, each setting begins the time again. */
function fallBackOf(given: JsonObject = {}) {
  const { to, after, renewed } = given;
  return isScalar(to) && typeof after === "number" ? { to, after, renewed: renewed === true } : undefined;
}

function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === "number" ? value : undefined;
}

/** @returns the values of a key if there are few; of two values, the second is on. */
function valuesOf({ type, enum: given, minimum, maximum }: JsonObject): readonly Scalar[] | undefined {
  if (Array.isArray(given)) return (given as readonly unknown[]).filter(isScalar);
  if (type === "boolean") return [false, true];
  return type === "integer" && minimum === 0 && maximum === 1 ? [0, 1] : undefined;
}

/** How the pattern of a time of day begins, whether or not it may also be one of the sun. */
const timePattern = /^\^\(*(?:\[01\]|0\[0-9\])/;

type Kind = "switch" | "choice" | "number" | "text" | "time";

/** A switch has the two values that its position shows. Two others are words, side by side. */
function kindOf({ type, pattern }: JsonObject, values: readonly Scalar[] | undefined, isReadOnly: boolean): Kind {
  if (values !== undefined) {
    const isPair = values.length === 2 && !values.includes(null);
    const isLevel = isReadOnly || /^(?:0,1|false,true|off,on)$/i.test(values.join());
    return isPair && isLevel ? "switch" : "choice";
  }
  if (typeof pattern === "string" && timePattern.test(pattern)) return "time";
  return type === "number" || type === "integer" ? "number" : "text";
}

function readKey(name: string, schema: JsonObject, isReadOnly: boolean, posted: unknown) {
  const { oneOf } = schema;
  const alternatives = Array.isArray(oneOf) ? (oneOf as readonly unknown[]).filter(isObject) : [];
  const own = alternatives.find(({ type }) => type !== "null") ?? schema;
  const title = textOf(schema, "title");
  const called = title ?? humanize(name);
  const values = valuesOf(own);
  const readOnly = isReadOnly || schema["readOnly"] === true;
  const kind = kindOf(own, values, readOnly);
  /** The key changes with time alone, without events: the age of something. */
  const isTimeDependent = schema["nound:timeDependent"] === true;
  /** Whether it only grows until a reset. */
  const isCounter = schema["nound:counts"] !== undefined;
  const unit = textOf(schema, "unit");
  const isDiagnostic = schema["nound:diagnostic"] === true;
  return {
    name,
    label: worded(called),
    /** Whether the label was given by a person and not made from the name. */
    isTitled: title !== undefined,
    /** Nound describes its own keys in English alone. */
    description: isWorded(called) ? undefined : textOf(schema, "description"),
    kind,
    unit,
    readOnly,
    nullable: alternatives.some(({ type }) => type === "null") || values?.includes(null) === true,
    isTimeDependent,
    /** For a number: whether it must be whole. */
    isInteger: own["type"] === "integer",
    minimum: numberOf(own, "minimum"),
    maximum: numberOf(own, "maximum"),
    /** The values of a switch (off, then on) or of a choice. */
    values: values ?? [],
    /** Whether POST accepts the key alone. */
    isPosted: JSON.stringify(posted) === JSON.stringify(schema),
    /** Words for values, by their text. */
    labels: objectOf(schema["nound:labels"]),
    /** A device class of Home Assistant. */
    deviceClass: textOf(schema, "nound:deviceClass"),
    isCounter,
    /** Whether it is what a meter shows. */
    isTotal: isCounter && !isDiagnostic && (unit !== undefined || !readOnly),
    isDiagnostic,
    /** Whether it counts presses of a button. */
    isPress: isCounter && /^(?:short|long|double)$/.test(name),
    /** Whether it is a measurement, of which the last day is worth a look. */
    isMeasured: kind === "number" && readOnly && !isCounter && !isTimeDependent,
    /** The part of a colour that it sets. */
    colour: textOf(schema, "nound:colour"),
    /** The key whose value is its largest. */
    fallsBack: fallBackOf(objectOf(schema["nound:fallsBack"])),
  };
}

/** Whether a key has two values that are no levels of a switch. */
export function isPair({ kind, values }: Key): boolean {
  return kind === "choice" && values.length === 2 && !values.includes(null);
}

/** Whether the words of a pair have room below a title. */
export function isShort(key: Key): boolean {
  const words = key.values.map((value) => textOf(key.labels, String(value)) ?? String(value));
  return isPair(key) && words.join("").length <= 12;
}

/** A key of a noun's state. */
export type Key = Readonly<ReturnType<typeof readKey>>;

function readKeys(property: JsonObject, isReadOnly: boolean, input: unknown): readonly Key[] | undefined {
  const { properties } = property;
  if (!isObject(properties)) return undefined;
  const posted = member(input, "properties");
  return Object.entries(properties).map(([name, schema]) =>
    readKey(name, objectOf(schema) ?? {}, isReadOnly, member(posted, name)),
  );
}

function hasOperation(property: JsonObject, operation: string): boolean {
  const { forms } = property;
  return Array.isArray(forms) && forms.some((form) => member(form, "op") === operation);
}

/** @returns a switch that opens a gate for as long as it is on: it is open or closed then, unless it has other words. */
function asOpening(key: Key): Key {
  const { kind, readOnly, labels, deviceClass, fallsBack } = key;
  const isPlain = kind === "switch" && !readOnly && (labels ?? deviceClass ?? fallsBack) === undefined;
  return isPlain ? { ...key, deviceClass: "opening" } : key;
}

function readNoun(name: string, property: JsonObject, actions: unknown, place: number) {
  const update = member(actions, `${name}.update`);
  const input = member(update, "input");
  const isPosted = update !== undefined;
  const isPut = hasOperation(property, "writeproperty");
  const isRead = hasOperation(property, "readproperty");
  const title = textOf(property, "title") ?? humanize(name);
  /** The name of a picture that its configuration chooses. */
  const icon = textOf(property, "nound:icon");
  /** Whether the page asks before it sends a change. */
  const isConfirmed = property["nound:ask"] === true;
  const isGate = isConfirmed && (icon ?? calledBy({ title, name })) === "door";
  const ownKeys = readKeys(property, !isPut && !isPosted, input);
  const keys = isGate ? ownKeys?.map(asOpening) : ownKeys;
  const required = member(input, "required");
  const isOnlyPosted = required === undefined && keys === undefined && !isPut && !isRead;
  const action = textOf(property, "nound:action") ?? (isOnlyPosted ? "Update" : undefined);
  const canReset = isPut || isPosted || keys === undefined || keys.some(({ isCounter }) => isCounter);
  return {
    name,
    title,
    description: textOf(property, "description"),
    /** Undefined if any key is allowed. */
    keys,
    isRead,
    isPut,
    isPosted,
    /** Whether DELETE changes anything. */
    isReset: canReset && member(actions, `${name}.reset`) !== undefined,
    /** What POST without keys does, if the client may send it. */
    action: isPosted ? action : undefined,
    /** The title of its group; "" for none. */
    group: textOf(property, "nound:group") ?? "",
    /** Whether it stands for hardware that a person moves by hand, where all hardware is simulated. */
    isSimulated: name.startsWith(simulatedPrefix),
    /** Of a thermostat, the key with the temperature that is: `noun/key`, or a key of its own. */
    climate: textOf(property["nound:climate"], "current"),
    icon,
    isConfirmed,
    /** Its rank: first by `order`, then by the place in the description. */
    order: numberOf(property, "nound:order") ?? 0,
    place,
    /** Conditions on other nouns, without which it is at its default. */
    guard: objectOf(property["nound:guard"]),
  };
}

export type Noun = Readonly<ReturnType<typeof readNoun>>;

/** @returns a simulated input with the words of the noun that it moves; any other noun as it is. */
function likeReal(noun: Noun, nouns: readonly Noun[]): Noun {
  const real = noun.isSimulated ? nouns.find(({ name }) => `${simulatedPrefix}${name}` === noun.name) : undefined;
  if (real === undefined) return noun;
  const keys = noun.keys?.map((key): Key => {
    const twin = real.keys?.find(({ name }) => name === key.name);
    return twin === undefined ? key : { ...key, labels: twin.labels, deviceClass: twin.deviceClass };
  });
  return { ...noun, title: real.title, group: real.group, keys };
}

/** @param description as parsed JSON, unchecked. @param title the default title. */
export function readDescription(description: unknown, title: string) {
  const properties = member(description, "properties");
  const actions = member(description, "actions");
  const names = new Set(isObject(properties) ? Object.keys(properties) : []);
  // A token may allow only an action of a noun.
  for (const action of isObject(actions) ? Object.keys(actions) : [])
    names.add(action.replace(/\.(update|reset)$/, ""));
  const nouns = Array.from(names, (name, place) =>
    readNoun(name, objectOf(member(properties, name)) ?? {}, actions, place),
  );
  const own = (name: string) => textOf(description, `nound:${name}`) ?? "";
  return {
    title: textOf(description, "title") ?? title,
    /** Whether no hardware is moved. */
    isSimulated: member(description, "nound:simulated") === true,
    version: own("version"),
    model: own("model"),
    kernel: own("kernel"),
    /** SHA-256 of the device's certificate, in hexadecimal; "" without one. */
    certificate: own("certificate"),
    nouns: nouns.map((noun) => likeReal(noun, nouns)),
  };
}

export type Description = Readonly<ReturnType<typeof readDescription>>;

/** @returns a view of a noun that no description lists: anything may be tried with it. */
export function undescribedNoun(name: string): Noun {
  const anything = { isRead: true, isPut: true, isPosted: true, isReset: true, isSimulated: false };
  return { ...readNoun(name, {}, undefined, Infinity), ...anything };
}

/** @returns the keys of a state without a known shape, with types from its current values. */
export function keysOf(state: State, { isPut, isPosted }: Noun): readonly Key[] {
  return Object.entries(state).map(([name, value]) =>
    readKey(name, { type: value === null ? "string" : typeof value }, !isPut && !isPosted, undefined),
  );
}
