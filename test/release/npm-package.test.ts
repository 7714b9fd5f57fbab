/**
 * The npm package of `npm run dist`, as an author uses it on a machine that has Node and npm and nothing else: from an
 * empty folder to the application's binary for each target. npm downloads what the package depends on.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { wrongLinks } from "../harness/page-links.ts";
import { targets } from "../targets/targets.ts";
import { savedFiles } from "../tutorial/page.ts";
import { readElf, segmentType } from "../unit/payload/elf-file.ts";
import { dist, run, temporaryFolder, top } from "./work-folder.ts";

const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const tarball = join(dist, `nound-${version}.tgz`);
const parent = temporaryFolder();
const folder = join(parent, "my-device");
/** The tutorial's commands for a project with the npm package. */
const commands =
  /^ {4}mkdir my-device(?:.*\n)(?: {4}.*\n)+/m.exec(readFileSync(join(top, "docs/tutorial.md"), "utf8"))?.[0] ?? "";
const targetOptions = targets.flatMap(({ name }) => ["--target", name]);

/** GNU's strip for each target, by Debian's name of the processor. */
const strips: Readonly<Record<string, string>> = {
  ...{ x86_64: "x86_64-linux-gnu", aarch64: "aarch64-linux-gnu", riscv64: "riscv64-linux-gnu" },
  ...{ armv7: "arm-linux-gnueabihf", armv6: "arm-linux-gnueabihf", armv5: "arm-linux-gnueabihf" },
  ...{ mipsel: "mipsel-linux-gnu", mips: "mips-linux-gnu" },
};

/** A PATH with Node, npm, a shell and mkdir, and without a compiler, CMake, git or anything else. */
function nodeAlone(): string {
  const programs = temporaryFolder();
  for (const name of ["node", "npm", "npx", "sh", "mkdir"]) {
    symlinkSync(run("sh", ["-c", `command -v ${name}`]).trim(), join(programs, name));
  }
  return programs;
}

const PATH = nodeAlone();
/** What these commands have printed. */
let typed = "";

/** Runs a command in the project, on a machine with Node alone. @returns what it prints. */
function here(command: string, ...args: readonly string[]): string {
  return run(join(PATH, command), args, { folder, environment: { PATH } });
}

/** Megabytes that a folder takes on a disk. Of esbuild's program, npm makes a second name and no copy. */
function megabytes(path: string): number {
  const [kibibytes = ""] = run("du", ["-sk", path]).split("\t");
  return (Number(kibibytes) * 1_024) / 1e6;
}

function binary(target: string): string {
  return join(folder, "build", target, "my-device");
}

/** Whether the kernel gives a program a stack that is executable. */
function hasExecutableStack(path: string): boolean {
  const stack = readElf(readFileSync(path)).segments.find(({ type }) => type === segmentType.stack);
  return stack === undefined || stack.flags % 2 === 1;
}

beforeAll(() => {
  installHostPackages(
    {
      ...Object.fromEntries(
        Object.values(strips).map((name) => [`${name}-strip`, `binutils-${name.replaceAll("_", "-")}`]),
      ),
      "llvm-strip": "llvm",
    },
    "The test of the npm package",
  );
  cpSync(tarball, join(parent, `nound-${version}.tgz`));
  const quiet = { npm_config_audit: "false", npm_config_fund: "false" };
  typed = run("sh", ["-ec", commands], { folder: parent, environment: { PATH, ...quiet } });
});

test("has at most 8 MB, and at most 80 MB are installed with all that it depends on", () => {
  expect(statSync(tarball).size).toBeLessThan(8_000_000);
  expect(megabytes(join(folder, "node_modules"))).toBeLessThan(80);
});

test("the tutorial's commands make an empty folder a project whose types and tests are right, and a binary", () => {
  expect(typed).toMatch(/3 passed/);
  expect(existsSync(binary("armv7"))).toBe(true);
});

