/**
 * Counts the words that a person must know to configure nound, from docs/nound.schema.json and docs/: names of keys,
 * wherever they stand (a name counts once), the kinds, the limits, and the pages for users.
 *
 *     node tools/check/vocabulary.mjs
 */
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const docs = resolve(import.meta.dirname, "../../docs");

const readSchema = () => JSON.parse(readFileSync(resolve(docs, "nound.schema.json"), "utf8"));

/** `$schema` and `$comment` are words of JSON's editors. */
const isWord = (name) => !name.startsWith("$");

/** Adds the names of all properties in a schema. The condition of an `if` names no other key. */
function addNames(node, names) {
  if (typeof node !== "object" || node === null) return;
  for (const [keyword, inner] of Object.entries(node)) {
    if (keyword === "properties") for (const name of Object.keys(inner).filter(isWord)) names.add(name);
    const inners = ["properties", "patternProperties"].includes(keyword) ? Object.values(inner) : [inner];
    if (keyword !== "if") for (const one of inners) addNames(one, names);
  }
}

/** @returns the names of all keys that a configuration may have. */
export function keyNames() {
  const keys = new Set();
  addNames(readSchema(), keys);
  return keys;
}

/** @returns how many key names, kinds, limits and pages there are. */
export function vocabulary() {
  const { nouns, limits } = readSchema().properties;
  return {
    keys: keyNames().size,
    kinds: nouns.additionalProperties.properties.kind.enum.length,
    limits: Object.keys(limits.properties).filter(isWord).length,
    pages: readdirSync(docs).filter((name) => name.endsWith(".md")).length,
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(vocabulary());
