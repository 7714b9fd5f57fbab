/** What `serve` makes of an application: the options and exit statuses that the stock program has. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { NoundProcess, runNound } from "../harness/nound-process.ts";
import { cleanEnding, endedByThisTest } from "../harness/served.ts";

let bundle = "";

beforeAll(async () => {
  bundle = await bundleApplication("test/e2e/service-application.ts");
});

/** Runs the application to its end. */
async function run(...args: readonly string[]) {
  const { status, stdout, stderr } = await runNound("--run", bundle, "--", ...args);
  return { status, stdout, stderr };
}

/** Starts the application on a free port. */
async function start(...args: readonly string[]): Promise<NoundProcess> {
  const address = await freeAddress();
  const started = endedByThisTest(new NoundProcess(["--run", bundle, "--", "--listen", address, ...args], address));
  await started.listening();
  return started;
}

/** Expects the state of the lamp. */
async function expectLamp({ address }: NoundProcess): Promise<void> {
  const answer = await fetch(`http://${address}/lamp`, { headers: { connection: "close" } });
  expect(await answer.json()).toEqual({ lamp: 0 });
}

describe("what ends at once", () => {
  test("--help and -h name every option and the application's own address", async () => {
    const { stdout, ...rest } = await run("--help");
    expect(rest).toEqual({ status: 0, stderr: "" });
    for (const option of ["--listen", "--simulate", "--check", "--debug", "--version", "--help"]) {
      expect(stdout).toContain(option);
    }
    expect(stdout).toContain("Usage: hall [OPTION]");
    expect(stdout).toContain("instead of on unix:/nonexistent-zqx/hall.sock");
    expect((await run("-h", "--zqx")).stdout).toBe(stdout);
  });

  test("--version prints the application's version, then nound's", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    const { stdout, ...rest } = await run("--version");
    expect(rest).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^hall 1\\.2\\.3 \\(nound ${version.replaceAll(".", "\\.")}; .*\\)\\n$`));
  });

  test("none of them makes a noun, so missing hardware does not matter", async () => {
    for (const option of ["--help", "--version"]) {
      expect((await run(option, "--", "mistake")).status).toBe(0);
    }
  });

  test("--check makes the nouns on simulated hardware and says what would be served, without listening", async () => {
    expect(await run("--check", "--", "hardware")).toEqual({
      ...{ status: 0, stdout: "hall 1.2.3: 1 noun, listens on unix:/nonexistent-zqx/hall.sock\n", stderr: "" },
    });
    const { stdout } = await run("--check", "--listen", "127.0.0.1:1", "--listen=[::1]:2");
    expect(stdout).toBe("hall 1.2.3: 1 noun, listens on 127.0.0.1:1, [::1]:2\n");
  });
});

describe("what is refused", () => {
  test.each([
    ["an unknown option", ["--zqx"], "unknown option --zqx"],
    ["a word that is no option", ["zqx"], "unexpected argument zqx"],
    ["a value for an option that takes none", ["--check=yes"], "--check takes no value"],
    [
      "--listen without an address",
      ["--listen"],
      '--listen takes an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/hall.sock, not ""',
    ],
    [
      "--listen with what is no address",
      ["--listen=zqx"],
      '--listen takes an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/hall.sock, not "zqx"',
    ],
  ])("%s ends it with 64 and a sentence", async (_, args, sentence) => {
    expect(await run(...args)).toEqual({ status: 64, stdout: "", stderr: `hall: ${sentence}; see hall --help\n` });
  });

  test("an address that cannot be listened on ends it with 69 and a sentence", async () => {
    const { stderr, ...rest } = await run();
    expect(rest).toEqual({ status: 69, stdout: "" });
    expect(stderr).toMatch(/^hall: [^\n]*\/nonexistent-zqx\/hall\.sock[^\n]*\n$/);
  });

  test("hardware that is missing ends it with 69 and a sentence without a stack", async () => {
    const { stderr, ...rest } = await run("--listen", "127.0.0.1:0", "--", "hardware");
    expect(rest).toEqual({ status: 69, stdout: "" });
    expect(stderr).toMatch(/^hall: [^\n]*(GPIO|zqx)[^\n]*\n$/);
  });

  test("a mistake of the program ends it with 70 and its stack", async () => {
    const { stderr, ...rest } = await run("--listen", "127.0.0.1:0", "--", "mistake");
    expect(rest).toEqual({ status: 70, stdout: "" });
    expect(stderr).toMatch(/TypeError: broken on purpose\n +at noun /);
  });
});

describe("what is served", () => {
  test("the nouns, where --listen says, until SIGTERM ends the program with 0", async () => {
    const served = await start();
    await expectLamp(served);
    expect(await served.stop()).toMatchObject(cleanEnding);
  });

  test("with --simulate hardware is simulated, and with --debug requests are logged", async () => {
    const served = await start("--simulate", "--debug", "--", "hardware");
    await expectLamp(served);
    expect((await served.stop()).stderr).toContain("GET /lamp");
  });

  test("with a reach, everything else is given up once it listens", async () => {
    const served = await start("--debug", "--", "confined");
    await expectLamp(served);
    expect((await served.stop()).stderr).toMatch(/serving with /);
  });
});
