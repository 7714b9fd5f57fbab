/**
 * `nound help NAME`: prints what a key, a kind, a limit or a name of the API is: the descriptions of the
 * configuration's schema, and the declarations of the package with their comments.
 */

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fail } from "../tools/build/configuration.mjs";

const root = resolve(import.meta.dirname, "..");

/** The values that a key takes, as far as its schema is one word. */
function valuesOf({ type, enum: choices, minimum, maximum, default: usual }) {
  const range = minimum > Number.MIN_SAFE_INTEGER || maximum < Number.MAX_SAFE_INTEGER;
  const values = choices?.map((one) => JSON.stringify(one)).join(", ") ?? [type ?? []].flat().join(" or ");
  const parts = [
    values,
    range ? `${minimum ?? ""} to ${maximum ?? ""}` : "",
    usual === undefined ? "" : "if left out:",
  ];
  const text = parts.filter((part) => part !== "").join(", ");
  return usual === undefined ? text : `${text} ${JSON.stringify(usual)}`;
}

/** Calls `found` for each key in a schema, with its place: `mqtt`, `keys.KEY`. The condition of an `if` names no other. */
function walk(schema, place, found) {
  if (typeof schema !== "object" || schema === null) return;
  const below = (key) => (place === "" ? key : `${place}.${key}`);
  for (const [keyword, inner] of Object.entries(schema)) {
    if (keyword === "properties") {
      for (const [key, node] of Object.entries(inner)) {
        found(key, node, place);
        // The kinds of nouns are walked one by one.
        if (key !== "nouns") walk(node, below(key), found);
      }
    } else if (keyword !== "if") walk(inner, keyword === "additionalProperties" ? below("KEY") : place, found);
  }
}

/** @returns the lines about a key, one for each meaning, with the places that have it. */
function keyLines(schema, name) {
  const places = new Map();
  const found = (kind) => (key, node, place) => {
    if (key !== name) return;
    const text = [node.description, valuesOf(node)].filter((part) => part).join("; ");
    if (!places.has(text)) places.set(text, new Map());
    const kinds = places.get(text).get(place) ?? new Set();
    places.get(text).set(place, kinds.add(kind));
  };
  walk(schema, "", found());
  const { properties, allOf } = schema.properties.nouns.additionalProperties;
  for (const { if: condition, then } of allOf) walk(then, "", found(condition.properties.kind.const));
  const where = ([place, kinds]) => {
    const all = kinds.size === properties.kind.enum.length ? ["every noun"] : [...kinds].map((kind) => kind ?? "");
    const holders = all.map((kind) => (kind === "" ? "the configuration" : kind)).join(", ");
    return place === "" ? holders : `${place} of ${holders}`;
  };
  return Array.from(places, ([text, held]) => `${name}: ${text}\n  in ${Array.from(held, where).join("; ")}`);
}

/** @returns the line about a kind, and one for each of its keys. */
function kindLines({ properties: { nouns } }, name) {
  const { enum: kinds, enumDescriptions } = nouns.additionalProperties.properties.kind;
  const index = kinds.indexOf(name);
  if (index < 0) return [];
  const { then } = nouns.additionalProperties.allOf.find(({ if: { properties } }) => properties.kind.const === name);
  const keys = Object.entries(then.properties).filter(([key]) => key !== "kind" && key !== "$comment");
  const lines = keys.map(([key, node]) => `  ${key}: ${node.description ?? valuesOf(node)}`);
  return [[`"kind": "${name}": ${enumDescriptions[index]}`, ...lines].join("\n")];
}

/** The members that nobody may use, with their comments. */
const privateMembers = /^ +(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n +)?private .*\n/gm;

/** @returns the declaration of a name that a file exports, its own or another file's; undefined if it exports none. */
function declarationIn(file, name) {
  const text = readFileSync(file, "utf8");
  const declared = new RegExp(
    `(?:^/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?^export (?:declare )?` +
      `(?:(?:abstract )?class|const|function|interface|type) ${name}\\b(?:[^;]*?\\{\\n[\\s\\S]*?\\n\\}|[\\s\\S]*?);?$`,
    "m",
  );
  const own = declared.exec(text)?.[0].replace(privateMembers, "");
  if (own !== undefined) return own;
  for (const [, names, path] of text.matchAll(/^(?:ex|im)port (?:type )?\{([^}]*)\} from "(.*)\.ts";$/gm)) {
    if (names.split(",").some((one) => one.replace("type ", "").trim() === name))
      return declarationIn(resolve(dirname(file), `${path}.d.ts`), name);
  }
  return undefined;
}

/** @returns the declaration of a name of the API, with its comment; nothing for any other name. */
function declarationOf(name) {
  const doors = ["nound", "testing"].map((door) => resolve(root, `build/package/types/${door}.d.ts`));
  return doors.flatMap((door) => declarationIn(door, name) ?? []).slice(0, 1);
}

/** @returns what `name` means: as a kind, as a key or a limit, and in the API. */
export function explanations(name) {
  if (!/^[\w-]+$/.test(name)) return [];
  const schema = JSON.parse(readFileSync(resolve(root, "docs/nound.schema.json"), "utf8"));
  return [...kindLines(schema, name), ...keyLines(schema, name), ...declarationOf(name)];
}

/** @param args a name. Without one, the caller prints the list of commands. */
export function printHelp([name]) {
  const parts = explanations(name);
  if (parts.length === 0)
    fail(`${name} is no key, kind or limit of a configuration, and no name of the API; docs/README.md is the map`);
  console.log(parts.join("\n\n"));
}
