/** What the program gives up: root, capabilities, files, ports. Most of this can be seen by root alone. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import type { Configuration } from "../harness/configuration.ts";
import { commandOf, hasSanitizers, memoryNotJudged } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectState } from "../harness/expected-response.ts";
import { type CallResult, callHardware } from "../harness/hardware-calls.ts";
import { configurationFile, NoundProcess, runNound, startNound, temporaryPath } from "../harness/nound-process.ts";
import { statusWords } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forThisTest } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const isRoot = process.getuid?.() === 0;
/** Under a runner, /proc tells of the runner. */
const isNative = commandOf("nound").length === 1;
const needsRoot = isRoot && isNative;
const noStrace = spawnSync("strace", ["-V"]).status !== 0;
const none = "0000000000000000";
const nobody = 65_534;

/** Once it answers, the start is over: it listens before it gives up what it does not need. */
async function expectServes(nound: NoundProcess): Promise<void> {
  const connection = await RawConnection.open(nound.address);
  connection.send(put("/led", { led: 1 }) + get("/still"));
  expectState(await connection.response(), { led: 1 });
  expectState(await connection.response(), stillState);
  connection.drop();
}

function expectNoCapabilities(pid: number): void {
  for (const field of ["CapInh", "CapPrm", "CapEff", "CapAmb"]) {
    expect(statusWords(pid, field), field).toEqual([none]);
  }
}

/** Whether the kernel has Landlock, by the program's own word. */
async function landlockOf(nound: NoundProcess): Promise<number> {
  await expectServes(nound);
  const { stderr } = await nound.stop();
  return Number(/files restricted by Landlock (\d+)/.exec(stderr)?.[1] ?? 0);
}

describe.skipIf(!isNative)("every process (skipped under a runner)", () => {
  test("gains no privilege by what it starts, and makes files and cores for nobody else", async () => {
    const nound = forThisTest(await startNound({ nouns }));
    await expectServes(nound);
    expect(statusWords(nound.pid, "NoNewPrivs")).toEqual(["1"]);
    expect(statusWords(nound.pid, "Umask")).toEqual(["0077"]);
    expect(readFileSync(`/proc/${nound.pid}/limits`, "latin1")).toMatch(
      isRoot && memoryNotJudged === undefined ? /^Max core file size +0 +0 /m : /^Max core file size/m,
    );
  });

  test("has no capabilities while it serves", async () => {
    const nound = forThisTest(await startNound({ nouns }));
    await expectServes(nound);
    expectNoCapabilities(nound.pid);
  });

  test("says in the debug log what it gave up", async () => {
    const nound = endedByThisTest(await startNound({ nouns, log: "requests" }));
    await expectServes(nound);
    expect((await nound.stop()).stderr).toMatch(/^serving with no capabilities, files (not )?restricted/m);
  });

  test("leaves system calls unrestricted where the environment asks for it, and says so", async () => {
    const environment = { NOUND_UNFILTERED: "1" };
    const nound = endedByThisTest(await startNound({ nouns }, ["--debug"], { environment }));
    const filtered = endedByThisTest(await startNound({ nouns }, ["--debug"]));
    for (const started of [nound, filtered]) await expectServes(started);
    expect(statusWords(nound.pid, "Seccomp")).toEqual(["0"]);
    if (!hasSanitizers) expect(statusWords(filtered.pid, "Seccomp")).toEqual(["2"]);
    expect((await nound.stop()).stderr).toContain("system calls not restricted, as NOUND_UNFILTERED=1 asks");
    await filtered.stop();
  });
});

