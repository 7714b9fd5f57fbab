/** The walls between the rooms of docs/dev/architecture.md. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ringsOf } from "./rings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const files = readdirSync(join(root, "ts"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:tsx?|json)$/.test(name))
  .map((name) => join("ts", name));

interface Import {
  /** What is imported: a path from the root, or a module's name. */
  readonly from: string;
  readonly typeOnly: boolean;
}

// Comments first, so that an example in one is not taken for an import.
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const statements = /^\s*(import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;
const expressions = /\bimport\(\s*"([^"]+)"\s*\)/g;

function importsOf(file: string): readonly Import[] {
  const source = readFileSync(join(root, file), "utf8").replace(comments, "");
  const resolved = (from: string) => (from.startsWith(".") ? relative(root, resolve(root, dirname(file), from)) : from);
  return [
    ...[...source.matchAll(statements)].map(([, , type, from = ""]) => ({
      from: resolved(from),
      typeOnly: type !== undefined,
    })),
    ...[...source.matchAll(expressions)].map(([, from = ""]) => ({
      from: resolved(from),
      typeOnly: file.endsWith(".d.ts"),
    })),
  ];
}

function isNativeType({ from, typeOnly }: Import): boolean {
  return typeOnly && /^ts\/native\/[^/]+\.ts$/.test(from);
}

/** Rooms that a room may import, and what else. */
interface Rule {
  readonly rooms: readonly string[];
  readonly also?: (imported: Import) => boolean;
}

/** What each room may import, itself apart. */
const rules: { readonly [room: string]: Rule } = {
  // Moving bytes between encodings is C's.
  http: { rooms: ["grammar"], also: ({ from }) => from === "nound:utf8" },
  // Walking through a text by a table is C's; the table is not.
  grammar: { rooms: [], also: ({ from }) => from === "nound:lexer" || from === "ts/native/lexer.ts" },
  noun: { rooms: ["grammar", "time"], also: isNativeType },
  native: { rooms: [], also: ({ from }) => from === "node:crypto" || from === "nound:utf8" },
  time: { rooms: [], also: isNativeType },
  describe: { rooms: ["noun"] },
  access: { rooms: ["http", "noun"], also: isNativeType },
  operations: { rooms: ["http", "noun", "time"], also: isNativeType },
  // The way of every request. What few requests ask for is given to it by the application.
  server: {
    rooms: ["access", "changes", "feeds", "guards", "history", "http", "noun", "operations", "time"],
    also: isNativeType,
  },
  documents: {
    rooms: ["access", "changes", "describe", "http", "noun", "operations", "server", "time"],
    also: (imported) => isNativeType(imported) || imported.from === "nound:page",
  },
  streams: {
    rooms: ["access", "changes", "feeds", "http", "noun", "operations", "server", "time"],
    also: isNativeType,
  },
  feeds: { rooms: ["noun", "operations", "time"], also: isNativeType },
  mqtt: { rooms: ["describe", "feeds", "grammar", "http", "noun", "operations", "time"], also: isNativeType },
  rules: { rooms: ["feeds", "noun", "operations", "time"], also: isNativeType },
  guards: { rooms: ["feeds", "http", "noun", "operations", "time"], also: isNativeType },
  changes: { rooms: ["access", "feeds", "http", "noun", "operations", "time"], also: isNativeType },
  history: { rooms: ["feeds", "noun", "operations", "time"], also: isNativeType },
  client: { rooms: ["grammar", "http", "noun", "time"], also: isNativeType },
  mirror: { rooms: ["client", "http", "noun", "time"], also: isNativeType },
  modbus: { rooms: ["time"], also: isNativeType },
  // Lines, buses, ports and files on the modules of C, or on their simulated twins.
  hardware: {
    rooms: ["application", "modbus", "native", "noun", "time"],
    also: ({ from }) => ["nound:bus", "nound:input", "nound:keeper", "nound:serial"].includes(from),
  },
  nouns: {
    rooms: ["application", "hardware", "http", "modbus", "noun", "time"],
    also: (imported) => isNativeType(imported) || imported.from === "nound:keeper",
  },
  configuration: {
    rooms: [
      "access",
      "application",
      "client",
      "grammar",
      "hardware",
      "http",
      "modbus",
      "mqtt",
      "noun",
      "nouns",
      "rules",
      "server",
    ],
    also: isNativeType,
  },
  // The stock program is an application; only what no other application does takes it to modules of C.
  daemon: {
    rooms: ["access", "application", "configuration", "find", "mqtt", "noun"],
    also: (imported) =>
      isNativeType(imported) || ["nound:keeper", "nound:privileges", "nound:script"].includes(imported.from),
  },
  // What a device has, for --find.
  find: {
    rooms: ["application", "client", "configuration", "hardware", "http", "modbus", "noun", "time"],
    also: (imported) => isNativeType(imported) || imported.from === "nound:input",
  },
  trace: { rooms: [] },
  // Its own program, in a browser: all it knows of the core is what is on the wire.
  page: { rooms: [] },
  // What an application imports: the core on the modules of C, or on their simulated twins for --simulate.
  application: {
    rooms: [
      "access",
      "changes",
      "client",
      "documents",
      "grammar",
      "guards",
      "history",
      "http",
      "mirror",
      "mqtt",
      "native",
      "noun",
      "operations",
      "rules",
      "server",
      "streams",
      "time",
    ],
    also: ({ from }) => from.startsWith("nound:"),
  },
  // What an application's tests import: the same on the simulated twins.
  testing: {
    rooms: ["hardware", "modbus", "native", "noun", "nouns"],
    also: ({ from, typeOnly }) =>
      (typeOnly && from.startsWith("ts/application/")) ||
      ["connections", "globals/timers", "log", "server"].some((name) => from === `ts/application/${name}.ts`),
  },
};

