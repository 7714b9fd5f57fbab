/**
 * OpenWrt's `jshn -w` and `jsonfilter`, as far as nound's init script needs them.
 *
 *     node json.mjs dump LINES                the document that lines of openwrt.sh describe
 *     node json.mjs filter FILE EXPRESSION    values: @.key, @.nouns[@.kind="pwm" && @.chip="pwmchip0"].channel
 */
import { readFileSync } from "node:fs";

const makers = {
  string: (text) => text,
  number: Number,
  boolean: (text) => text === "1",
  null: () => null,
};

/** JSON text of pairs, so that a key that is given twice is seen twice. */
function write({ type, members }) {
  const texts = members.map(([key, value]) => {
    const text = value?.members ? write(value) : JSON.stringify(value);
    return type === "array" ? text : `${JSON.stringify(key)}: ${text}`;
  });
  return type === "array" ? `[${texts.join(", ")}]` : `{${texts.join(", ")}}`;
}

function dump(lines) {
  const open = [{ type: "object", members: [] }];
  for (const line of lines.split("\n").slice(0, -1)) {
    const [type, key, value] = line.split("\t");
    if (type === "close") {
      open.pop();
      continue;
    }
    const made = type === "object" || type === "array" ? { type, members: [] } : makers[type](value);
    open.at(-1).members.push([key, made]);
    if (made?.members) open.push(made);
  }
  if (open.length !== 1) throw new Error("an object or array is not closed");
  return write(open[0]);
}

function filter(document, expression) {
  const [, first, condition, last] = expression.match(/^@\.(\w+)(?:\[(.*)\]\.(\w+))?$/);
  if (condition === undefined) return [document[first]].filter((value) => value !== undefined);
  const wanted = [...condition.matchAll(/@\.(\w+)="([^"]*)"/g)];
  return Object.values(document[first] ?? {})
    .filter((one) => wanted.every(([, key, value]) => one[key] === value))
    .map((one) => one[last])
    .filter((value) => value !== undefined);
}

const [command, file, expression] = process.argv.slice(2);
const text = readFileSync(file, "utf8");
if (command === "dump") console.log(dump(text));
else for (const value of filter(JSON.parse(text), expression)) console.log(value);