describe.skipIf(!needsRoot)("started as root (skipped for others)", () => {
  const accounts: [how: string, configuration: Partial<Configuration>, args: string[], user: number, group: number][] =
    [
      ["--user nobody", {}, ["--user", "nobody"], nobody, nobody],
      ["--user nobody --group daemon", {}, ["--user", "nobody", "--group", "daemon"], nobody, 1],
      ["--user 4242 --group 4243", {}, ["--user", "4242", "--group=4243"], 4_242, 4_243],
      ['"user" of the configuration', { user: "nobody" }, [], nobody, nobody],
      ['"user" and "group" of the configuration', { user: "nobody", group: "4243" }, [], nobody, 4_243],
      ["--user over the configuration's", { user: "daemon" }, ["--user", "4242", "--group", "1"], 4_242, 1],
    ];
  test.each(accounts)("it becomes the user of %s for good, and serves", async (_, configuration, args, user, group) => {
    const nound = forThisTest(await startNound({ nouns, ...configuration }, args));
    await expectServes(nound);
    expect(statusWords(nound.pid, "Uid")).toEqual(Array(4).fill(String(user)));
    expect(statusWords(nound.pid, "Gid")).toEqual(Array(4).fill(String(group)));
    expect(statusWords(nound.pid, "Groups")).toEqual([String(group)]);
    expectNoCapabilities(nound.pid);
    // Its memory and descriptors are nobody's to look at, not even its own user's.
    expect(memoryNotJudged !== undefined || statSync(`/proc/${nound.pid}/fd`).uid === 0).toBe(true);
  });

  test.each([
    ["a user that there is not", ["--user", "zqx"], "zqx"],
    ["a number without a group", ["--user", "4242"], "group"],
    ["a group that there is not", ["--user", "nobody", "--group", "zqx"], "zqx"],
    ["root", ["--user", "root"], "root"],
    ["root's number", ["--user", "0"], "root"],
    ["a number that stands for none", ["--user", "4294967295", "--group", "1"], "4294967295"],
  ])("%s is refused in one line, before anything is opened", async (_, args, named) => {
    const config = ["--config", configurationFile({ nouns })];
    const { status, stdout, stderr } = await runNound(...config, ...args);
    expect({ status, stdout }).toEqual({ status: 69, stdout: "" });
    expect(stderr).toMatch(/^[^\n]{20,}\n$/);
    expect(stderr).toContain(named);
    // What can be known before the start, --check knows.
    expect(await runNound("--check", ...config, ...args)).toMatchObject({ status, stdout, stderr });
  });

  test("a folder of states that it makes belongs to the user it becomes", async () => {
    const folder = temporaryPath("states");
    await callHardware(["privileges", "chooseAccount", "nobody"], ["storage", "openStore", folder]);
    const { uid, gid, mode } = statSync(folder);
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: nobody, gid: nobody, mode: 0o700 });
  });

  test.skipIf(noStrace || hasSanitizers)(
    "no other folder becomes that user's, whatever is put instead of the one it makes (skipped without strace)",
    async () => {
      const stateDirectory = temporaryPath("states");
      const other = temporaryPath("another-folder");
      mkdirSync(other);
      // Stops it when it has made the folder and has not opened it yet.
      const held = ["-e", "trace=mkdirat", "-e", "inject=mkdirat:signal=SIGSTOP"];
      const calls = [
        '["privileges","chooseAccount","nobody"]',
        JSON.stringify(["storage", "openStore", `${stateDirectory}/`]),
      ];
      const opening = endedByThisTest(
        new NoundProcess(calls, "", {
          program: "nound-hardware",
          wrapper: ["strace", "-D", "-f", "-qq", "-o", temporaryPath("calls"), ...held],
        }),
      );
      await eventually("the folder is made", () => existsSync(stateDirectory));
      rmdirSync(stateDirectory);
      symlinkSync(other, stateDirectory);
      opening.signal("SIGCONT");
      const { stdout } = await opening.ending();
      expect(statSync(other).uid).toBe(0);
      expect(stdout).toContain('"thrown"');
    },
  );

  test("a folder of states that was there keeps its owner", async () => {
    const folder = temporaryPath("states");
    mkdirSync(folder);
    await callHardware(["privileges", "chooseAccount", "nobody"], ["storage", "openStore", folder]);
    expect(statSync(folder).uid).toBe(0);
  });

  test("its capabilities are gone when it was started as another user with some", async () => {
    const capable = ["--inh-caps=+net_bind_service", "--ambient-caps=+net_bind_service"];
    const wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", ...capable];
    const file = temporaryPath("nound.json");
    const address = await freeAddress();
    writeFileSync(file, JSON.stringify({ listen: [address], nouns }));
    // The test's own folder is root's; the program reads its configuration as another.
    const nound = forThisTest(
      new NoundProcess(["--config", "/dev/stdin"], address, {
        wrapper: ["sh", "-c", `exec "$@" < ${file}`, "sh", ...wrapper],
      }),
    );
    await nound.listening();
    await expectServes(nound);
    expect(statusWords(nound.pid, "Uid")[0]).toBe(String(nobody));
    expectNoCapabilities(nound.pid);
  });

  test("another user cannot become anybody else, and gets a message that says so", async () => {
    const wrapper = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    const nound = endedByThisTest(new NoundProcess(["--simulate", "--user", "daemon"], "", { wrapper }));
    const { status, stderr } = await nound.ending();
    expect({ status, stderr }).toEqual({
      status: 69,
      stderr: "nound: cannot become the user daemon: only root can become another user\n",
    });
  });
});

