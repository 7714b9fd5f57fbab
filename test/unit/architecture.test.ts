/** The walls between the floors and rooms of docs/dev/architecture.md. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ringsOf } from "./rings.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const files = readdirSync(join(root, "ts"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:tsx?|json)$/.test(name))
  .map((name) => join("ts", name));

interface Import {
  /** What is imported: a path from the root, or a module's name. */
  readonly from: string;
  readonly typeOnly: boolean;
  /** The values that are imported by their names. */
  readonly values: readonly string[];
}

// Comments first, so that an example in one is not taken for an import.
const comments = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const statements = /^\s*(?:import|export)\s+(type\s+)?(?:([^"';]*?)\sfrom\s+)?"([^"]+)"/gm;
const expressions = /\bimport\(\s*"([^"]+)"\s*\)/g;

function importsOf(file: string): readonly Import[] {
  const source = readFileSync(join(root, file), "utf8").replace(comments, "");
  const resolved = (from: string) => (from.startsWith(".") ? relative(root, resolve(root, dirname(file), from)) : from);
  return [
    ...[...source.matchAll(statements)].map(([, type, names = "", from = ""]) => ({
      from: resolved(from),
      typeOnly: type !== undefined,
      values:
        type === undefined ? names.split(/[{},]/).flatMap((one) => /^\s*(?!type )(\w+)/.exec(one)?.[1] ?? []) : [],
    })),
    ...[...source.matchAll(expressions)].map(([, from = ""]) => ({
      from: resolved(from),
      typeOnly: file.endsWith(".d.ts"),
      values: [],
    })),
  ];
}

/** The floors, from below. A floor may import those before it, and of the modules of C those that are named. */
const floors: { readonly [floor: string]: readonly string[] } = {
  native: ["node:crypto", "nound:utf8"],
  // Moving bytes between encodings and walking through a text by a table are C's.
  core: ["nound:lexer", "nound:utf8"],
  platform: [
    ...["files", "gpio", "hash", "interruption", "keeper", "loop", "memory", "net", "privileges", "script"],
    ...["storage", "sysfs", "system", "utf8"],
  ].map((name) => `nound:${name}`),
  settings: [],
  hardware: ["nound:bus", "nound:input", "nound:keeper", "nound:serial"],
  parts: ["nound:acceptor", "nound:connector", "nound:keeper", "nound:page", "nound:registers", "nound:serial"],
  program: ["nound:input", "nound:keeper", "nound:privileges", "nound:script", "nound:utf8"],
};

/** Programs of their own: they import nothing. */
const apart = ["page", "trace"];

/** The rooms of a floor, from below: a room imports only those before it. */
const rooms = {
  core: ["grammar", "time", "http", "noun", "operations", "access", "feeds", "server"],
  hardware: ["open", "nouns", "kinds"],
};

/** The parts that a part imports beside its own folder. */
const partsOfParts: { readonly [part: string]: readonly string[] } = {
  tls: ["client"],
  // The list of changes is a document, and can be followed; the history is a text.
  changes: ["streams"],
  history: ["documents"],
  mirror: ["client"],
  modbus: ["client"],
  mqtt: ["client", "documents"],
  rules: ["documents"],
  webhook: ["client"],
};

/** Imports from a floor above, which are still to be cut. */
const upwards = [
  "ts/parts/mirror/mirrors.ts imports ts/program/application/server.ts",
  "ts/settings/noun-kind.ts imports the types of ts/parts/rules/part.ts",
];

/** The doors: what the world imports. They have no code of their own. */
const doors = ["ts/nound.ts", "ts/testing.ts"];

test("every file of ts/ is on a floor, in a program apart, or one of the two doors", () => {
  const outside = files.filter((file) => ![...Object.keys(floors), ...apart].includes(file.split("/")[1] ?? ""));
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

/** @returns the imports of a folder that `isAllowed` does not allow, as sentences. */
function forbidden(folder: string, isAllowed: (imported: Import, file: string) => boolean): readonly string[] {
  const inFolder = files.filter((file) => file.startsWith(`${folder}/`));
  // A folder of several files has imports, so a pattern that finds none has gone blind.
  expect(inFolder.flatMap(importsOf)).not.toEqual([]);
  return inFolder.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !isAllowed(imported, file))
      .map(({ from, typeOnly }) => `${file} imports ${typeOnly ? "the types of " : ""}${from}`),
  );
}

function isIn(folders: readonly string[], from: string): boolean {
  return folders.some((folder) => from.startsWith(`ts/${folder}/`));
}

test("a floor imports only the floors below it", () => {
  const found = Object.entries(floors).flatMap(([floor, modules], index) => {
    const below = Object.keys(floors).slice(0, index + 1);
    return forbidden(`ts/${floor}`, ({ from }) => isIn(below, from) || modules.includes(from));
  });
  expect(found.toSorted()).toEqual(upwards);
});

test.each(apart)("ts/%s imports nothing of the others", (folder) => {
  expect(forbidden(`ts/${folder}`, ({ from }) => isIn([folder], from))).toEqual([]);
});

test.each(Object.entries(rooms))("a room of ts/%s imports only the rooms below it", (floor, names) => {
  const found = names.flatMap((room, index) => {
    const above = names.slice(index + 1).map((name) => `${floor}/${name}`);
    return forbidden(`ts/${floor}/${room}`, ({ from }) => !isIn(above, from));
  });
  expect(found).toEqual([]);
});

test("a part imports no other one, but for those named here", () => {
  const parts = [
    ...new Set(files.filter((file) => file.startsWith("ts/parts/")).map((file) => file.split("/")[2] ?? "")),
  ];
  const found = parts.map((part) => {
    const inPart = files.filter((file) => file.startsWith(`ts/parts/${part}/`)).flatMap(importsOf);
    const others = inPart
      .filter(({ from }) => from.startsWith("ts/parts/"))
      .map(({ from }) => from.split("/")[2] ?? "");
    return [part, [...new Set(others)].filter((other) => other !== part).toSorted()] as const;
  });
  expect(Object.fromEntries(found.filter(([, others]) => others.length > 0))).toEqual(partsOfParts);
});

/** The parts of a server that plug in: their folders. */
const plugged = files.filter((file) => /^ts\/parts\/[\w/-]+\/part\.ts$/.test(file)).map(dirname);

/** Functions that belong to no server: they write a text about a noun from its shape. */
const pure = "ts/parts/documents/describe/";

/** @returns whether an import is of a folder that has a `part.ts`, but not of this file. */
function isBehindDoor(from: string): boolean {
  return plugged.some(
    (folder) => from.startsWith(`${folder}/`) && from !== `${folder}/part.ts` && !from.startsWith(pure),
  );
}

test("the parts of a server are found", () => {
  expect(plugged.length).toBeGreaterThan(8);
});

test.each(plugged)("%s/part.ts imports types, keys of other parts, and functions of its own folder alone", (folder) => {
  const imported = importsOf(`${folder}/part.ts`).filter(({ typeOnly }) => !typeOnly);
  expect(imported).not.toEqual([]);
  const others = imported.filter(({ from }) => !from.startsWith(`${folder}/`));
  expect(others.filter(({ from }) => !plugged.includes(dirname(from)) || isBehindDoor(from))).toEqual([]);
  expect(others.flatMap(({ values }) => values).filter((name) => !name.endsWith("Key"))).toEqual([]);
});

test.each(plugged)("%s is entered by its part.ts alone, and opens only the parts that this imports", (folder) => {
  const entering = files
    .filter((file) => !file.startsWith(`${folder}/`))
    .flatMap((file) => importsOf(file).map(({ from }) => ({ file, from })))
    .filter(({ from }) => from.startsWith(`${folder}/`) && isBehindDoor(from));
  expect(entering.map(({ file, from }) => `${file} imports ${from}`)).toEqual([]);
  const opening = files
    .filter((file) => file.startsWith(`${folder}/`) && file !== `${folder}/part.ts`)
    .flatMap((file) =>
      importsOf(file).flatMap(({ from, values }) =>
        from.startsWith("ts/parts/") && !from.startsWith(`${folder}/`) ? values : [],
      ),
    );
  expect(opening.filter((name) => /\wKey$/.test(name))).toEqual([]);
});

test.each([
  ["history", 3],
  ["changes", 3],
  ["guards", 3],
  ["mqtt", 5],
  ["mirror", 2],
])("few files outside of the part %s know that there is such a part", (part, most) => {
  const knowing = files
    .filter((file) => !file.startsWith(`ts/parts/${part}/`))
    .filter((file) => readFileSync(join(root, file), "utf8").includes(`parts/${part}/`));
  expect(knowing.length).toBeGreaterThan(0);
  expect(knowing.length).toBeLessThanOrEqual(most);
});

test("the code of a server, of operations, feeds and HTTP names no part", () => {
  const ofCore = files.filter((file) => /^ts\/core\/(?:server|operations|feeds|http)\//.test(file));
  const texts = /"[^"]*"|`[^`]*`/g;
  const naming = ofCore.filter((file) =>
    /guard|history|changes|mqtt|mirror|rule|cover|page/i.test(
      readFileSync(join(root, file), "utf8").replace(comments, "").replace(texts, ""),
    ),
  );
  expect(ofCore.length).toBeGreaterThan(50);
  expect(naming).toEqual([]);
});

test("the spine of the core is 13 files, each of which needs only those before it", () => {
  const page = readFileSync(join(root, "docs/dev/architecture.md"), "utf8");
  const spine = Array.from(page.matchAll(/^\d+\. `(ts\/core\/[\w/-]+\.ts)`/gm), ([, file = ""]) => file);
  expect(spine).toHaveLength(13);
  const backwards = spine.flatMap((file, index) =>
    importsOf(file).filter(({ from, values }) => values.length > 0 && spine.indexOf(from) > index),
  );
  expect(backwards).toEqual([]);
  const lines = spine.map((file) => readFileSync(join(root, file), "utf8").split("\n").length - 1);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2_900);
});

test("every import is of a file that exists", () => {
  const missing = files.flatMap(importsOf).filter(({ from }) => from.startsWith("ts/") && !files.includes(from));
  expect(missing).toEqual([]);
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

test("each member that the page names is one of its class", () => {
  const page = readFileSync(join(root, "docs/dev/architecture.md"), "utf8");
  const named = Array.from(
    page.matchAll(/`([A-Z]\w+)\.(?!json)(\w+)`/g),
    ([, type = "", name = ""]) => [type, name] as const,
  );
  expect(named.length).toBeGreaterThan(50);
  const sources = files.map((file) => readFileSync(join(root, file), "utf8").replace(comments, ""));
  const missing = named.filter(([type, name]) => {
    const declared = new RegExp(`^export (?:abstract )?(?:class|interface) ${type}\\b`, "m");
    const member = new RegExp(
      `^  (?:declare |private |protected |readonly |async |get )*${name}\\??(?:[(<:;]| = )`,
      "m",
    );
    return !sources.some((source) => member.test(source.split(declared)[1] ?? ""));
  });
  expect(missing.map((one) => one.join("."))).toEqual([]);
});

test("no files of ts/ import one another in a ring, but for types", () => {
  const imports = files.map((file) => ({ file, needed: importsOf(file).filter(({ typeOnly }) => !typeOnly) }));
  const needs = new Map(imports.map(({ file, needed }) => [file, new Set(needed.map(({ from }) => from))]));
  expect(Array.from(needs.values()).flatMap((names) => [...names]).length).toBeGreaterThan(500);
  expect(ringsOf(needs)).toEqual([]);
});

test("no module has a variable that a test must reset: what lives as long as the program is made by ofProgram", () => {
  const inServer = files.filter((file) => /^ts\/(?!page\/|trace\/).*\.ts$/.test(file));
  const variables = inServer.flatMap((file) =>
    Array.from(readFileSync(join(root, file), "utf8").matchAll(/^(?:export )?let (\w+)/gm), ([, name = ""]) => [
      file,
      name,
    ]),
  );
  // A grammar's table is made once, and is the same for ever.
  const others = variables.filter(([, name = ""]) => !/^(?:grammar|table|stateTable|headTable)$/.test(name));
  expect(others.map((one) => one.join(": ")).toSorted()).toEqual([
    "ts/core/noun/author-mistakes.ts: report",
    "ts/native/of-program.ts: program",
    "ts/platform/log.ts: observer",
    "ts/platform/platform.ts: isSimulated",
    "ts/program/testing/request.ts: count",
  ]);
});

test("ts/core/time/ alone sets timers, but for those of authors and of simulated hardware", () => {
  const others = files.filter((file) => !/^ts\/(?:core\/time|native|program\/testing)\//.test(file));
  const setting = others.filter((file) => readFileSync(join(root, file), "utf8").includes("setTimer("));
  expect(others.length).toBeGreaterThan(300);
  expect(setting.toSorted()).toEqual([
    "ts/platform/kept-date.ts",
    "ts/platform/time.ts",
    "ts/program/application/globals/timers.ts",
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
