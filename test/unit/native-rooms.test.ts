/** The walls between the rooms of the C layer, as docs/dev/architecture.md lists them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ringsOf } from "./rings.ts";

const top = join(import.meta.dirname, "../..");
const page = readFileSync(join(top, "docs/dev/architecture.md"), "utf8");

/** In the order of the table: each includes only those before it. */
const rooms = [...page.matchAll(/^- `native\/(\w+)\/`:/gm)].map(([, room = ""]) => room);

const files = readdirSync(join(top, "native"), { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.[ch]$/.test(name),
);

/** The room of a file; "" for those beside the rooms, which may include all. */
const roomOf = (file: string): string => file.split("/").slice(0, -1).join("/");

const includes = files.flatMap((file) =>
  [...readFileSync(join(top, "native", file), "utf8").matchAll(/^#include "([^"]+)"/gm)].map(([, from = ""]) => ({
    file,
    from,
  })),
);

test("every file of a folder is in a room of the page, and every room has files", () => {
  expect(new Set(files.map(roomOf))).toEqual(new Set(["", ...rooms]));
  expect(includes.length).toBeGreaterThan(100);
});

test("an include names a file by its path from native/", () => {
  expect(includes.filter(({ from }) => !files.includes(from))).toEqual([]);
});

test("a room includes only itself and rooms before it in the table", () => {
  const upward = includes.filter(
    ({ file, from }) => roomOf(file) !== "" && !rooms.slice(0, rooms.indexOf(roomOf(file)) + 1).includes(roomOf(from)),
  );
  expect(upward).toEqual([]);
});

test("no files include one another in a ring, a source and its header taken together", () => {
  const unitOf = (file: string): string => file.replace(/\.[ch]$/, "");
  const needs = new Map(files.map((file) => [unitOf(file), new Set<string>()]));
  for (const { file, from } of includes) if (unitOf(file) !== unitOf(from)) needs.get(unitOf(file))?.add(unitOf(from));
  expect(ringsOf(needs)).toEqual([]);
});

test("a module that TypeScript imports is in the room of its subject", () => {
  const modules = files.filter((file) => file.includes("mod_") && file.endsWith(".c"));
  expect(modules.length).toBeGreaterThan(15);
  expect(modules.filter((file) => roomOf(file) === "")).toEqual([]);
});
