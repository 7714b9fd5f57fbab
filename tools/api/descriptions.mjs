/**
 * What the pages of docs/ say of each key, in their tables: descriptions for editors and for LuCI's forms. The words
 * are written once, on the page.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

const read = (page) => readFileSync(resolve(root, "docs", page), "utf8");

/** The tables of a page, each with the headings above it. @returns [{ section, heading, header, rows }, ...] */
function tablesOf(page) {
  const tables = [];
  let section = "";
  let heading = "";
  let table;
  for (const line of read(page).split("\n")) {
    if (/^#+ /.test(line)) heading = line.replace(/^#+ /, "");
    if (line.startsWith("## ")) section = heading;
    if (!line.startsWith("|")) {
      table = undefined;
      continue;
    }
    const cells = line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    if (table === undefined) {
      table = { section, heading, header: cells, rows: [] };
      tables.push(table);
    } else if (!/^-+$/.test(cells[0])) table.rows.push(cells);
  }
  return tables;
}

/** @returns the text of a cell without the marks of Markdown. */
function plain(cell) {
  return cell
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/`|\*\*/g, "")
    .replace(/\\\|/g, "|");
}

const named = (cell) => [...cell.matchAll(/`"?([A-Za-z0-9-]+)"?`/g)].map(([, name]) => name);
const rowsOf = (tables) =>
  tables.flatMap(({ rows }) => rows.flatMap(([names, text]) => named(names).map((name) => [name, plain(text)])));

/**
 * @returns a Map of the keys that some tables describe, the first table before the others. A cell that refers to
 * another table has what that one says.
 */
function described(tables, ...others) {
  const words = new Map();
  for (const [name, text] of rowsOf(tables)) {
    const isReference = /^as (?:above|for an? |for sensors|in keys)/.test(text);
    const found = isReference ? others.map((other) => other.get(name)).find((one) => one !== undefined) : text;
    if (found !== undefined && !words.has(name)) words.set(name, found);
  }
  return words;
}

/** Adds descriptions to some properties that have none. */
function describe(properties = {}, words) {
  for (const [key, node] of Object.entries(properties))
    if (words.has(key) && !("description" in node)) node.description = words.get(key);
}

/** Options have a column for what is so if they are left out; keys of a state have none. */
const isOfOptions = ({ header: [first, , third] }) => first === "key" && /^(?:if left out|default)/.test(third ?? "");

/** @returns the schema of the configuration with descriptions. */
export function withDescriptions(plainSchema) {
  const schema = structuredClone(plainSchema);
  const { properties } = schema;
  const nouns = tablesOf("nouns.md");
  const configuration = tablesOf("configuration.md");
  const keysOf = (tables, keys) => described(tables.filter(({ header: [first] }) => keys.includes(plain(first))));

  const ofSections = (table) => Object.keys(properties).some((key) => table.heading === `\`${key}\``);
  describe(properties, described(configuration.filter((table) => table.header[0] === "key" && !ofSections(table))));
  for (const [key, node] of Object.entries(properties))
    describe(node.properties, described(configuration.filter((table) => table.heading === `\`${key}\``)));
  describe(properties.mqtt.properties, described(tablesOf("home-assistant.md").filter(isOfOptions)));
  const tls = described(tablesOf("security.md").filter(isOfOptions));
  for (const holder of [properties, properties.mqtt.properties]) describe(holder.tls.properties, tls);

  const common = described(nouns.filter(({ section }) => section === "Titles, descriptions and units"));
  const ofAnyKey = described(
    nouns.filter(({ header: [first] }) => first === "key of a key"),
    common,
  );
  // A kind may refer to another one, whatever that is called.
  const [, sensors = ""] = read("nouns.md").split("\n## What sensors have in common\n");
  const ofSensors = new Map(
    [...sensors.split("\n## ")[0].matchAll(/^`(\w+)` is (.*?)\.\s/gms)].map(([, key, text]) => [key, text]),
  );
  const ofAnyKind = described(nouns.filter(({ section }) => section.startsWith('`"kind"')).filter(isOfOptions));
  const { kind } = properties.nouns.additionalProperties.properties;
  const kinds = described(configuration.filter(({ header: [first] }) => first === "`kind`"));
  kind.enumDescriptions = kind.enum.map((one) => kinds.get(one) ?? "");
  for (const { if: condition, then } of properties.nouns.additionalProperties.allOf) {
    const { const: kind } = condition.properties.kind;
    const tables = nouns.filter(({ section }) => section === `\`"kind": "${kind}"\``);
    const own = described(tables.filter(isOfOptions), ofSensors, ofAnyKind, common);
    describe(then.properties, new Map([...common, ...own]));
    for (const [key, node] of Object.entries(then.properties)) {
      const words = key === "tls" ? tls : keysOf(nouns, [`key of ${key}`]);
      describe(node.properties, words);
    }
    const ofKeys = keysOf(tables, ["key of a key", "key of a value"]);
    describe(then.properties.keys?.additionalProperties.properties, new Map([...ofAnyKey, ...ofKeys]));
  }
  return schema;
}
