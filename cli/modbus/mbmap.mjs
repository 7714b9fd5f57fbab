/** Maps in the format MBMap 2: `{ "device": ..., "registers": [{ "name", "address", "type", ... }] }`. */

import { defined, keyOf, noneOf, numberIn } from "./nouns.mjs";

const tables = { coil: "coil", coils: "coil", discrete: "discrete", input: "input", holding: "holding" };
const functions = { 1: "coil", 2: "discrete", 3: "holding", 4: "input" };

const types = {
  i: { 16: "int16", 32: "int32", 64: "int64" },
  u: { 16: "uint16", 32: "uint32", 64: "uint64" },
  f: { 32: "float32", 64: "float64" },
};

/** @returns the first of some keys that an object has. */
function first(object, ...names) {
  return names.map((name) => object?.[name]).find((value) => value !== undefined && value !== null);
}

function tableOf(register) {
  const named = first(register, "table", "registerType", "register_type", "space", "area", "kind", "function", "fc");
  const code = functions[named];
  if (code !== undefined) return code;
  const word = /coil|discrete|input|holding/.exec(
    String(named ?? "holding")
      .toLowerCase()
      .replace("discrete_input", "discrete"),
  );
  return word === null ? undefined : tables[word[0]];
}

/** @returns the type of a value; undefined for one that nound does not have. */
function typeOf(name) {
  const word = String(name ?? "uint16")
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
  if (/^(string|ascii|utf8|str|text)$/.test(word)) return "string";
  if (/^(bits?|bool|boolean|bitfield|bitfield16|flags?)$/.test(word)) return "bits";
  if (word === "double") return "float64";
  if (word === "float") return "float32";
  const [, letter = "", bits = "16"] = /^(u|i|s|f)[a-z]*?([0-9]+)?$/.exec(word) ?? [];
  if (letter === "") return undefined;
  return types[letter === "s" ? "i" : letter]?.[bits];
}

/** @returns whether an order is the little one. */
function isLittle(order) {
  return /little|swap|^l|^cd|^ba/i.test(String(order ?? ""));
}

function orderOf(register, map) {
  const whole = first(register, "order", "endianness");
  if (["CDAB", "BADC", "DCBA"].includes(whole)) return whole;
  const swapsWords = isLittle(first(register, "wordOrder", "word_order") ?? first(map, "wordOrder", "word_order"));
  const swapsBytes = isLittle(first(register, "byteOrder", "byte_order") ?? first(map, "byteOrder", "byte_order"));
  if (!swapsWords && !swapsBytes) return undefined;
  return swapsWords ? (swapsBytes ? "DCBA" : "CDAB") : "BADC";
}

/** @returns words by values, of an object or of a list. */
function labelsOf(register) {
  const words = first(register, "enum", "enumeration", "enums", "values", "labels");
  if (words === undefined || typeof words !== "object") return undefined;
  const entries = Array.isArray(words)
    ? words.map((one) => [String(first(one, "value", "raw")), first(one, "label", "name", "text", "title")])
    : Object.entries(words).map(([value, one]) => [value, typeof one === "object" ? first(one, "label", "name") : one]);
  const labels = Object.fromEntries(entries.filter(([, label]) => typeof label === "string" && label !== ""));
  return Object.keys(labels).length === 0 ? undefined : labels;
}

function sentinelsOf(register) {
  const none = first(register, "sentinels", "sentinel", "invalid", "notAvailable");
  if (none === undefined) return [];
  const list = Array.isArray(none) ? none : typeof none === "object" ? Object.keys(none) : [none];
  return list.map((one) => (typeof one === "object" ? first(one, "value", "raw") : one));
}

/** @returns the parts of a register of bits, each with its name and its bits. */
function fieldsOf(register) {
  const fields = first(register, "bits", "bitFields", "bit_fields", "bitfields", "fields");
  if (fields === undefined || typeof fields !== "object") return [];
  const list = Array.isArray(fields)
    ? fields
    : Object.entries(fields).map(([bit, one]) => ({ bit, ...(typeof one === "object" ? one : { name: one }) }));
  return list.flatMap((one) => {
    const [from, to] = Array.isArray(one.bits)
      ? one.bits
      : String(first(one, "bit", "bits", "from", "offset")).split("-");
    const low = numberIn(from);
    const width = first(one, "width", "length");
    const high = numberIn(to) ?? numberIn(one.to) ?? (width === undefined ? low : low + width - 1);
    return low === undefined || high > 15
      ? []
      : [{ name: first(one, "name", "label", "id") ?? `bit ${low}`, low, high }];
  });
}

