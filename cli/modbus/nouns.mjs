/** Makes nouns of the values of a Modbus unit. */

/** How many values one noun may have: a state has at most 64 keys, and some are counts. */
const mostValues = 56;

/** Keys that a value cannot have, because a count uses them. */
const counts = ["timeouts", "garbled", "strays", "misnumbered", "late", "exceptions", "lastException"];

/** @returns a text as a key such as `activePower`: ASCII, without blanks. */
export function keyOf(text) {
  const words =
    text
      .normalize("NFKD")
      .replace(/[^\x20-\x7e]/g, "")
      .match(/[A-Za-z0-9]+/g) ?? [];
  const [first = "value", ...rest] = words;
  const isShouted = /^[A-Z0-9]+$/.test(first) && first.length > 1;
  const start = isShouted ? first.toLowerCase() : first[0].toLowerCase() + first.slice(1);
  return start + rest.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
}

/** @returns a text as a name of a noun. */
export function nameOf(text) {
  return keyOf(text).toLowerCase().slice(0, 60);
}

/** @returns a key that is not used yet. */
function freeKey(wanted, used) {
  let key = counts.includes(wanted) ? `${wanted}Value` : wanted;
  for (let number = 2; used.has(key); number++) key = `${wanted}${number}`;
  used.add(key);
  return key;
}

/**
 * @param title the unit's name for people.
 * @param values each with the `key` that it should have, and the `options` of the key.
 * @param options those of each noun.
 * @returns nouns by their names, as in a configuration.
 */
export function nounsOf({ title, values, options }) {
  const used = new Set();
  const keys = new Map(values.map((value) => [value, freeKey(value.key, used)]));
  const byKey = new Map(values.map((value) => [value.key, keys.get(value)]));
  const nouns = {};
  // A value and the one that scales it are in one noun.
  const sorted = values.toSorted((one, other) =>
    (one.options.scaleBy ?? one.key).localeCompare(other.options.scaleBy ?? other.key),
  );
  const ordered = values.length <= mostValues ? values : sorted;
  for (let from = 0; from < ordered.length; from += mostValues) {
    const part = ordered.slice(from, from + mostValues);
    const name = nameOf(title) + (from === 0 ? "" : `-${from / mostValues + 1}`);
    const entries = part.map((value) => {
      const { scaleBy, ...others } = value.options;
      return [keys.get(value), { ...others, ...(scaleBy !== undefined && { scaleBy: byKey.get(scaleBy) ?? scaleBy }) }];
    });
    nouns[name] = { kind: "modbus", title, ...options, keys: Object.fromEntries(entries) };
  }
  return nouns;
}

/** @returns a number that is written in any way: `10`, `"10"`, `"0x0a"`; undefined of anything else. */
export function numberIn(value) {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** @returns an object without the keys that are undefined. */
export function defined(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** @param none what means no value. @param as the type. @returns it as the configuration has it, if it fits. */
export function noneOf(none, as) {
  const bits = Number(/[0-9]+$/.exec(as ?? "uint16")?.[0] ?? 16);
  const fitting = [none]
    .flat()
    .map(numberIn)
    .filter((one) => one !== undefined && Math.abs(one) < 2 ** bits);
  return fitting.length === 0 ? undefined : fitting.length === 1 ? fitting[0] : fitting;
}
