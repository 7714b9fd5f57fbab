/**
 * OpenWrt's `jsonfilter`, as far as nound's init script needs it: `@.key`, `@.key.key`,
 * `@.nouns[@.kind="pwm" && @.chip="c"].channel`, `@.nouns[@.on=true].key`.
 */
import { readFileSync } from "node:fs";

function filter(document, expression) {
  const [, first, condition, last] = expression.match(/^@\.(\w+)(?:\[(.*)\])?(?:\.([\w.]+))?$/);
  const at = (one) => (last?.split(".") ?? []).reduce((value, key) => value?.[key], one);
  if (condition === undefined) return [at(document[first])];
  const wanted = [...condition.matchAll(/@\.(\w+)=("[^"]*"|true|false)/g)];
  return Object.values(document[first] ?? {})
    .filter((one) => wanted.every(([, key, value]) => one[key] === JSON.parse(value)))
    .map(at);
}

const [file, expression] = process.argv.slice(2);
for (const value of filter(JSON.parse(readFileSync(file, "utf8")), expression))
  if (value !== undefined) console.log(Array.isArray(value) ? JSON.stringify(value) : value);
