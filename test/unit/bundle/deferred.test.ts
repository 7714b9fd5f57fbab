/** A deferred module is not in the bundle, and is read once, when the first of its functions is called. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const tool = resolve(import.meta.dirname, "../../../tools/build/bundle.mjs");

const sources = {
  "main.ts": `import { double } from "./rare.ts";
import { half } from "./other.ts";
import { Common } from "./common.ts";
import { two } from "./number.ts";
export const results: unknown[] = [];
results.push("started", double(21), double(2), half(two), new Common().name);`,
  "rare.ts": `import { Common } from "./common.ts";
console.log("evaluated");
export const double = (value: number) => [new Common() instanceof Common, 2 * value];`,
  "other.ts": `import { two } from "./number.ts";
export function half(value: number) { const result = value / two; return result; }`,
  "number.ts": `export const two = 2;`,
  "common.ts": `export class Common { readonly name = "common"; }`,
};

/** Bundles the sources, and runs the bundle with a `nound:script` that reads the parts as Node does. */
function bundled() {
  const folder = mkdtempSync(join(tmpdir(), "nound-deferred-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "out"));
  const bundle = join(folder, "out/app.js");
  const { status, stderr } = spawnSync(
    "node",
    [
      ...[tool, "--root", folder, "--defer", join(folder, "rare.ts"), "--defer", join(folder, "other.ts")],
      ...[join(folder, "main.ts"), bundle],
    ],
    { encoding: "utf8" },
  );
  expect({ status, errors: stderr.replace(/^npm warn.*\n/gm, "") }).toEqual({ status: 0, errors: "" });
  return { folder, bundle };
}

test("the bundle has everything but the deferred module, which is beside it", () => {
  const { folder, bundle } = bundled();
  const text = readFileSync(bundle, "utf8");
  expect(text).toContain('"started"');
  expect(text).not.toContain("evaluated");
  expect(text).toContain('load("app.parts/rare.js")');
  expect(readdirSync(join(folder, "out/app.parts"))).toContain("rare.js");
});

test("the modules that the bundle has in common with any part are in one file, the core", () => {
  const { folder, bundle } = bundled();
  const parts = readdirSync(join(folder, "out/app.parts")).filter((name) => !name.startsWith("common-"));
  expect(parts.sort()).toEqual(["core.js", "other.js", "rare.js"]);
  const core = readFileSync(join(folder, "out/app.parts/core.js"), "utf8");
  expect(core).toContain('"common"');
  expect(core).toMatch(/two = 2/);
  const imports = [...readFileSync(bundle, "utf8").matchAll(/from "(\.[^"]*)"/g)].map(([, path]) => path);
  expect(imports).toEqual(["./app.parts/core.js"]);
});

test("the build depends on the files that were bundled, and on no others", () => {
  const { folder, bundle } = bundled();
  const [, inputs = ""] = readFileSync(`${bundle}.d`, "utf8").split(": ");
  const expected = Object.keys(sources).map((name) => join(folder, name));
  expect(
    inputs
      .trim()
      .split(/[\s\\]+/)
      .sort(),
  ).toEqual(expected.sort());
});

test("it is evaluated once, and has its other modules in common with the bundle", () => {
  const { folder, bundle } = bundled();
  // Node's own require() of modules stands in for the C function.
  const load = `import { createRequire } from "node:module"; const load = createRequire(${JSON.stringify(bundle)});`;
  const text = readFileSync(bundle, "utf8")
    .replace('import { load } from "nound:script";', load)
    .replace('import { load as load2 } from "nound:script";', "const load2 = load;");
  writeFileSync(join(folder, "out/package.json"), '{ "type": "module" }');
  writeFileSync(
    bundle,
    text.replaceAll('("app.parts', '("./app.parts').concat("\nconsole.log(JSON.stringify(results));"),
  );
  const { stdout } = spawnSync("node", ["--experimental-require-module", "--no-warnings", bundle], {
    encoding: "utf8",
  });
  expect(stdout.trim().split("\n")).toEqual(["evaluated", '["started",[true,42],[true,4],1,"common"]']);
});
