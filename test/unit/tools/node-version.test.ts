/** What a person reads who has an older Node than the tools need, such as the one of Debian 12. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { top } from "../../harness/top.ts";

/** Runs a program of the project by this Node, which says to be another one. */
function runAs(version: string, program: string): SpawnSyncReturns<string> {
  const claim = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  const options = ["--import", `data:text/javascript,${encodeURIComponent(claim)}`];
  return spawnSync(process.execPath, [...options, join(top, program), "--help"], { encoding: "utf8" });
}

test.each(["tools/build/build.mjs", "tools/build/package.mjs", "tools/dist/dist.mjs", "cli/main.mjs"])(
  "%s ends with one sentence by Node 18, and no stack",
  (program) => {
    const { status, stderr, stdout } = runAs("18.20.4", program);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^nound: this is Node 18\.20\.4, and 20\.19 is the oldest that works\. .*\n$/);
  },
);

test("the oldest Node is accepted, and is the one of package.json", () => {
  expect(runAs("20.19.0", "cli/main.mjs").status).toBe(0);
  expect(runAs("20.18.9", "cli/main.mjs").status).toBe(1);
  const { engines } = JSON.parse(readFileSync(join(top, "package.json"), "utf8"));
  expect(engines.node).toBe(">=20.19");
});
