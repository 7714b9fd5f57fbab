/** What `nound package` refuses to make a service of. It says so before it builds anything. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { patience } from "../harness/patience.ts";

/**
 * Runs `nound package` for a target that does not exist: it says so only where the project is in order. @returns what
 * it says.
 */
function pack(description: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "nound-own-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/main.ts"), "");
  writeFileSync(join(folder, "package.json"), JSON.stringify(description));
  const command = [resolve("cli/main.mjs"), "package", "--for", "openwrt", "--target", "zqx"];
  const { status, stderr } = spawnSync("node", command, { cwd: folder, encoding: "utf8", timeout: patience });
  expect(status).not.toBe(0);
  return stderr;
}

test.each(["root", "daemon", "nobody", "sh", "login", "start-stop-daemon", "systemd-network", "nound"])(
  "a service cannot be called %s, which a system has already",
  (name) => {
    expect(pack({ name, version: "1.0.0" })).toBe(
      `nound: a service cannot be called ${name}: systems already have a user or program of that name; change ` +
        `the name in package.json\n`,
    );
  },
);

test.each(["1.0\n$(shell reboot)", "$(shell reboot)", "1.0 beta", "1/0", "", "beta", 7, null])(
  "a version that a Makefile would read as something else is refused: %j",
  (version) => {
    expect(pack({ name: "hall-lamp", version })).toBe(
      `nound: ${JSON.stringify(version)} cannot be the version of a package: use one such as 1.2.3 in package.json\n`,
    );
  },
);

test.each([{ version: "1.2.3" }, { version: "1.2.3-beta.1+build.7" }, { version: "20261122" }, {}])(
  "a version as npm has them is taken, and 0.0.0 without one: %j",
  (described) => {
    expect(pack({ name: "hall-lamp", ...described })).toContain("zqx");
  },
);
