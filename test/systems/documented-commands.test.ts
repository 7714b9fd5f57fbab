/**
 * The commands of docs/install.md, unchanged, in the trees that `BUILDROOT` and `OPENWRT` name: configured
 * checkouts, which they change. `RELEASE` names the folder of the release, dist/ unless given. A build of a whole tree
 * needs the internet, so `UNTIL` may name the last command to run, by its beginning.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { top } from "../release/work-folder.ts";

const page = readFileSync(join(top, "docs/install.md"), "utf8");
const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
const { RELEASE: release = join(top, "dist"), UNTIL: until = "" } = process.env;

/** The commands of a section: the lines of its blocks of shell. */
function commandsOf(section: string): readonly string[] {
  const [, text = ""] = page.match(new RegExp(`^## ${section}$([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, "m")) ?? [];
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) => block.trimEnd().split("\n"));
}

describe("the page", () => {
  test.each(["The release", "OpenWrt", "Buildroot", "Debian", "systemd"])("has commands for %s", (section) => {
    expect(commandsOf(section).length).toBeGreaterThan(1);
  });

  test("names the version of the project", () => {
    expect(commandsOf("The release")).toContain(`VERSION=${version}`);
  });

  test.each(["OpenWrt", "Buildroot", "Debian", "systemd"])("has commands for %s that a shell can read", (section) => {
    const { status, stderr } = spawnSync("sh", ["-n"], { input: commandsOf(section).join("\n"), encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe.each([
  { section: "OpenWrt", variable: "OPENWRT", tree: process.env["OPENWRT"] },
  { section: "Buildroot", variable: "BUILDROOT", tree: process.env["BUILDROOT"] },
])("$section", ({ section, variable, tree }) => {
  const notTried = tree === undefined ? ` (not tried: ${variable} names no tree)` : "";

  test.skipIf(tree === undefined)(`every command succeeds in the tree${notTried}`, { timeout: 7_200_000 }, () => {
    expect(existsSync(join(release, `nound-${version}.tar.xz`)), `a release in ${release}`).toBe(true);
    const environment = { ...process.env, RELEASE: release, VERSION: version, FORCE_UNSAFE_CONFIGURE: "1" };
    const commands = commandsOf(section);
    const last = until === "" ? commands.length - 1 : commands.findIndex((command) => command.startsWith(until));
    expect(last, `${until} begins a command`).toBeGreaterThanOrEqual(0);
    for (const command of commands.slice(0, last + 1)) {
      const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
        cwd: tree,
        env: environment,
        encoding: "utf8",
        maxBuffer: 2 ** 28,
      });
      console.log(`$ ${command}\n${`${stdout}${stderr}`.split("\n").slice(-6).join("\n")}`);
      expect(status, command).toBe(0);
    }
    const configuration = readFileSync(join(tree ?? "", ".config"), "utf8");
    expect(configuration).toMatch(/^(?:CONFIG|BR2)_PACKAGE_(?:nound=m|NOUND=y)$/m);
  });
});

describe("Buildroot's own judge of packages", () => {
  // It needs Debian's python3-magic and flake8, and the Python that they are for.
  const debian = { ...process.env, PATH: `/usr/bin:${process.env["PATH"] ?? ""}` };
  const { BUILDROOT: tree } = process.env;
  const notTried = tree === undefined ? " (not tried: BUILDROOT names no tree)" : "";

  test.skipIf(tree === undefined)(`finds nothing wrong${notTried}`, () => {
    const folder = join(top, "packaging/buildroot");
    const words = [
      "-c",
      'cd "$1" && find . -type f | xargs "$2" -b',
      "sh",
      folder,
      join(tree ?? "", "utils/check-package"),
    ];
    const { status, stdout, stderr } = spawnSync("sh", words, { encoding: "utf8", env: debian });
    expect({
      status,
      warnings: `${stdout}${stderr}`.match(/(\d+) warnings generated/)?.[1],
      said: stdout + stderr,
    }).toMatchObject({
      status: 0,
      warnings: "0",
    });
  });
});
