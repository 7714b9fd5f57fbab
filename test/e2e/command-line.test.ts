/** The command line and the configuration: what starts, what is refused, and how it is said. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { freeAddress, isListening } from "../harness/address.ts";
import { expectState } from "../harness/expected-response.ts";
import { configurationFile, NoundProcess, runNound, startNound, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forThisTest } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

/** Expects that the program did not start and said why in one line. @returns the line. */
async function expectRefused(...args: readonly string[]): Promise<string> {
  const { status, signal, stdout, stderr } = await runNound(...args);
  expect({ signal, stdout }).toEqual({ signal: null, stdout: "" });
  expect(status).toBeGreaterThan(0);
  expect(stderr).toMatch(/^[^\n]{20,440}\n$/);
  return stderr;
}

describe("the command line", () => {
  test.each([
    ["an unknown option", ["--zqx"]],
    ["an unknown short option", ["-z"]],
    ["a word that is no option", ["zqx"]],
    ["--config without a file", ["--config"]],
    ["--listen without an address", ["--listen"]],
  ])("with %s is refused in one line", async (_, args) => {
    await expectRefused("--config", configurationFile({ listen: [await freeAddress()], nouns }), ...args);
  });

  test("--version prints the version of package.json and the commit to standard output and ends with 0", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    const { status, stdout, stderr } = await runNound("--version");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^nound ${version.replaceAll(".", "\\.")}\\+[0-9a-f]{7} \\(`));
  });

  test("--help prints every option to standard output and ends with 0", async () => {
    const { status, stdout, stderr } = await runNound("--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    for (const option of ["--config", "--listen", "--simulate", "--check", "--debug", "--version", "--help"]) {
      expect(stdout).toContain(option);
    }
  });

  test("--check of a good configuration ends with 0, says nothing on standard error and listens nowhere", async () => {
    const address = await freeAddress();
    const { status, stderr } = await runNound("--config", configurationFile({ listen: [address], nouns }), "--check");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(isListening(address)).toBe(false);
  });

  test("--check of a bad configuration is refused in one line", async () => {
    expect(await expectRefused("--check", "--config", configurationFile('{"nouns":{"led":7}}'))).toContain("led");
  });

  test("--listen may be given several times", async () => {
    const [one, other] = [await freeAddress(), await freeAddress()];
    const args = ["--config", configurationFile({ nouns }), "--listen", one, "--listen", other];
    const nound = forThisTest(new NoundProcess(args, one));
    await nound.listening([one, other]);
    for (const address of [one, other]) {
      const connection = await RawConnection.open(address);
      connection.send(get("/led"));
      expectState(await connection.response(), { led: 0 });
    }
  });

  test("--simulate without a configuration serves a led and says in one line how to try it", async () => {
    const address = await freeAddress();
    const nound = endedByThisTest(new NoundProcess(["--simulate", "--listen", address], address));
    await nound.listening();
    const connection = await RawConnection.open(address);
    connection.send(get("/led"));
    expect((await connection.response()).status).toBe(200);
    const { status, stdout, stderr } = await nound.stop();
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(/^[^\n]*curl [^\n]*\n$/);
    expect(stderr).toContain(address);
  });
});

describe("an address that is in use", () => {
  test("is refused in one line that names it, and the first program serves on", async () => {
    const first = forThisTest(await startNound({ nouns }));
    const file = configurationFile({ listen: [first.address], nouns });
    expect(await expectRefused("--config", file)).toContain(first.address);
    const connection = await RawConnection.open(first.address);
    connection.send(get("/led"));
    expectState(await connection.response(), { led: 0 });
  });

  test("can be used again at once after the program before it has ended", async () => {
    const first = endedByThisTest(await startNound({ nouns }));
    const connection = await RawConnection.open(first.address);
    connection.send(get("/led"));
    expectState(await connection.response(), { led: 0 });
    // The server closes first, so that the address's TIME_WAIT is on its side.
    expect(await first.stop()).toEqual(cleanEnding);
    const second = forThisTest(await startNound({ listen: [first.address], nouns }));
    const again = await RawConnection.open(second.address);
    again.send(get("/led"));
    expectState(await again.response(), { led: 0 });
  });
});

describe("a configuration file", () => {
  test("that does not exist is refused in one line that names it", async () => {
    const path = temporaryPath("missing.json");
    expect(await expectRefused("--config", path)).toContain(path);
  });

  test("that is a device without an end is refused in one line", async () => {
    await expectRefused("--config", "/dev/zero");
  });

  const rows: [what: string, content: string, named: string][] = [
    ["is empty", "", ""],
    ["is no JSON", '{"nouns":', ""],
    ["has a noun of an unknown kind", JSON.stringify({ nouns: { led: { kind: "zqx" } } }), "kind"],
  ];
  test.each(rows)("that %s is refused in one line that names what is wrong", async (_, content, named) => {
    expect(await expectRefused("--config", configurationFile(content), "--listen", await freeAddress())).toContain(
      named,
    );
  });

  test("that ends in a control sequence cannot drive the terminal that shows why it is refused", async () => {
    const line = await expectRefused("--config", configurationFile('{"nouns":{"a\\u001b[2Jb":{"kind":"value"}}}'));
    expect(line.trimEnd()).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]));
  test.each([
    ["unknown keys", { nouns, ...many(20_000) }],
    ["unknown keys of a noun", { nouns: { led: { ...nouns.led, ...many(20_000) } } }],
    ["nouns that are none", { nouns: many(20_000) }],
    ["addresses that are none", { nouns, listen: Array.from({ length: 100_000 }, () => 1) }],
  ])("with very many %s is refused, and ten of them are told", async (_, configuration) => {
    const file = configurationFile(JSON.stringify(configuration));
    const { status, stdout, stderr } = await runNound("--check", "--config", file);
    expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
    const lines = stderr.trimEnd().split("\n");
    expect(lines.slice(0, -1).filter((line) => line.startsWith(`nound: ${file}: $`))).toHaveLength(10);
    expect(lines.slice(10)).toEqual([`nound: ${file}: more than 240 more mistakes`]);
  });
});