/** @returns the values of one register. @throws Error with the reason why there are none. */
function valuesOfRegister(register, map, base) {
  const name = String(first(register, "name", "id", "key") ?? "");
  const read = tableOf(register);
  const address = numberIn(first(register, "address", "addr", "at"));
  if (read === undefined) throw new Error("it has no table that is Modbus's");
  const at = address === undefined ? undefined : address - base;
  if (!Number.isInteger(at) || at < 0 || at > 65_535) throw new Error("it has no address that can be read");
  const place = `${read} ${at}`;
  const title = String(first(register, "label", "title", "displayName") ?? name);
  const described = defined({ title, description: register.description || undefined });
  const access = String(first(register, "access", "mode") ?? "r").toLowerCase();
  if (access === "w" || access === "wo" || access.startsWith("write")) throw new Error("it can only be written");
  const writes = (register.writable === true || access.includes("w")) && (read === "coil" || read === "holding");
  if (read === "coil" || read === "discrete") {
    return [{ key: keyOf(name), options: { ...described, at: place, ...(writes && { writable: true }) } }];
  }
  const as = typeOf(first(register, "type", "dataType", "data_type", "datatype", "format"));
  if (as === undefined) throw new Error(`nound has no type for "${first(register, "type", "dataType", "data_type")}"`);
  const form = defined({ at: place, as: as === "uint16" ? undefined : as, order: orderOf(register, map) });
  if (as === "string") {
    const length = 2 * (numberIn(first(register, "length", "registers", "count", "size")) ?? 1);
    return [{ key: keyOf(name), options: { ...described, ...form, length, ...(writes && { writable: true }) } }];
  }
  const fields = fieldsOf(register).map(({ name: part, low, high }) => ({
    key: keyOf(`${name} ${part}`),
    options: { title: `${title}: ${part}`, ...form, as: "bits", bit: low === high ? low : [low, high] },
  }));
  if (as === "bits") return fields.length > 0 ? fields : [{ key: keyOf(name), options: { ...described, ...form } }];
  const scale = first(register, "scale", "factor", "multiplier");
  const scaler = first(register, "scaleFactor", "scale_factor", "scaleRegister", "scaleBy", "sf", "dynamicScale");
  const by = typeof scale === "string" && numberIn(scale) === undefined ? scale : scaler;
  const scaleName = typeof by === "object" ? first(by, "register", "name", "ref") : by;
  const limits = first(register, "write", "writeLimits", "write_limits", "limits") ?? register;
  const options = defined({
    ...described,
    ...form,
    unit: first(register, "unit", "units") || undefined,
    scale: numberIn(scale) === 1 ? undefined : numberIn(scale),
    offset: numberIn(register.offset) || undefined,
    scaleBy: typeof scaleName === "string" ? keyOf(scaleName) : undefined,
    none: noneOf(sentinelsOf(register), as),
    labels: labelsOf(register),
    ...(writes && {
      writable: true,
      minimum: numberIn(first(limits, "min", "minimum")),
      maximum: numberIn(first(limits, "max", "maximum")),
    }),
  });
  return [{ key: keyOf(name), options }, ...fields];
}

/** @returns the values of a map, and why some were left out. */
export function valuesOfMap(map) {
  const { registers } = map;
  const list = Array.isArray(registers)
    ? registers
    : Object.entries(registers).map(([name, register]) => ({ name, ...register }));
  const addressing = first(map, "addressBase", "address_base", "addressing", "base", "addressOffset");
  const base = Number(
    /1|one/i.test(String(typeof addressing === "object" ? first(addressing, "base") : (addressing ?? 0))),
  );
  const left = [];
  const values = [];
  for (const register of list) {
    try {
      values.push(...valuesOfRegister(register, map, base));
    } catch (error) {
      left.push(`${register.name ?? register.id}: ${error.message}`);
    }
  }
  const device = typeof map.device === "object" ? map.device : map;
  const maker = first(device, "manufacturer", "vendor", "maker") ?? "";
  const model = first(device, "model", "name", "title") ?? (typeof map.device === "string" ? map.device : "unit");
  return { title: `${maker} ${model}`.trim(), values, left, options: {} };
}
