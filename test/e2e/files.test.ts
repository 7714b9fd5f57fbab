/** Files that an application reads: by threads of their own, with limits, within what it was restricted to. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { bundleApplication, startBundle } from "../harness/bundled-application.ts";
import { hasSanitizers, isEmulated } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { callHardware } from "../harness/hardware-calls.ts";
import { type NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";

let bundle: string;
beforeAll(async () => {
  bundle = await bundleApplication("test/e2e/files-application.ts");
});

const start = async (...args: readonly string[]) => forThisTest(await startBundle(bundle, ...args));

async function ask(nound: NoundProcess, bytes: string): Promise<State> {
  const connection = await RawConnection.open(nound.address);
  connection.send(bytes);
  const { body } = await connection.response();
  connection.drop();
  return JSON.parse(body.toString()) as State;
}

function temporaryFile(text: string | Uint8Array): string {
  const path = temporaryPath("file");
  writeFileSync(path, text);
  return path;
}

function threadsOf(nound: NoundProcess): number {
  return readdirSync(`/proc/${nound.pid}/task`).length;
}

describe("a file", () => {
  test("is read as it is, and up to its limit", async () => {
    const nound = await start();
    const path = temporaryFile("eins\nzwei: ä\n");
    expect(await ask(nound, post("/file", { path }))).toEqual({ text: "eins\nzwei: ä\n", error: "" });
    expect(await ask(nound, post("/file", { path, limit: 14 }))).toEqual({ text: "eins\nzwei: ä\n", error: "" });
    const error = `cannot read ${path}: it is too large`;
    expect(await ask(nound, post("/file", { path, limit: 13 }))).toEqual({ text: "", error });
  });

  test.skipIf(isEmulated)("of the kernel, whose size is 0, is read up to its end", async () => {
    const nound = await start();
    const { text } = await ask(nound, post("/file", { path: "/proc/self/status" }));
    expect(text).toMatch(/^Name:\tnound-runtime\n[\s\S]*nonvoluntary_ctxt_switches:\t[0-9]+\n$/);
  });

  test("that is none is refused with a sentence", async () => {
    const nound = await start();
    const fifo = temporaryPath("fifo");
    expect(spawnSync("mkfifo", [fifo]).status).toBe(0);
    const loop = temporaryPath("loop");
    symlinkSync(loop, loop);
    const cases: readonly (readonly [path: string, error: string])[] = [
      ["/nowhere/at-all", "cannot read /nowhere/at-all: there is no such file"],
      ["/proc/self", "cannot read /proc/self: it is not a regular file"],
      [fifo, `cannot read ${fifo}: it is not a regular file`],
      ["/dev/null", "cannot read /dev/null: it is not a regular file"],
      [loop, `cannot read ${loop}: its path is too long`],
      ["proc/uptime", '"proc/uptime" is not the path of a file or folder; such a path begins with /'],
      ["", '"" is not the path of a file or folder; such a path begins with /'],
      ["/proc/\0uptime", "the path of a file must not contain a NUL"],
    ];
    for (const [path, error] of cases) expect(await ask(nound, post("/file", { path }))).toEqual({ text: "", error });
    const latin = temporaryFile(Uint8Array.of(0xe4, 0x0a));
    const error = `cannot read ${latin}: it is not UTF-8`;
    expect(await ask(nound, post("/file", { path: latin }))).toEqual({ text: "", error });
  });

  test("with a path of more than 4 KB is refused, and the server goes on", async () => {
    const nound = await start();
    const { error } = await ask(nound, post("/file", { path: `/${"a/".repeat(2_500)}` }));
    expect(error).toMatch(/^cannot read (\/a){128}: its path is too long$/);
    expect(await ask(nound, get("/led"))).toEqual({ led: 0 });
  });
});

test("a folder is listed, sorted, up to its limit", async () => {
  const nound = await start();
  const folder = temporaryPath("folder");
  mkdirSync(folder);
  expect(await ask(nound, post("/file", { folder }))).toEqual({ text: "", error: "" });
  for (const name of ["zwei", ".eins", "drei"]) writeFileSync(`${folder}/${name}`, "");
  expect(await ask(nound, post("/file", { folder }))).toEqual({ text: ".eins,drei,zwei", error: "" });
  const error = `cannot list ${folder}: it has too many entries`;
  expect(await ask(nound, post("/file", { folder, limit: 2 }))).toEqual({ text: "", error });
});

test("64 files are read at once, and one more is refused with a sentence", async () => {
  const nound = await start();
  const path = temporaryFile("text");
  expect(await ask(nound, post("/many", { path, times: 64 }))).toMatchObject({ kept: 64, broken: 0 });
  expect(await ask(nound, post("/many", { path, times: 100 }))).toMatchObject({
    kept: 64,
    broken: 36,
    error: "64 operations of hardware and files are running; try again when one has ended",
  });
  expect(await ask(nound, post("/many", { path, times: 1 }))).toMatchObject({ kept: 1, broken: 0 });
});

test("there is no thread until a file is read, and the program ends in order with them", async () => {
  const nound = endedByThisTest(await startBundle(bundle));
  const before = threadsOf(nound);
  await ask(nound, post("/file", { path: "/proc/uptime" }));
  // ThreadSanitizer adds one of its own.
  const started = threadsOf(nound) - before;
  expect(hasSanitizers && started === 3 ? 2 : started).toBe(2);
  expect(await nound.stop()).toMatchObject({ status: 0, stderr: "" });
});

describe.skipIf(isEmulated)("after restrict()", () => {
  test.each([
    { when: "", what: "that are started by it" },
    { when: "early", what: "that ran before it" },
  ])("threads $what read files within its reach, and gave up as much", async ({ when }) => {
    const folder = temporaryPath("reach");
    mkdirSync(folder);
    writeFileSync(`${folder}/in`, "in");
    const outside = temporaryFile("out");
    const nound = await start(JSON.stringify({ readable: [folder, "/proc"] }), when);
    const { text: given } = await ask(nound, get("/file"));
    expect(await ask(nound, post("/file", { path: `${folder}/in` }))).toEqual({ text: "in", error: "" });
    // A thread that was joined before the restriction may still be there for a moment.
    await eventually("the loop's thread and two others are left", () => hasSanitizers || threadsOf(nound) === 3);
    const status = readdirSync(`/proc/${nound.pid}/task`).map((task) =>
      readFileSync(`/proc/${nound.pid}/task/${task}/status`, "utf8"),
    );
    // A sanitizer has a thread of its own, which gives up nothing.
    for (const text of hasSanitizers ? [] : status) {
      expect(text).toMatch(/^CapEff:\t0000000000000000$/m);
      expect(text).toMatch(/^NoNewPrivs:\t1$/m);
    }
    const { error } = await ask(nound, post("/file", { path: outside }));
    const refusal =
      `${outside} is outside the program's reach: add reach: { readable: ["${outside}"] } ` +
      `(cannot read ${outside}: this user has no permission, or the program's restrictions do not allow it; ` +
      `as root, this lets the service read it: chgrp nound ${outside} && chmod 640 ${outside})`;
    expect(error).toBe(String(given).includes("Landlock ") ? refusal : "");
  });

  test("with nothing to be read, there are no threads", async () => {
    const nound = await start("{}");
    expect(await ask(nound, get("/led"))).toEqual({ led: 0 });
    expect(threadsOf(nound)).toBe(hasSanitizers ? threadsOf(nound) : 1);
  });
});

describe("several files", () => {
  const read = async (paths: readonly string[], ...more: readonly unknown[]) => {
    const [result] = await callHardware(["files", "readTexts", paths, ...more]);
    return result;
  };

  test("are read together, in the order of their paths", async () => {
    const paths = ["ä\n", "", "3"].map(temporaryFile);
    expect(await read(paths, 10)).toEqual({ returned: ["ä\n", "", "3"] });
    expect(await read(paths.toReversed(), 10)).toEqual({ returned: ["3", "", "ä\n"] });
  });

  test("are refused by the first that cannot be read", async () => {
    const [first = "", second = ""] = ["1", "22"].map(temporaryFile);
    const tooLarge = { thrown: `cannot read ${second}: it is too large` };
    expect(await read([first, second, "/absent"], 1)).toEqual(tooLarge);
    expect(await read([second, "/absent"], 1)).toEqual(tooLarge);
    const elsewhere = { thrown: `cannot read ${first}: its path does not lead into /sys` };
    expect(await read([first, second], 10, "/sys")).toEqual(elsewhere);
    const relative = '"file" is not the path of a file or folder; such a path begins with /';
    expect(await read([first, "file"], 10)).toEqual({ thrown: relative });
  });

  test("are from 1 to 16", async () => {
    const path = temporaryFile("1");
    const refused = { thrown: "readTexts expects 1 to 16 paths" };
    expect(await read([], 10)).toEqual(refused);
    expect(await read(Array(17).fill(path), 10)).toEqual(refused);
    expect(await read(Array(16).fill(path), 10)).toEqual({ returned: Array(16).fill("1") });
  });
});
