/** Every GPIO line and what a configuration writes for it, as lines of the table of `--find`. */

import type { ListedChip, ListedLine } from "../../native/gpio.ts";
import { hardware } from "../../platform/platform.ts";
import { namesIn, textIn } from "./device-folders.ts";

/** A line of a chip. */
interface Row {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly use: string;
  /** What a noun writes for the line; "" for one that it cannot have. */
  readonly key: string;
}

function useOf({ isUsed, consumer, isOutput }: ListedLine): string {
  const direction = isOutput ? "output" : "input";
  if (!isUsed) return `${direction}, free`;
  return consumer === "" ? `${direction}, used by the kernel` : `${direction}, used by "${consumer}"`;
}

/** Joins lines without a name that follow one another and are used in the same way. */
function joined(rows: readonly Row[]): readonly Row[] {
  const all: Row[] = [];
  for (const row of rows) {
    const last = all.at(-1);
    if (last !== undefined && last.name === "" && row.name === "" && last.use === row.use) {
      all[all.length - 1] = { ...last, to: row.to };
    } else {
      all.push(row);
    }
  }
  return all;
}

/** @returns the word by which a noun names a chip: its label, which no update changes, if that is the only one. */
function wordOf<Chip extends { readonly name: string; readonly label: string }>(
  { name, label }: Chip,
  chips: readonly Chip[],
): string {
  return label !== "" && chips.filter((chip) => chip.label === label).length === 1 ? label : name;
}

function rowsOf(chip: ListedChip, chips: readonly ListedChip[]): readonly Row[] {
  const names = chips.flatMap(({ lines }) => lines.map(({ name }) => name));
  const word = JSON.stringify(wordOf(chip, chips));
  const rows = chip.lines.map((line, offset): Row => {
    const isOnly = line.name !== "" && names.filter((name) => name === line.name).length === 1;
    const key = isOnly ? `"line": ${JSON.stringify(line.name)}` : `"chip": ${word}, "offset": ${offset}`;
    return { from: offset, to: offset, name: line.name, use: useOf(line), key: line.isUsed ? "" : key };
  });
  return joined(rows);
}

function textOf({ from, to, name, use, key }: Row): string {
  const offsets = from === to ? String(from) : `${from}-${to}`;
  const shown = from === to || key === "" ? key : `${key} to ${to}`;
  return `  ${offsets.padStart(7)}  ${(name === "" ? "-" : name).padEnd(16)}  ${use.padEnd(28)}  ${shown}`.trimEnd();
}

/** The chips of the older interface. It names neither lines nor holders. */
async function* sysfsLines(): AsyncGenerator<string> {
  const names = (await namesIn("/sys/class/gpio")).filter((name) => /^gpiochip[0-9]+$/.test(name));
  const labels = names.map(async (name) => ({ name, label: (await textIn(`/sys/class/gpio/${name}/label`)) ?? "" }));
  const chips = await Promise.all(labels);
  for (const chip of chips) {
    const count = Number((await textIn(`/sys/class/gpio/${chip.name}/ngpio`)) ?? "0");
    yield `${chip.name} (${chip.label}), ${count} lines, by /sys/class/gpio, which shows neither names nor users`;
    yield `  "chip": ${JSON.stringify(wordOf(chip, chips))}, "offset": 0 to ${count - 1}`;
  }
}

/** The lines that the device tree exports under names, as OpenWrt's gpio-export does. */
async function* exportedLines(): AsyncGenerator<string> {
  for (const name of await namesIn("/sys/class/gpio")) {
    if (/^gpio(?:chip)?[0-9]|export$/.test(name)) continue;
    const level = await textIn(`/sys/class/gpio/${name}/value`);
    if (level !== undefined) yield `exported by the device tree: "line": ${JSON.stringify(name)}, now ${level}`;
  }
}

/** @returns lines of the table. */
export async function* lineTable(): AsyncGenerator<string> {
  const chips = hardware().gpio.listChips();
  for (const chip of chips) {
    if (chip.refusal !== "") {
      yield `${chip.name}: not read: ${chip.refusal}`;
      continue;
    }
    yield `${chip.name} (${chip.label}), ${chip.lines.length} lines`;
    for (const row of rowsOf(chip, chips)) yield textOf(row);
  }
  if (chips.length === 0) yield* sysfsLines();
  yield* exportedLines();
}
