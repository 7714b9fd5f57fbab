/**
 * The keys of docs/nound.schema.json for OpenWrt: uci-keys.awk, by which uci-to-json.awk makes JSON of UCI, and
 * keys.js, by which LuCI's page makes its forms. `node packaging/openwrt-keys.mjs FOLDER` writes both into a copy of
 * packaging/, where `npm run dist` needs them.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, "../docs/nound.schema.json"), "utf8"));

/** Keys that UCI has in another way: its own comments, and sections for nouns. */
const notOptions = ["$schema", "$comment", "nouns"];

/** @returns the schema itself, where it refers to another one. */
function resolved(node) {
  return node.$ref === undefined ? node : schema.definitions[node.$ref.split("/").pop()];
}

/** @returns the forms that a value may have. */
function formsOf(node) {
  const { anyOf, ...form } = resolved(node);
  const forms = anyOf === undefined ? [form] : anyOf.flatMap(formsOf);
  return [...new Map(forms.map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * @returns {Record<string, object>} the keys of an object, those of all its variants together: a shape has other keys
 * for a number than for a choice.
 */
function propertiesOf(form) {
  const variants = (form.allOf ?? []).map(({ then }) => then?.properties ?? {});
  const all = {};
  for (const properties of [form.properties ?? {}, ...variants])
    for (const [key, node] of Object.entries(properties))
      if (!notOptions.includes(key)) all[key] = key in all ? { anyOf: [all[key], node] } : node;
  return all;
}

const isObject = (node) => formsOf(node).some(({ type }) => type === "object");

/** @returns the schema of the values of a map, whose keys are not fixed; undefined of any other object. */
function mapped({ additionalProperties }) {
  return typeof additionalProperties === "object" ? resolved(additionalProperties) : undefined;
}

/** @returns whether a map has an object with fixed keys for each of its keys, as `keys` and `shape` have. */
function isMapOfRecords(node) {
  const inner = mapped(resolved(node));
  return inner !== undefined && Object.keys(propertiesOf(inner)).length > 0;
}

/** @returns whether an object has a noun's name, a key of its state, and a value or a comparison, as a guard has. */
function isConditions(form) {
  const values = mapped(mapped(form) ?? {});
  return values !== undefined && formsOf(values).some(({ type }) => type === "object");
}

/** @returns the pattern of an action, such as `PUT lamp`, that has a state. */
function actionOf({ patternProperties = {} }) {
  const [, state] = Object.entries(patternProperties).find(([pattern]) => pattern.includes(" ")) ?? [];
  return state;
}

/** @returns the letter of a scalar: a text, a number, a boolean, or what JSON would read. */
function letterOf(forms) {
  const types = new Set(
    forms.flatMap(({ type, enum: values, const: only }) =>
      values !== undefined || only !== undefined ? (values ?? [only]).map((value) => typeof value) : (type ?? "any"),
    ),
  );
  const simple = [...types].map((type) => (type === "integer" ? "number" : type));
  const kinds = [...new Set(simple)].sort().join(" ");
  return { "": "", string: "s", number: "n", boolean: "b", "boolean string": "bs" }[kinds] ?? "x";
}

/** The keys of objects, each of the same keys once: their table's number by its text. */
const tables = new Map();

function numberOf(text) {
  if (!tables.has(text)) tables.set(text, tables.size + 1);
  return tables.get(text);
}

const tableOf = (entries) => entries.map(([key, code]) => `${key}=${code}`).join(" ");

/** @returns the type of an object: a letter for how UCI writes it, and the number of the table of its keys. */
function objectCode(form) {
  if (isConditions(form)) {
    const values = formsOf(mapped(mapped(form)));
    const words = values.filter(({ type }) => type === "object").flatMap((one) => Object.entries(propertiesOf(one)));
    const codes = words.map(([word, node]) => [word, String(resolved(node).enum) === "true" ? "!" : codeOf(node)]);
    const scalar = letterOf(values.filter(({ type }) => type !== "object"));
    return `?${numberOf(tableOf([[".", scalar], ...new Map(codes)]))}`;
  }
  const state = actionOf(form);
  if (state !== undefined) return `!${numberOf(tableOf([["*", codeOf(mapped(state))]]))}`;
  const inner = mapped(form);
  const entries = Object.entries(propertiesOf(form)).map(([key, node]) => [key, codeOf(node)]);
  return `{${numberOf(tableOf(inner === undefined ? entries : [...entries, ["*", codeOf(inner)]]))}`;
}

/** @returns the type of a value: of a scalar, of a list, of an object, or several of them, separated by `|`. */
function codeOf(node) {
  const forms = formsOf(node);
  const lists = forms.filter(({ type }) => type === "array");
  const objects = forms.filter(({ type, allOf }) => type === "object" || allOf !== undefined);
  const scalars = letterOf(forms.filter((form) => !lists.includes(form) && !objects.includes(form)));
  return [
    ...(scalars === "" ? [] : [scalars]),
    ...lists.slice(0, 1).map(({ items }) => `[${codeOf(items)}`),
    ...new Set(objects.map(objectCode)),
  ].join("|");
}

/** @returns the keys of a section as [option, type, schema, path]: `stopAt` with `open` is the option `stopAtOpen`. */
function optionsOf(properties) {
  return Object.entries(properties).flatMap(([key, node]) => {
    const inner = Object.entries(propertiesOf(resolved(node)));
    const own = { option: key, code: codeOf(node), node };
    // An object of nothing but objects has no list of key=value.
    if (inner.length === 0 || !inner.every(([, one]) => isObject(one))) return [own];
    const camel = (name) => `${key}${name[0].toUpperCase()}${name.slice(1)}`;
    const options = inner.map(([name, one]) => ({ option: camel(name), code: codeOf(one), node: one, key, name }));
    return [{ ...own, isHidden: true }, ...options.filter(({ option }) => !(option in properties))];
  });
}

const topLevel = Object.entries(schema.properties).filter(([key]) => !notOptions.includes(key));
const sections = topLevel.filter(([, node]) => isObject(node) && resolved(node).type === "object");
const main = Object.fromEntries(topLevel.filter((entry) => !sections.includes(entry)));

const kinds = schema.properties.nouns.additionalProperties.allOf.map(({ if: condition, then }) => {
  const { kind: _, ...properties } = propertiesOf(then);
  const records = Object.keys(properties).find((key) => isMapOfRecords(properties[key]));
  return {
    kind: condition.properties.kind.const,
    properties,
    required: then.required ?? [],
    records,
    keys: records === undefined ? {} : propertiesOf(mapped(resolved(properties[records]))),
  };
});

/** What UCI needs for itself in a section: the names of nouns and keys. */
for (const { kind, properties, keys } of kinds)
  for (const [reserved, has] of [
    ["name", "name" in properties || "name" in keys],
    ["noun", "noun" in keys],
  ])
    if (has) throw new Error(`The kind ${kind} has a key "${reserved}", which UCI has for itself: rename it.`);

/** @returns lines of a table: the type that most kinds have of each option, and what differs of each kind. */
function linesOf(name, each) {
  const counts = new Map();
  for (const { options } of each)
    for (const [option, code] of options) {
      const codes = counts.get(option) ?? new Map();
      counts.set(option, codes.set(code, (codes.get(code) ?? 0) + 1));
    }
  const usual = new Map([...counts].map(([option, codes]) => [option, [...codes].sort(([, a], [, b]) => b - a)[0][0]]));
  const special = each.map(({ kind, options }) => [
    `${name}/${kind}`,
    options.filter(([option, code]) => usual.get(option) !== code),
  ]);
  return [[name, [...usual]], ...special.filter(([, options]) => options.length > 0)];
}

const entry = ({ option, code, key, name }) => [option, key === undefined ? code : `${key}.${name}:${code}`];
const entriesOf = (properties) => optionsOf(properties).map(entry);

/** @returns the text of uci-keys.awk. */
export function uciKeys() {
  const lines = [
    ["nound", entriesOf(main)],
    ...sections.map(([key, node]) => [key, entriesOf(propertiesOf(resolved(node)))]),
    ...linesOf(
      "noun",
      kinds.map(({ kind, properties }) => ({ kind, options: entriesOf(properties) })),
    ),
    ...linesOf(
      "key",
      kinds.map(({ kind, keys }) => ({ kind, options: entriesOf(keys) })),
    ),
    ...linesOf(
      "records",
      kinds.map(({ kind, records }) => ({ kind, options: records === undefined ? [] : [["*", records]] })),
    ),
  ].map(([name, entries]) => [name, tableOf(entries)]);
  const numbered = [...tables].map(([text, number]) => [number, text]);
  const calls = [...lines, ...numbered].map(([name, text]) => `\tdefine("${name}", "${text}")\n`).join("");
  return `# SPDX-License-Identifier: MIT
#
# Made of nound.schema.json: the types of all keys. A type is s, a text, n, a number, b, a boolean, x, what JSON would
# read, [ and the type of the items of a list, or an object and the number of its table: { with pairs key=value,
# ? with conditions, ! with actions.

function define_keys() {
\tsections = "${sections.map(([key]) => key).join(" ")}"
\tkinds = "${kinds.map(({ kind }) => kind).join(" ")}"
${calls}}
`;
}

const acronyms = ["gpio", "id", "https", "mqtt", "tls", "url"];

/** @returns a key as a title: `activeLow` is "Active low". */
function titleOf(key) {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).split(" ");
  const text = words.map((word) => (acronyms.includes(word) ? word.toUpperCase() : word)).join(" ");
  return text[0].toUpperCase() + text.slice(1);
}

/** @returns a description as a sentence in HTML. */
function sentenceOf(text) {
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  // A unit or a URL keeps its letters.
  const isWord = /^[a-z]+(?![a-z:])/.test(escaped) && !/^[mn]?s\b/.test(escaped);
  return `${isWord ? escaped[0].toUpperCase() : escaped[0]}${escaped.slice(1)}.`;
}

/** @returns LuCI's type of data of a number; undefined of anything else. */
function datatypeOf({ type, minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }) {
  if (type !== "integer" && type !== "number") return undefined;
  const name = type === "number" ? "float" : minimum < 0 ? "integer" : "uinteger";
  const isBounded = minimum !== Number.MIN_SAFE_INTEGER && maximum !== Number.MAX_SAFE_INTEGER;
  return isBounded ? `and(${name}, range(${minimum}, ${maximum}))` : name;
}

/** @returns how LuCI shows a place: the widget's class in `form`, and what belongs to it. */
function widgetOf(node) {
  const forms = formsOf(node);
  const code = codeOf(node);
  const [only] = forms;
  const { default: otherwise } = resolved(node);
  const placeholder = ["string", "number"].includes(typeof otherwise) ? { placeholder: String(otherwise) } : {};
  const inner = forms.filter(({ type }) => type === "object").flatMap((form) => Object.keys(propertiesOf(form)));
  if (/[?]/.test(code)) return { widget: "DynamicList", placeholder: "room temperature below 4 until 6" };
  if (/!/.test(code)) return { widget: "DynamicList", placeholder: "PUT lamp on=1" };
  if (/[{]/.test(code)) return { widget: "DynamicList", placeholder: `${inner[0] ?? "key"}=value`, inner };
  if (/\[/.test(code)) return { widget: "DynamicList" };
  if (code === "b" && typeof otherwise === "boolean") return { widget: "Flag", default: otherwise ? "1" : "0" };
  if (code === "b") return { widget: "ListValue", values: ["1", "0"] };
  if (forms.length === 1 && only.enum !== undefined)
    return { widget: "ListValue", values: only.enum.map(String), ...placeholder };
  const datatype = forms.length === 1 ? datatypeOf(only) : undefined;
  return { widget: "Value", ...(datatype === undefined ? {} : { datatype }), ...placeholder };
}

/** @returns the widget that fits several kinds, and what they do not agree about is left open. */
function merged(widgets) {
  const [first, ...others] = widgets;
  const same = (key) => others.every((other) => JSON.stringify(other[key]) === JSON.stringify(first[key]));
  const list = widgets.find(({ widget }) => widget === "DynamicList");
  if (list !== undefined) return list;
  if (!same("widget")) return { widget: "Value" };
  const entries = Object.keys(first)
    .filter(same)
    .map((key) => [key, first[key]]);
  const values = first.values && { values: [...new Set(widgets.flatMap(({ values }) => values))] };
  return { ...Object.fromEntries(entries), ...values };
}

/** @returns an option of a form, of one kind or of several: [{ kind, node, isRequired }]. */
function fieldOf(option, each, isOfAll) {
  const { inner, ...widget } = merged(each.map(({ node }) => widgetOf(node)));
  const kindsOf = new Map();
  for (const { kind, node } of each) {
    const text = node.description ?? resolved(node).description ?? "";
    kindsOf.set(text, [...(kindsOf.get(text) ?? []), kind]);
  }
  const texts = [...kindsOf].filter(([text]) => text !== "");
  const sentences = texts.map(([text, of]) => (texts.length > 1 ? `${of.join(", ")}: ` : "") + sentenceOf(text));
  const keys = inner?.length > 0 ? [`Its keys are ${inner.join(", ")}.`] : [];
  const description = [...sentences, ...keys].join("<br />");
  return {
    name: option,
    title: titleOf(option),
    ...widget,
    ...(description === "" ? {} : { description }),
    ...(each.every(({ isRequired }) => isRequired) ? { required: true } : {}),
    ...(isOfAll ? {} : { kinds: each.map(({ kind }) => kind) }),
  };
}

/** @returns the options of a form for some properties. */
function fieldsOf(properties, required = []) {
  return optionsOf(properties)
    .filter(({ isHidden }) => !isHidden)
    .map(({ option, node }) => fieldOf(option, [{ kind: "", node, isRequired: required.includes(option) }], true));
}

/** @returns the options of a form for all kinds, of what `propertiesOf` a kind gives. */
function fieldsOfKinds(each) {
  const options = new Map();
  for (const { kind, properties, required = [] } of each)
    for (const { option, node, isHidden } of optionsOf(properties))
      if (!isHidden)
        options.set(option, [...(options.get(option) ?? []), { kind, node, isRequired: required.includes(option) }]);
  // Those of few kinds are what such a noun is about; those of all kinds come last.
  const fields = [...options].map(([option, of]) => fieldOf(option, of, of.length === kinds.length));
  return [...fields.filter((field) => "kinds" in field), ...fields.filter((field) => !("kinds" in field))];
}

/** @returns the text of keys.js. */
export function luciKeys() {
  const { enum: names, enumDescriptions: words = [] } = schema.properties.nouns.additionalProperties.properties.kind;
  const keys = {
    kinds: names.map((kind, index) => [kind, words[index] ?? ""]),
    main: fieldsOf(main).filter(({ name }) => name !== "listen"),
    sections: sections.map(([key, node]) => ({
      type: key,
      title: titleOf(key),
      description: sentenceOf(node.description ?? titleOf(key)),
      options: fieldsOf(propertiesOf(resolved(node)), resolved(node).required),
    })),
    nouns: fieldsOfKinds(
      kinds.map(({ properties, records, ...kind }) => {
        const { [records]: _, ...rest } = properties;
        return { ...kind, properties: rest };
      }),
    ),
    // UCI cannot tell by the kind of a noun which options its keys have: all are offered.
    keys: fieldsOfKinds(kinds.map(({ kind, keys }) => ({ kind, properties: keys }))).map(
      ({ kinds: _, required: __, ...field }) => field,
    ),
  };
  const text = JSON.stringify(keys).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `'use strict';
'require baseclass';

// Made of nound.schema.json: the options of each section of UCI, for LuCI's forms.

return baseclass.extend(${text});
`;
}

/** Writes what is made of the schema into a folder with the packages, such as dist/packaging. */
export function writeOpenwrtKeys(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(resolve(folder, path)), { recursive: true });
    writeFileSync(resolve(folder, path), text);
  };
  write("openwrt/nound/files/uci-keys.awk", uciKeys());
  write("openwrt/luci-app-nound/htdocs/luci-static/resources/nound/keys.js", luciKeys());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeOpenwrtKeys(process.argv[2] ?? import.meta.dirname);