/** The doors: what the world imports. They have no code of their own. */
const doors = ["ts/nound.ts", "ts/testing.ts"];

test("every file of ts/ is in a room, or one of the two doors", () => {
  const outside = files.filter((file) => !Object.hasOwn(rules, file.split("/")[1] ?? ""));
  expect(outside.toSorted()).toEqual(doors);
});

test.each(doors)("%s only passes on what is in the rooms", (door) => {
  const source = readFileSync(join(root, door), "utf8").replace(comments, "");
  const statements = source.split(";").map((statement) => statement.trim());
  expect(statements.filter((statement) => statement !== "" && !statement.startsWith("export "))).toEqual([]);
  const passedOn = importsOf(door).map((imported) => imported.from);
  expect(passedOn).not.toEqual([]);
  expect(passedOn.filter((imported) => !files.includes(imported))).toEqual([]);
});

describe.each(Object.entries(rules))("ts/%s", (room, { rooms, also }) => {
  const inRoom = files.filter((file) => file.startsWith(`ts/${room}/`));

  test("has files that this test can read", () => {
    expect(inRoom).not.toEqual([]);
    // Rooms of more than one file have imports among them, so a pattern that finds none has gone blind.
    expect(inRoom.flatMap(importsOf)).not.toEqual([]);
  });

  test("imports only what it may", () => {
    const outside = inRoom.flatMap((file) =>
      importsOf(file)
        .filter((imported) => ![room, ...rooms].some((other) => imported.from.startsWith(`ts/${other}/`)))
        .filter((imported) => also?.(imported) !== true)
        .map((imported) => `${file} imports ${imported.typeOnly ? "the types of " : ""}${imported.from}`),
    );
    expect(outside).toEqual([]);
  });

  test("may import what the page on the architecture says", () => {
    const page = readFileSync(join(root, "docs/dev/architecture.md"), "utf8");
    const [, entry = ""] = page.split(`\n- \`ts/${room}/\``);
    const words = entry.split(/\n(?:- |\n)/)[0]?.replace(/\s+/g, " ") ?? "";
    const [, cell = ""] = /May import ([^.]*)\./.exec(words) ?? [];
    const named = cell.split(",").map((part) => part.trim());
    expect(named.filter((part) => Object.hasOwn(rules, part)).toSorted()).toEqual(rooms.toSorted());
  });

  test("imports modules by a path that exists", () => {
    const missing = inRoom.flatMap((file) =>
      importsOf(file).filter((imported) => imported.from.startsWith("ts/") && !files.includes(imported.from)),
    );
    expect(missing).toEqual([]);
  });
});

