/** What `serve` makes of an application: the options and exit statuses that the stock program has. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { bundleApplication, startBundle } from "../harness/bundled-application.ts";
import { hasSanitizers, isEmulated } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { NoundProcess, runApplication, temporaryPath } from "../harness/nound-process.ts";
import { statusWords } from "../harness/process-status.ts";
import { endedByThisTest } from "../harness/served.ts";

let bundle = "";

beforeAll(async () => {
  bundle = await bundleApplication("test/e2e/service-application.ts");
});

/** Runs the application to its end. */
async function run(...args: readonly string[]) {
  const { status, stdout, stderr } = await runApplication(bundle, ...args);
  return { status, stdout, stderr };
}

/** Starts the application on a free port. */
async function start(...args: readonly string[]): Promise<NoundProcess> {
  const address = await freeAddress();
  const started = endedByThisTest(new NoundProcess(["--listen", address, ...args], address, { application: bundle }));
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
    expect(stdout).toMatch(
      new RegExp(`^hall 1\\.2\\.3 \\(nound ${version.replaceAll(".", "\\.")}\\+[0-9a-f]{7}; .*\\)\\n$`),
    );
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

test("SIGHUP begins it again, with its state, once --check has passed", async () => {
  const hall = await start();
  const url = `http://${hall.address}/lamp`;
  const headers = { connection: "close", "content-type": "application/json" };
  expect((await fetch(url, { method: "PUT", headers, body: '{"lamp":1}' })).status).toBe(200);
  const { pid, keeper } = hall;
  process.kill(keeper, "SIGHUP");
  await eventually("another process serves", () => ![pid, keeper].includes(hall.pid));
  expect(await (await fetch(url, { headers })).json()).toEqual({ lamp: 1 });
  expect((await hall.stop()).status).toBe(0);
});

describe("what is refused", () => {
  test.each([
    ["an unknown option", ["--zqx"], "unknown option --zqx"],
    ["a word that is no option", ["zqx"], "unexpected argument zqx"],
    ["a value for an option that takes none", ["--check=yes"], "--check takes no value"],
    ["--listen without an address", ["--listen"], "--listen needs its ADDRESS"],
    [
      "--listen with what is no address",
      ["--listen=zqx"],
      '--listen takes an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/hall.sock, not "zqx"',
    ],
  ])("%s ends it with 64 and a sentence", async (_, args, sentence) => {
    expect(await run(...args)).toEqual({ status: 64, stdout: "", stderr: `hall: ${sentence}; see hall --help\n` });
  });

  test("hardware that is missing ends it with 69 and a sentence without a stack", async () => {
    const { stderr, ...rest } = await run("--listen", "127.0.0.1:0", "--", "hardware");
    expect(rest).toEqual({ status: 69, stdout: "" });
    expect(stderr).toMatch(/^hall: [^\n]*(GPIO|zqx)[^\n]*\n$/);
  });

  test("a mistake of the program ends it with 70 and its stack", async () => {
    const { stderr, ...rest } = await run("--listen", "127.0.0.1:0", "--", "mistake");
    expect(rest).toEqual({ status: 70, stdout: "" });
    expect(stderr).toMatch(/TypeError: broken on purpose\n +at noun\d* /);
  });
});

describe.skipIf(isEmulated)("what is given up once it listens", () => {
  const none = "0000000000000000";

  test.each([
    ["by default", []],
    ["with a reach", ["--", "lamp", '{"readable":["/proc"]}']],
  ])("everything else, %s", async (_, args) => {
    const served = await start("--debug", ...args);
    await expectLamp(served);
    for (const field of ["CapPrm", "CapEff"]) expect(statusWords(served.pid, field)).toEqual([none]);
    if (!hasSanitizers) expect(statusWords(served.pid, "Seccomp")).toEqual(["2"]);
    const { stderr } = await served.stop();
    expect(stderr).toMatch(/^serving with no capabilities, /m);
    expect(stderr).not.toContain("all rights");
  });

  test.each(["serve", "new Server"])("nothing, if the application says so to %s; --debug logs it", async (how) => {
    const served =
      how === "serve"
        ? await start("--debug", "--", "lamp", '"unrestricted"')
        : endedByThisTest(
            await startBundle(await bundleApplication("test/e2e/files-application.ts"), "", "", "--debug"),
          );
    await fetch(`http://${served.address}/`, { headers: { connection: "close" } });
    expect(statusWords(served.pid, "Seccomp")).toEqual(["0"]);
    expect((await served.stop()).stderr).toContain(
      "serving with all rights that the program was started with: call restrict() after listen(), or use serve()\n",
    );
  });
});

/** Whether the kernel refuses files that are outside the reach. */
async function refusesFiles(): Promise<boolean> {
  const served = await start("--debug");
  return /restricted by Landlock [0-9]/.test((await served.stop()).stderr);
}

describe.skipIf(isEmulated)("a noun that opens what is outside the reach", () => {
  const startLater = (reach: object) => start("--debug", "--", "later", JSON.stringify(reach));

  /** Has the application's noun do what a wish says, and ends the application. */
  async function attempt(served: NoundProcess, wish: string, path: string) {
    const { status } = await fetch(`http://${served.address}/lamp`, {
      method: "POST",
      headers: { connection: "close", "content-type": "application/json" },
      body: JSON.stringify({ wish, path }),
    });
    return { status, log: (await served.stop()).stderr };
  }

  test.for([
    ["read", "/etc/hostname", 'add reach: { readable: ["/etc/hostname"] } ('],
    ["list", "/etc", 'add reach: { readable: ["/etc"] } ('],
    ["store", "/tmp", 'add reach: { writable: ["/tmp"] } (cannot store states in /tmp: '],
    ["serial", "/dev/null", 'add reach: { writable: ["/dev/null"] } (cannot open /dev/null: '],
    ["spi", "/dev/null", 'add reach: { writable: ["/dev/null"] } (cannot open /dev/null: '],
    ["i2c", "7", 'add reach: { writable: ["/dev/i2c-7"] } (cannot open /dev/i2c-7: '],
    ["line", "zqx", 'add reach: { writable: ["/dev"] } ('],
    ["led", "zqx", 'add reach: { writable: ["/sys"] } ('],
  ] as const)("fails to %s %s, and the log says what to add", async ([wish, path, advice], { skip }) => {
    skip(!(await refusesFiles()), "this kernel restricts no files");
    const { status, log } = await attempt(await startLater({}), wish, path);
    expect(status).toBe(500);
    expect(log).toContain(`is outside the program's reach: ${advice}`);
  });

  test("succeeds if the reach names the file or a folder around it", async () => {
    const folder = temporaryPath("reach");
    mkdirSync(`${folder}/inner`, { recursive: true });
    writeFileSync(`${folder}/inner/file`, "text");
    for (const path of [folder, `${folder}/inner/file`]) {
      const { status, log } = await attempt(await startLater({ readable: [path] }), "read", `${folder}/inner/file`);
      expect({ status, log }).toMatchObject({ status: 200, log: expect.not.stringContaining("outside") });
    }
    expect((await attempt(await startLater({ writable: [folder] }), "store", `${folder}/inner`)).status).toBe(200);
  });

  test("is told to name the folder of a device that was unplugged and plugged in again", async ({ skip }) => {
    skip(!(await refusesFiles()), "this kernel restricts no files");
    const device = temporaryPath("device");
    writeFileSync(device, "");
    const served = await startLater({ writable: [device] });
    rmSync(device);
    writeFileSync(device, "");
    expect((await attempt(served, "serial", device)).log).toContain(
      `cannot open ${device}: the program's restrictions do not allow it; a device that is plugged in again ` +
        `has a new file`,
    );
  });

  test("is not told of the reach if it has something else wrong with a file in it", async () => {
    const path = temporaryPath("file");
    writeFileSync(path, Buffer.of(0xff));
    const { status, log } = await attempt(await startLater({ readable: [`${dirname(path)}/`] }), "read", path);
    expect(status).toBe(500);
    expect(log).toContain(`Error: cannot read ${path}: it is not UTF-8`);
  });

  test("cannot listen on one more address, and the log says how", async () => {
    const { status, log } = await attempt(await startLater({}), "listen", "127.0.0.1:0");
    expect(status).toBe(500);
    expect(log).toContain(
      "cannot listen on 127.0.0.1:0: the program has given that up; give serve() all its addresses",
    );
  });
});
