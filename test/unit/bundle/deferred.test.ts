/**
 * A group of modules is not in the bundle, and is read once, when the first of its functions is called or of its
 * classes made.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { applicationOptions } from "../../../tools/bundle/application.mjs";
import { withDeferred } from "../../../tools/bundle/deferred.mjs";
import { groups } from "../../../tools/bundle/groups.mjs";
import { bundleOptions } from "../../../tools/bundle/options.mjs";

const tool = resolve(import.meta.dirname, "../../../tools/build/bundle.mjs");

const passingParts = resolve(import.meta.dirname, "../../../ts/platform/passing-parts.ts");

const sources = {
  "main.ts": `import { double, Pair } from "./rare.ts";
import { half } from "./other.ts";
import { triple } from "./third.ts";
import { Common } from "./common.ts";
import { two } from "./number.ts";
export const results: unknown[] = [];
results.push("started", double(21), double(2), new Pair(3).sum, half(two), triple(2), new Common().name);`,
  "rare.ts": `import { Common } from "./common.ts";
import { half } from "./other.ts";
import { triple } from "./third.ts";
console.log("evaluated");
export const double = (value: number) => [new Common() instanceof Common, half(4 * value)];
export class Pair {
  readonly sum: number;
  constructor(value: number) { this.sum = triple(value); }
}`,
  "other.ts": `import { two } from "./number.ts";
export function half(value: number) { const result = value / two; return result; }`,
  "third.ts": `export const triple = (value: number) => 3 * value;`,
  "number.ts": `export const two = 2;`,
  "common.ts": `export class Common { readonly name = "common"; }`,
};

/** @returns a folder with the files, and the path of a bundle in it. A person's name may be in the path of a clone. */
function project(files: Readonly<Record<string, string>> = sources) {
  const folder = mkdtempSync(join(tmpdir(), "nound-deferred-Jörg-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "out"));
  return { folder, bundle: join(folder, "out/app.js") };
}

/** Bundles the sources with two groups, and a third that the program does not import. */
async function bundled() {
  const { folder, bundle } = project();
  const inFolder = (names: readonly string[]) => names.map((name) => join(folder, name));
  const deferred = { few: inFolder(["rare.ts", "other.ts"]), third: inFolder(["third.ts"]), never: inFolder(["x.ts"]) };
  await build(await withDeferred(bundleOptions(join(folder, "main.ts"), bundle, { root: folder }), deferred));
  return { folder, bundle };
}

test("the bundle has everything but the groups, which are beside it if it needs them", async () => {
  const { folder, bundle } = await bundled();
  const text = readFileSync(bundle, "utf8");
  expect(text).toContain('"started"');
  expect(text).not.toContain("evaluated");
  const parts = readdirSync(join(folder, "out/app.parts"));
  expect(parts.sort()).toEqual(["core.js", "few.js", "third.js"]);
});

test("what only groups have in common is a file with a short name, which each of them has", async () => {
  const { folder, bundle } = project({
    "main.ts": `import { one } from "./one.ts";
import { two } from "./two.ts";
export const results = [one(), two()];`,
    "one.ts": `import { both } from "./both.ts";\nexport const one = () => both;`,
    "two.ts": `import { both } from "./both.ts";\nexport const two = () => both;`,
    "both.ts": `export const both = "both";`,
  });
  const deferred = { one: [join(folder, "one.ts")], two: [join(folder, "two.ts")] };
  await build(await withDeferred(bundleOptions(join(folder, "main.ts"), bundle, { root: folder }), deferred));
  expect(readdirSync(join(folder, "out/app.parts")).sort()).toEqual(["1.js", "core.js", "one.js", "two.js"]);
  expect(readFileSync(join(folder, "out/app.parts/two.js"), "utf8")).toContain('"./1.js"');
});

test("an application that imports JSON is bundled without a warning", async () => {
  const main = `import { name } from "./package.json";\n${sources["main.ts"]}\nresults.push(name);`;
  const { folder, bundle } = project({ ...sources, "main.ts": main, "package.json": '{ "name": "my-device" }' });
  const options = bundleOptions(join(folder, "main.ts"), bundle, { root: folder });
  const { warnings } = await build({
    ...(await withDeferred(options, { third: [join(folder, "third.ts")] })),
    logLevel: "silent",
  });
  expect(warnings.map(({ text }) => text)).toEqual([]);
});

test("all modules of the bundle but the first are in one file, the core", async () => {
  const { folder, bundle } = await bundled();
  const core = readFileSync(join(folder, "out/app.parts/core.js"), "utf8");
  expect(core).toContain('"common"');
  expect(core).toMatch(/two = 2/);
  const imports = [...readFileSync(bundle, "utf8").matchAll(/from "(\.[^"]*)"/g)].map(([, path]) => path);
  expect(imports).toEqual(["./app.parts/core.js"]);
});

test("the build depends on the files that were bundled, and on no others", () => {
  const { folder, bundle } = project();
  const args = [tool, "--root", folder, "--defer", join(folder, "main.ts"), bundle];
  const { status, stderr } = spawnSync("node", args, { encoding: "utf8" });
  expect({ status, errors: stderr.replace(/^npm warn.*\n/gm, "") }).toEqual({ status: 0, errors: "" });
  const [, inputs = ""] = readFileSync(`${bundle}.d`, "utf8").split(": ");
  const files = inputs.trim().split(/[\s\\]+/);
  expect(files.sort()).toEqual(
    Object.keys(sources)
      .map((name) => join(folder, name))
      .sort(),
  );
});

test("a group is evaluated once, and has its other modules in common with the bundle", async () => {
  const { folder, bundle } = await bundled();
  // Node's own require() of modules stands in for the C function.
  const start = 'import { createRequire } from "node:module";\n';
  const require = `createRequire(${JSON.stringify(bundle)})`;
  const importOfLoad = /import \{ load(?: as (\w+))? \} from "nound:script";/g;
  const results = "\nconsole.log(JSON.stringify(results));";
  for (const [path, more] of [
    [join(folder, "out/app.parts/core.js"), ""],
    [bundle, results],
  ] as const) {
    const text = readFileSync(path, "utf8").replaceAll(
      importOfLoad,
      (_, name = "load") => `const ${name} = ${require};`,
    );
    writeFileSync(path, start + text.replaceAll('("app.parts', '("./app.parts') + more);
  }
  writeFileSync(join(folder, "out/package.json"), '{ "type": "module" }');
  const { stdout } = spawnSync("node", ["--experimental-require-module", "--no-warnings", bundle], {
    encoding: "utf8",
  });
  expect(stdout.trim().split("\n")).toEqual(["evaluated", '["started",[true,42],[true,4],9,1,6,"common"]']);
});

describe("a group that passes", () => {
  /** A program that uses the group, forgets it, and uses it again. */
  const program = {
    ...sources,
    "main.ts": `import { freePassingParts } from ${JSON.stringify(passingParts)};
import { Common, renamed } from "./common.ts";
import { double } from "./rare.ts";
import { triple } from "./third.ts";
if (renamed === "yes") triple(1);
console.log(double(21).join(), renamed);
console.log(double(2).join(), new Common().name);
freePassingParts();
console.log(double(3).join());`,
    "common.ts": `export let renamed = "no"; export class Common { readonly name = "common"; }`,
  };

  async function bundledProgram(files: Readonly<Record<string, string>>) {
    const { folder, bundle } = project(files);
    const inFolder = (names: readonly string[]) => names.map((name) => join(folder, name));
    const deferred = { few: inFolder(["rare.ts", "other.ts"]), third: inFolder(["third.ts"]) };
    await build(
      await withDeferred(bundleOptions(join(folder, "main.ts"), bundle, { root: folder }), deferred, ["few"]),
    );
    return { folder, bundle };
  }

  test("is a script that is read again after it was forgotten, and shares the core's modules", async () => {
    const { folder, bundle } = await bundledProgram(program);
    expect(readdirSync(join(folder, "out/app.parts")).sort()).toEqual(["core.js", "few.script.js", "third.js"]);
    // Node evaluates a script as nound:script does.
    const native = join(folder, "out/native.mjs");
    writeFileSync(
      native,
      `import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
export const load = (name) => runInThisContext(readFileSync(new URL(name, import.meta.url), "utf8"));
export const collect = () => console.log("collected");`,
    );
    for (const path of [join(folder, "out/app.parts/core.js"), bundle]) {
      writeFileSync(path, readFileSync(path, "utf8").replaceAll('"nound:script"', JSON.stringify(native)));
    }
    writeFileSync(join(folder, "out/package.json"), '{ "type": "module" }');
    const { stdout } = spawnSync("node", [bundle], { encoding: "utf8" });
    const after = ["true,6"];
    expect(stdout.trim().split("\n")).toEqual([
      "evaluated",
      "true,42 no",
      "true,4 common",
      "collected",
      "evaluated",
      ...after,
    ]);
  });

  test("imports no variable that may change", async () => {
    const rare = sources["rare.ts"].replace("{ Common }", "{ Common, renamed }").replace('"evaluated"', "renamed");
    await expect(bundledProgram({ ...program, "rare.ts": rare })).rejects.toThrow(
      /renamed of .*common\.ts may change: no passing group can import it/,
    );
  });
});

test("an application with global names of its own has the groups that it reaches, those that pass too", async () => {
  const nound = JSON.stringify(resolve(import.meta.dirname, "../../../ts/nound.ts"));
  const { folder, bundle } = project({
    "main.ts": `import { serve } from ${nound}; setTimeout(() => serve, 0);`,
  });
  await build(await withDeferred(applicationOptions(join(folder, "main.ts"), bundle, { root: folder })));
  const parts = readdirSync(join(folder, "out/app.parts"));
  expect(parts).toEqual(expect.arrayContaining(["core.js", "mqtt.js", "home-assistant-message.script.js"]));
});

test("no module is in two groups, and each is there", () => {
  const modules = Object.values(groups).flat();
  expect(modules.filter((path) => !existsSync(path))).toEqual([]);
  expect(new Set(modules).size).toBe(modules.length);
});

describe.each(Object.entries(groups))("the group %s", (_, modules) => {
  test("exports only what can be called or constructed, each by another name", async () => {
    const exported = await Promise.all(modules.map(async (path) => Object.entries(await import(path))));
    const all = exported.flat();
    expect(all.filter(([, value]) => typeof value !== "function")).toEqual([]);
    expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
  });

  test("has no class that a module outside it extends or compares with", async () => {
    const top = resolve(import.meta.dirname, "../../../ts");
    const classes = (await Promise.all(modules.map(async (path) => Object.keys(await import(path))))).flat();
    const use = new RegExp(`\\b(?:extends|instanceof) (?:${classes.join("|")})\\b`);
    const outside = readdirSync(top, { recursive: true, encoding: "utf8" })
      .map((name) => join(top, name))
      .filter((path) => path.endsWith(".ts") && !modules.includes(path));
    expect(outside.filter((path) => use.test(readFileSync(path, "utf8")))).toEqual([]);
  });
});
