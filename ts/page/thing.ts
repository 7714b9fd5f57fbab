/**
 * The page's view of each noun, from the device's Thing Description (W3C, 1.1), or from a state if there is no
 * description.
 */

import { say } from "./say.ts";
import { isObject, type JsonObject, member, type Scalar, type State, textOf } from "./scalar.ts";

/** A key of a noun's state. */
export interface Key {
  readonly name: string;
  readonly label: string;
  /** Whether the label was given by a person and not made from the name. */
  readonly isTitled: boolean;
  readonly description: string | undefined;
  readonly kind: "switch" | "choice" | "number" | "text";
  readonly unit: string | undefined;
  readonly readOnly: boolean;
  readonly nullable: boolean;
  /** The key changes with time alone, without events: the age of something. */
  readonly isTimeDependent: boolean;
  /** For a number: whether it must be whole. */
  readonly isInteger: boolean;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** The values of a switch (off, then on) or of a choice. */
  readonly values: readonly Scalar[];
  /** Whether POST accepts the key alone. */
  readonly isPosted: boolean;
  /** Words for values, by their text. */
  readonly labels: JsonObject | undefined;
  /** A device class of Home Assistant. */
  readonly deviceClass: string | undefined;
  /** Whether it only grows until a reset. */
  readonly isCounter: boolean;
  readonly isDiagnostic: boolean;
  /** Whether it is a measurement, of which the last hour is worth a look. */
  readonly isMeasured: boolean;
  /** The part of a colour that it sets. */
  readonly colour: string | undefined;
  /** The key whose value is its largest. */
  readonly shareOf: string | undefined;
  readonly fallsBack: FallBack | undefined;
}

/** A key returns by itself to a value, `after` ms. With `renewed`, each setting begins the time again. */
export interface FallBack {
  readonly to: Scalar;
  readonly after: number;
  readonly renewed: boolean;
}

/** Begins the names of nouns that move simulated hardware. */
export const simulatedPrefix = "simulated.";

export interface Noun {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  /** Undefined if any key is allowed. */
  readonly keys: readonly Key[] | undefined;
  readonly isRead: boolean;
  readonly isPut: boolean;
  readonly isPosted: boolean;
  /** Whether DELETE changes anything. */
  readonly isReset: boolean;
  /** What POST without keys does, if the client may send it. */
  readonly action: string | undefined;
  /** The title of its group; "" for none. */
  readonly group: string;
  /** Whether it stands for hardware that a person moves by hand, where all hardware is simulated. */
  readonly isSimulated: boolean;
  /** Its rank: first by `order`, then by the place in the description. */
  readonly order: number;
  /** Conditions on other nouns, without which it is at its default. */
  readonly guard: JsonObject | undefined;
  readonly place: number;
}

export interface Description {
  readonly title: string;
  /** Whether no hardware is moved. */
  readonly isSimulated: boolean;
  readonly version: string;
  readonly model: string;
  readonly kernel: string;
  /** SHA-256 of the device's certificate, in hexadecimal; "" without one. */
  readonly certificate: string;
  readonly nouns: readonly Noun[];
}

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