describe.skipIf(!isRoot)("a file that root is to trust (skipped for others)", () => {
  function folderOf(mode: number, owner = 0, group = owner): string {
    const folder = temporaryPath("folder");
    mkdirSync(folder);
    chownSync(folder, owner, group);
    chmodSync(folder, mode);
    return folder;
  }

  function fileIn(folder: string): string {
    writeFileSync(`${folder}/nound.json`, JSON.stringify({ nouns }));
    return `${folder}/nound.json`;
  }

  function ownFile(mode: number, owner = 0, group = owner): string {
    const path = configurationFile({ nouns });
    chownSync(path, owner, group);
    chmodSync(path, mode);
    return path;
  }

  /** A link of another user's in a folder of everyone, such as /tmp. */
  function otherUsersLink(target: string): string {
    const link = `${folderOf(0o1777)}/link`;
    symlinkSync(target, link);
    lchownSync(link, nobody, nobody);
    return link;
  }

  test.each([
    ["everyone may write to it", () => ownFile(0o666), "everyone may write to it"],
    ["a group may write to it", () => ownFile(0o664, 0, nobody), "chmod g-w it"],
    ["everyone may replace it", () => fileIn(folderOf(0o777)), "everyone may create files in"],
    ["a group may replace it", () => fileIn(folderOf(0o775, 0, nobody)), "chmod g-w that folder"],
    [
      "everyone may replace the folder it is in",
      () => {
        const outer = folderOf(0o777);
        mkdirSync(`${outer}/inner`);
        return fileIn(`${outer}/inner`);
      },
      "everyone may create files in",
    ],
    [
      "everyone may replace the link that leads to it",
      () => {
        const link = `${folderOf(0o777)}/link`;
        symlinkSync(ownFile(0o644), link);
        return link;
      },
      "everyone may create files in",
    ],
    ["another user's link leads to it", () => otherUsersLink(ownFile(0o644)), "remove that link"],
    ["another user's link leads to its folder", () => `${otherUsersLink(dirname(ownFile(0o644)))}/file`, "that link"],
    ["it is in another user's folder", () => fileIn(folderOf(0o755, nobody)), "chown that folder"],
    [
      "it is another user's",
      () => ownFile(0o644, nobody),
      "belongs to the user nobody, who is neither root nor the user of nound; start nound as nobody, without root",
    ],
  ])("is refused when %s", async (_, prepare, why) => {
    const { status, stdout, stderr } = await runNound("--config", prepare(), "--listen", await freeAddress());
    expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
    expect(stderr).toMatch(/^nound: cannot trust [^\n]*\n$/);
    expect(stderr).toContain(why);
  });

  test.each([
    ["is another user's", () => folderOf(0o755, nobody), "chown that folder"],
    ["everyone may write", () => folderOf(0o777), "chmod o-w that folder"],
    ["is behind another user's link", () => `${otherUsersLink("/etc")}/nound`, "remove that link"],
  ])("is no folder for states that %s", async (_, prepare, why) => {
    const [result] = await callHardware(["storage", "openStore", prepare()]);
    expect(JSON.stringify(result)).toMatch(/cannot (?:trust|store states in)/);
    expect(JSON.stringify(result)).toContain(why);
  });

  test("is refused in another user's home, and nobody is told to take that from its owner", async () => {
    const homes = temporaryPath("homes");
    mkdirSync(`${homes}/ada`, { recursive: true });
    chownSync(`${homes}/ada`, nobody, nobody);
    writeFileSync(`${homes}/ada/nound.json`, JSON.stringify({ nouns }));
    const wrapper = ["unshare", "--mount", "sh", "-c", `mount --bind ${homes} /home && exec "$@"`, "sh"];
    const nound = new NoundProcess(["--check", "--config", "/home/ada/nound.json"], "", { wrapper });
    const { status, stderr } = await endedByThisTest(nound).ending();
    expect({ status, stderr }).toEqual({
      status: 78,
      stderr:
        "nound: cannot trust /home/ada/nound.json: the folder /home/ada belongs to the user nobody, who is neither " +
        "root nor the user of nound; start nound as nobody, without root, or with --user nobody, or move the file to " +
        "a folder of root, such as /etc\n",
    });
  });

  test("is taken by any way that leads over root's own folders and links", async () => {
    const folder = temporaryPath("folder");
    mkdirSync(`${folder}/inner`, { recursive: true });
    writeFileSync(`${folder}/file`, JSON.stringify({ nouns }));
    symlinkSync("../file", `${folder}/inner/up`);
    symlinkSync(`${folder}/inner/`, `${folder}/absolute`);
    symlinkSync("absolute", `${folder}/chained`);
    symlinkSync("circle", `${folder}/circle`);
    const ways = ["file", "inner/../file", "./inner//up", "absolute/up", "chained/up", "chained/../inner/up"];
    for (const way of ways) {
      expect(await runNound("--check", "--config", `${folder}/${way}`), way).toMatchObject({ status: 0, stderr: "" });
    }
    for (const way of ["circle/file", "file/", "file/more", "none/file", `${"x/".repeat(3_000)}file`]) {
      const { status, stderr } = await runNound("--check", "--config", `${folder}/${way}`);
      expect({ way, status, stderr }).toMatchObject({
        status: 78,
        stderr: expect.stringMatching(/^nound: cannot read /),
      });
    }
  });

  test("is taken from a sticky folder, such as /tmp, and when it is that of the user to become", async () => {
    for (const [path, args] of [
      [fileIn(folderOf(0o1777)), []],
      [configurationFile({ nouns }), ["--user", "nobody"]],
    ] as const) {
      if (args.length > 0) chownSync(path, nobody, nobody);
      const address = await freeAddress();
      const nound = forThisTest(new NoundProcess(["--config", path, "--listen", address, ...args], address));
      await nound.listening();
    }
  });
});