test("each step of the pictures is in the file beside it", () => {
  const page = readFileSync(join(root, "docs/dev/architecture.md"), "utf8");
  const steps = [...page.matchAll(/^ {4}.*?([A-Z]\w+)\.(\w+) +(ts\/[\w/-]+\.ts)/gm)];
  expect(steps.length).toBeGreaterThan(15);
  const missing = steps.filter(([, type, step, file = ""]) => {
    const source = files.includes(file) ? readFileSync(join(root, file), "utf8") : "";
    const behind = source.split(new RegExp(`^(?:export )?(?:abstract )?(?:class|interface) ${type}\\b`, "m"))[1] ?? "";
    return !new RegExp(`^  (?:private |protected |readonly )*${step}\\b[(:]`, "m").test(behind);
  });
  expect(missing.map(([, type, step, file]) => `${type}.${step} is not in ${file}`)).toEqual([]);
});

test("each answer of the index is where it says", () => {
  const page = readFileSync(join(root, "docs/dev/architecture.md"), "utf8");
  const index = page.slice(page.indexOf("## Where is ...")).split("\n## ")[0] ?? "";
  const entries = index.split("\n- ").slice(1);
  const rows = entries.map((entry) => /: `(?:(\w+)\.)?(\w+)`\s+of\s+`([\w/.-]+)`\s*$/.exec(entry) ?? [entry]);
  expect(rows.filter(({ length }) => length === 1)).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(30);
  const missing = rows.filter(([, type, name, file = ""]) => {
    const source = readFileSync(join(root, file), "utf8").replace(comments, "");
    const behind =
      type === undefined ? source : (source.split(new RegExp(`^export (?:abstract )?class ${type}\\b`, "m"))[1] ?? "");
    const declared =
      type !== undefined
        ? new RegExp(`^  (?:private |readonly |async )*${name}(?:[(<]| = )`, "m")
        : file.endsWith(".c")
          ? new RegExp(`^[A-Za-z].*\\b${name}(?:\\(.*\\{|\\[.*)$`, "m")
          : new RegExp(`^(?:export )?(?:async )?(?:function\\*?|const|class|interface) ${name}\\b`, "m");
    return !declared.test(behind);
  });
  expect(missing.map(([, type, name, file]) => `${type ?? ""} ${name} is not in ${file}`)).toEqual([]);
});

test("no two rooms need each other, nor several in a circle", () => {
  const needed = new Map<string, Set<string>>();
  for (const room of Object.keys(rules)) {
    const inRoom = files.filter((file) => file.startsWith(`ts/${room}/`));
    const imported = inRoom.flatMap(importsOf).filter(({ from }) => from.startsWith("ts/"));
    needed.set(room, new Set(imported.map(({ from }) => from.split("/")[1] ?? "").filter((other) => other !== room)));
  }
  expect(ringsOf(needed)).toEqual([]);
});

test("no files of ts/ import one another in a ring, but for types", () => {
  const imports = files.map((file) => ({ file, needed: importsOf(file).filter(({ typeOnly }) => !typeOnly) }));
  const needs = new Map(imports.map(({ file, needed }) => [file, new Set(needed.map(({ from }) => from))]));
  expect(Array.from(needs.values()).flatMap((names) => [...names]).length).toBeGreaterThan(500);
  expect(ringsOf(needs)).toEqual([]);
});

test("ts/time/ alone sets timers, but for those of authors and of simulated hardware", () => {
  const others = files.filter((file) => !/^ts\/(?:time|native|testing)\//.test(file));
  const setting = others.filter((file) => readFileSync(join(root, file), "utf8").includes("setTimer("));
  expect(others.length).toBeGreaterThan(300);
  expect(setting.toSorted()).toEqual([
    "ts/application/globals/timers.ts",
    "ts/application/kept-date.ts",
    "ts/application/noun-clock.ts",
    "ts/application/time.ts",
  ]);
});

test("no clock that can be set is read by the native layer, but for the dates of certificates and files", () => {
  const native = readdirSync(join(root, "native"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".c"),
  );
  const reading = native.filter((name) =>
    /CLOCK_(?!MONOTONIC\b|BOOTTIME\b|THREAD_CPUTIME_ID\b)\w+|\b(?:gettimeofday|time|ftime|timespec_get)\s*\(/.test(
      readFileSync(join(root, "native", name), "utf8").replace(comments, ""),
    ),
  );
  expect(native).not.toEqual([]);
  expect(reading.toSorted()).toEqual(["keeper/trial.c", "tls/tls_clock.c"]);
});
