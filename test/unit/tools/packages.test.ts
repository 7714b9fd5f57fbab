/** The sets of npm packages that a command installs when it needs them. A script stands for npm. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { top } from "../../harness/top.ts";

const description = JSON.stringify({ name: "plain", version: "1.2.3", bin: { plainly: "bin.mjs" } });

/** Installs the package, and appends a line to the file `calls`. */
const npm = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, writeFileSync } = require("node:fs");
appendFileSync(process.env.CALLS, process.argv.slice(2, 3) + "\\n");
mkdirSync("node_modules/plain", { recursive: true });
writeFileSync("node_modules/plain/bin.mjs", "");
if (existsSync(process.env.CALLS + ".fails")) process.exit(1);
writeFileSync("node_modules/plain/package.json", ${JSON.stringify(description)});
`;

/** A clone with a set of one package. */
class Clone {
  readonly root = mkdtempSync(join(tmpdir(), "nound-packages-"));
  readonly set = join(this.root, "tools/packages/test");
  readonly calls = join(this.root, "calls");

  constructor() {
    onTestFinished(() => rmSync(this.root, { recursive: true }));
    mkdirSync(this.set, { recursive: true });
    writeFileSync(join(this.set, "package.json"), JSON.stringify({ dependencies: { plain: "1.2.3" } }));
    this.lock("one");
    mkdirSync(join(this.root, "programs"));
    writeFileSync(join(this.root, "programs/npm"), npm);
    chmodSync(join(this.root, "programs/npm"), 0o755);
  }

  lock(content: string): void {
    writeFileSync(join(this.set, "package-lock.json"), content);
  }

  /** @returns what is printed: the line about the installation, then the sentence. */
  need(): SpawnSyncReturns<string> {
    const module = JSON.stringify(join(top, "tools/build/packages.mjs"));
    const script = `import { missingPackages } from ${module};
      process.stdout.write(missingPackages("test", ${JSON.stringify(this.root)}) ?? "");`;
    return spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
      env: {
        ...process.env,
        PATH: `${join(this.root, "programs")}${delimiter}${process.env["PATH"]}`,
        CALLS: this.calls,
      },
    });
  }

  /** How often npm was called. */
  get installations(): number {
    return existsSync(this.calls) ? readFileSync(this.calls, "utf8").split("\n").length - 1 : 0;
  }
}

const line = "nound: installing the packages of the tests, once: 131 MB, 10 s\n";

test("a set is installed from its own lock file, with one line, and linked with its programs", () => {
  const clone = new Clone();
  expect(clone.need()).toMatchObject({ status: 0, stdout: "", stderr: line });
  const own = realpathSync(join(clone.set, "node_modules/plain"));
  expect(realpathSync(join(clone.root, "node_modules/plain"))).toBe(own);
  expect(realpathSync(join(clone.root, "node_modules/.bin/plainly"))).toBe(join(own, "bin.mjs"));
});

test("a set that is installed needs no npm and prints nothing, also after another `npm ci`", () => {
  const clone = new Clone();
  clone.need();
  expect(clone.need()).toMatchObject({ status: 0, stdout: "", stderr: "" });
  rmSync(join(clone.root, "node_modules"), { recursive: true });
  expect(clone.need()).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(existsSync(join(clone.root, "node_modules/plain/package.json"))).toBe(true);
  expect(clone.installations).toBe(1);
});

test("a set is installed again when its lock file has changed", () => {
  const clone = new Clone();
  clone.need();
  clone.lock("two");
  expect(clone.need().stderr).toBe(line);
  expect(clone.installations).toBe(2);
});

test("packages of the right version in node_modules itself are used, and replaced when they have another one", () => {
  const clone = new Clone();
  const folder = join(clone.root, "node_modules/plain");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), description);
  expect(clone.need()).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(clone.installations).toBe(0);
  writeFileSync(join(folder, "package.json"), description.replace("1.2.3", "1.2.2"));
  expect(clone.need()).toMatchObject({ status: 0, stdout: "", stderr: line });
  expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({ version: "1.2.3" });
});

test("an installation that fails ends with a sentence, and leaves nothing of itself", () => {
  const clone = new Clone();
  writeFileSync(`${clone.calls}.fails`, "");
  const { stdout, stderr } = clone.need();
  expect(stderr).toBe(line);
  expect(stdout).toMatch(
    /^the packages of the tests could not be installed; .* by node tools\/build\/packages\.mjs test$/,
  );
  expect(readdirSync(clone.set)).not.toContain("node_modules");
  expect(readdirSync(join(clone.root, "build"))).toEqual([]);
  rmSync(`${clone.calls}.fails`);
  expect(clone.need().stdout).toBe("");
});