test("the noun of README is added, with the tutorial's test", () => {
  for (const [name, text] of Object.entries(savedFiles)) writeFileSync(join(folder, name), text);
  expect(here("npm", "test")).toMatch(/4 passed/);
});

test("the pages lead to files of the package", () => {
  const place = join(folder, "node_modules/nound");
  const files = readdirSync(place, { recursive: true, encoding: "utf8" });
  const pages = files.filter((name) => name.endsWith(".md") && !name.startsWith("cli/template/"));
  expect(pages).toContain("docs/tutorial.md");
  for (const page of pages) expect(wrongLinks(place, page), page).toEqual([]);
  expect(wrongLinks(folder, "README.md")).toEqual([]);
});

test("a folder that has something in it is refused in one line", () => {
  expect(() => here("npx", "nound", "new")).toThrow(/nound: there is \S+ in this folder already/);
});

test("`nound dev` serves the project", async () => {
  const address = await freeAddress();
  const child = spawn(join(PATH, "npx"), ["nound", "dev", "--listen", address], {
    ...{ cwd: folder, env: { ...process.env, PATH }, stdio: "ignore", detached: true },
  });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  });
  expect(await eventually("the LED is served", () => led(address))).toBe('{"led":0}');
});

/** The state of the LED, or undefined when there is no answer yet. */
async function led(address: string): Promise<string | undefined> {
  try {
    return await (await fetch(`http://${address}/led`, { headers: { connection: "close" } })).text();
  } catch {
    return undefined;
  }
}

describe("binaries", () => {
  beforeAll(() => {
    here("npx", "nound", "build", ...targetOptions);
  });

  test("are the same, byte for byte, when they are built again", () => {
    const first = targets.map(({ name }) => readFileSync(binary(name)));
    rmSync(join(folder, "build"), { recursive: true });
    here("npx", "nound", "build", ...targetOptions);
    for (const [index, { name }] of targets.entries()) {
      expect(Buffer.compare(readFileSync(binary(name)), first[index] ?? Buffer.alloc(0)), name).toBe(0);
    }
  });

  describe.each(targets)("for $name", ({ name, emulator, processors: [processor], bigEndian }) => {
    const copies = temporaryFolder();
    const emulated = (path: string, ...args: readonly string[]) => run(emulator, ["-cpu", processor, path, ...args]);

    test("answer a request", async () => {
      const address = await freeAddress();
      const args = ["-cpu", processor, binary(name), "--simulate", "--listen", address];
      const child = spawn(emulator, args, { stdio: "ignore" });
      onTestFinished(() => void child.kill());
      expect(await eventually(`${name} serves`, () => led(address))).toBe('{"led":0}');
    });

    test(`have ${bigEndian ? "the text" : "bytecode, and not the text,"} inside`, () => {
      const text = readFileSync(join(folder, "build", name, "my-device.js")).subarray(-200);
      expect(readFileSync(binary(name)).includes(text)).toBe(bigEndian);
    });

    test.each([
      ["GNU strip", `${strips[name]}-strip`],
      ["llvm-strip", "llvm-strip"],
    ])("work after %s, with a stack that is not executable", (_, strip) => {
      const copy = join(copies, `my-device-${strip}`);
      execFileSync(strip, ["-o", copy, binary(name)]);
      expect(emulated(copy, "--version")).toMatch(/^my-device 0\.1\.0 \(nound /);
      expect(emulated(copy, "--check")).toBe("my-device 0.1.0: 2 nouns, listens on 127.0.0.1:8080\n");
      expect(hasExecutableStack(copy)).toBe(false);
    });

    test("work after a copy through tar", () => {
      const archive = join(copies, "my-device.tar");
      run("tar", ["-C", join(folder, "build", name), "-cf", archive, "my-device"]);
      run("tar", ["-C", copies, "-xf", archive]);
      expect(emulated(join(copies, "my-device"), "--version")).toMatch(/^my-device 0\.1\.0 \(nound /);
      expect(hasExecutableStack(join(copies, "hall"))).toBe(false);
    });
  });
});