describe("files and ports, once given up", () => {
  const refused = { thrown: expect.stringMatching(/this user may not|may not do that|may not read|has no permission/) };

  async function hasLandlock(): Promise<boolean> {
    return (await landlockOf(endedByThisTest(await startNound({ nouns, log: "requests" })))) > 0;
  }

  async function expectWhereRestricted(results: readonly CallResult[], expected: readonly unknown[]): Promise<void> {
    // Without Landlock in the kernel all of it goes through, and there is nothing to see.
    if (await hasLandlock()) expect(results).toEqual(expected);
  }

  test("are out of reach: no file is read, no folder made, no port listened on", async () => {
    const file = configurationFile("text");
    const results = await callHardware(
      ["privileges", "restrict"],
      ["system", "readTextFile", file, 100],
      ["storage", "openStore", temporaryPath("states")],
      ["net", "listen", await freeAddress()],
      ["system", "readTextFile", "/etc/passwd", 65_536],
    );
    await expectWhereRestricted(results, [{ returned: expect.any(String) }, refused, refused, refused, refused]);
  });

  test("states are read and written in a folder that was open", async () => {
    const folder = temporaryPath("states");
    const results = await callHardware(
      ["storage", "openStore", folder],
      ["privileges", "restrict"],
      [0, "write", "relay", "1"],
      [0, "write", "relay", "2"],
      [0, "read", "relay"],
      ["system", "readTextFile", `${folder}/../relay`, 100],
    );
    expect(results.slice(2, 5)).toEqual([{ returned: null }, { returned: null }, { returned: "2" }]);
    expect(readFileSync(`${folder}/relay`, "utf8")).toBe("2");
  });

  test("named files stay within reach: to be read, or to be written, too", async () => {
    const readable = configurationFile("text");
    const writable = temporaryPath("writable");
    mkdirSync(writable);
    const results = await callHardware(
      ["privileges", "restrict", { readable: [readable], writable: [writable] }],
      ["system", "readTextFile", readable, 100],
      ["storage", "openStore", `${writable}/states`],
      [2, "write", "relay", "1"],
      ["storage", "openStore", `${readable}.states`],
    );
    await expectWhereRestricted(results, [
      { returned: expect.any(String) },
      { returned: "text" },
      { opened: 2 },
      { returned: null },
      refused,
    ]);
  });

  test("a path that is not there cannot be named", async () => {
    const results = await callHardware(["privileges", "restrict", { readable: ["/nonexistent-zqx"] }]);
    await expectWhereRestricted(results, [{ thrown: "cannot allow /nonexistent-zqx: there is no such file" }]);
  });

  test("a Unix socket's path goes with the program anyway", async () => {
    const path = temporaryPath("nound.sock");
    const nound = endedByThisTest(await startNound({ listen: [`unix:${path}`], nouns }));
    await expectServes(nound);
    expect(await nound.stop()).toEqual(cleanEnding);
    expect(existsSync(path)).toBe(false);
  });
});