function fallBackOf(given: JsonObject = {}): FallBack | undefined {
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

function kindOf(type: unknown, values: readonly Scalar[] | undefined): Key["kind"] {
  if (values !== undefined) return values.length === 2 && !values.includes(null) ? "switch" : "choice";
  return type === "number" || type === "integer" ? "number" : "text";
}

function readKey(name: string, schema: JsonObject, isReadOnly: boolean, posted: unknown): Key {
  const { oneOf } = schema;
  const alternatives = Array.isArray(oneOf) ? (oneOf as readonly unknown[]).filter(isObject) : [];
  const own = alternatives.find(({ type }) => type !== "null") ?? schema;
  const values = valuesOf(own);
  const kind = kindOf(own["type"], values);
  const readOnly = isReadOnly || schema["readOnly"] === true;
  const isTimeDependent = schema["nound:timeDependent"] === true;
  const isCounter = schema["nound:counts"] !== undefined;
  return {
    name,
    label: textOf(schema, "title") ?? humanize(name),
    isTitled: textOf(schema, "title") !== undefined,
    description: textOf(schema, "description"),
    kind,
    unit: textOf(schema, "unit"),
    readOnly,
    nullable: alternatives.some(({ type }) => type === "null") || values?.includes(null) === true,
    isTimeDependent,
    isInteger: own["type"] === "integer",
    minimum: numberOf(own, "minimum"),
    maximum: numberOf(own, "maximum"),
    values: values ?? [],
    isPosted: JSON.stringify(posted) === JSON.stringify(schema),
    labels: objectOf(schema["nound:labels"]),
    deviceClass: textOf(schema, "nound:deviceClass"),
    isCounter,
    isDiagnostic: schema["nound:diagnostic"] === true,
    isMeasured: kind === "number" && readOnly && !isCounter && !isTimeDependent,
    colour: textOf(schema, "nound:colour"),
    shareOf: textOf(schema, "nound:shareOf"),
    fallsBack: fallBackOf(objectOf(schema["nound:fallsBack"])),
  };
}

function readKeys(property: JsonObject, isReadOnly: boolean, input: unknown): readonly Key[] | undefined {
  const { properties } = property;
  if (!isObject(properties)) return undefined;
  const posted = member(input, "properties");
  return Object.entries(properties).map(([name, schema]) =>
    readKey(name, isObject(schema) ? schema : {}, isReadOnly, member(posted, name)),
  );
}

function hasOperation(property: JsonObject, operation: string): boolean {
  const { forms } = property;
  return Array.isArray(forms) && forms.some((form) => member(form, "op") === operation);
}

function readNoun(name: string, property: JsonObject, actions: unknown, place: number): Noun {
  const update = member(actions, `${name}.update`);
  const input = member(update, "input");
  const isPosted = update !== undefined;
  const isPut = hasOperation(property, "writeproperty");
  const isRead = hasOperation(property, "readproperty");
  const keys = readKeys(property, !isPut && !isPosted, input);
  const required = member(input, "required");
  const isOnlyPosted = required === undefined && keys === undefined && !isPut && !isRead;
  const action = textOf(property, "nound:action") ?? (isOnlyPosted ? say("update") : undefined);
  const canReset = isPut || isPosted || keys === undefined || keys.some(({ isCounter }) => isCounter);
  return {
    name,
    title: textOf(property, "title") ?? humanize(name),
    description: textOf(property, "description"),
    keys,
    isRead,
    isPut,
    isPosted,
    isReset: canReset && member(actions, `${name}.reset`) !== undefined,
    action: isPosted ? action : undefined,
    group: textOf(property, "nound:group") ?? "",
    isSimulated: name.startsWith(simulatedPrefix),
    order: numberOf(property, "nound:order") ?? 0,
    guard: objectOf(property["nound:guard"]),
    place,
  };
}

/** @returns a simulated input with the words of the noun that it moves; any other noun as it is. */
function likeReal(noun: Noun, nouns: readonly Noun[]): Noun {
  const real = noun.isSimulated ? nouns.find(({ name }) => `${simulatedPrefix}${name}` === noun.name) : undefined;
  if (real === undefined) return noun;
  const keys = noun.keys?.map((key): Key => {
    const twin = real.keys?.find(({ name }) => name === key.name);
    return twin === undefined ? key : { ...key, labels: twin.labels, deviceClass: twin.deviceClass };
  });
  return { ...noun, title: real.title, keys };
}

/** @param description as parsed JSON, unchecked. @param title the default title. */
export function readDescription(description: unknown, title: string): Description {
  const properties = member(description, "properties");
  const actions = member(description, "actions");
  const names = new Set(isObject(properties) ? Object.keys(properties) : []);
  // A token may allow only an action of a noun.
  for (const action of isObject(actions) ? Object.keys(actions) : [])
    names.add(action.replace(/\.(update|reset)$/, ""));
  const nouns = Array.from(names, (name, place) => {
    const property = member(properties, name);
    return readNoun(name, isObject(property) ? property : {}, actions, place);
  });
  const isSimulated = member(description, "nound:simulated") === true;
  const own = (name: string) => textOf(description, `nound:${name}`) ?? "";
  return {
    title: textOf(description, "title") ?? title,
    isSimulated,
    version: own("version"),
    model: own("model"),
    kernel: own("kernel"),
    certificate: own("certificate"),
    nouns: nouns.map((noun) => likeReal(noun, nouns)),
  };
}

/** @returns a view of a noun that no description lists. */
export function undescribedNoun(name: string): Noun {
  return {
    name,
    title: humanize(name),
    description: undefined,
    keys: undefined,
    isRead: true,
    isPut: true,
    isPosted: true,
    isReset: true,
    action: undefined,
    group: "",
    isSimulated: false,
    order: 0,
    guard: undefined,
    place: Infinity,
  };
}

/** @returns the keys of a state without a known shape, with types from its current values. */
export function keysOf(state: State, { isPut, isPosted }: Noun): readonly Key[] {
  return Object.entries(state).map(([name, value]) =>
    readKey(name, { type: value === null ? "string" : typeof value }, !isPut && !isPosted, undefined),
  );
}
