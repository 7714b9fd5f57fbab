/** Where the program listens: IPv4, IPv6 and Unix sockets. */

import { spawnSync } from "node:child_process";
import { existsSync, linkSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { freeAddress, freePort, hasIpv6 } from "../harness/address.ts";
import { hasSanitizers, onBuildServer } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { configurationFile, NoundProcess, runNound, startNound, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { cleanEnding, endedByThisTest, forThisTest } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const noStrace = spawnSync("strace", ["-V"]).status !== 0;

/** A group that the user of this test may give a file to: where it is root, one that is not its own. */
const ownGroup = process.getuid?.() === 0 ? 4_243 : (process.getgid?.() ?? 0);

async function expectServes(address: string): Promise<void> {
  const connection = await RawConnection.open(address);
  connection.send(put("/led", { led: 1 }) + get("/still") + get("/zqx"));
  expectState(await connection.response(), { led: 1 });
  expectState(await connection.response(), stillState);
  expectProblem(await connection.response(), 404, "keep");
  connection.send("zqx\r\n\r\n");
  expectProblem(await connection.response(), 400, "close");
  await connection.closedInOrder();
}

describe.skipIf(!hasIpv6 && !onBuildServer)("an IPv6 address (skipped where there is no ::1)", () => {
  test("is served", async () => {
    const nound = forThisTest(await startNound({ listen: [`[::1]:${await freePort("::1")}`], nouns }));
    await expectServes(nound.address);
  });

  test("is served beside an IPv4 address of the same port and a Unix socket", async () => {
    const v4 = await freeAddress();
    const v6 = v4.replace("127.0.0.1", "[::1]");
    const unix = `unix:${temporaryPath("three.sock")}`;
    forThisTest(await startNound({ listen: [v4, v6, unix], nouns }));
    for (const address of [v4, v6, unix]) {
      await expectServes(address);
    }
  });
});

describe("a Unix socket", () => {
  test("is served, and its path goes with the program", async () => {
    const path = temporaryPath("nound.sock");
    const nound = endedByThisTest(await startNound({ listen: [`unix:${path}`], nouns }));
    await expectServes(nound.address);
    expect(statSync(path).isSocket()).toBe(true);
    expect(await nound.stop()).toEqual(cleanEnding);
    expect(existsSync(path)).toBe(false);
  });

  test("is its user's alone, whatever the umask is", async () => {
    const path = temporaryPath("alone.sock");
    forThisTest(await startNound({ listen: [`unix:${path}`], nouns }));
    expect((statSync(path).mode & 0o777).toString(8)).toBe("600");
  });

  test.each([
    ["by the command line", (path: string) => [`unix:${path},mode=0660,group=${ownGroup}`]],
    ["by the command line, the other way round", (path: string) => [`unix:${path},group=${ownGroup},mode=660`]],
    ["by the configuration", (path: string) => [`unix:${path},mode=0660,group=${ownGroup}`]],
  ])("has the mode and the group it is given %s", async (_, listen) => {
    const path = temporaryPath("group, shared.sock");
    const file = configurationFile(JSON.stringify({ listen: listen(path), nouns }));
    const nound = forThisTest(new NoundProcess(["--config", file], `unix:${path}`));
    await nound.listening();
    const { mode, gid } = statSync(path);
    expect({ mode: (mode & 0o777).toString(8), gid }).toEqual({ mode: "660", gid: ownGroup });
    await expectServes(nound.address);
  });

  test.skipIf(noStrace || hasSanitizers)(
    "gives its mode and its group to nothing put in its place (skipped without strace, and with LeakSanitizer)",
    async () => {
      const path = temporaryPath("replaced.sock");
      const other = temporaryPath("another-file");
      writeFileSync(other, "", { mode: 0o600 });
      const before = statSync(other);
      // Delays all that changes a mode or an owner, as otherwise there are but some millionths of a second.
      const changes = "chmod,fchmodat,chown,lchown,fchownat";
      const held = ["-e", `trace=${changes}`, "-e", `inject=${changes}:delay_enter=500000`];
      const file = configurationFile({ listen: [`unix:${path},mode=0666,group=${ownGroup}`], nouns });
      const nound = endedByThisTest(
        new NoundProcess(["--config", file], `unix:${path}`, {
          wrapper: ["strace", "-D", "-f", "-qq", "-o", temporaryPath("calls"), ...held],
        }),
      );
      await eventually("the socket is bound", () => existsSync(path));
      // At no moment is there nothing: the program would say so, in other words.
      linkSync(path, `${path}.moved`);
      linkSync(other, `${path}.new`);
      renameSync(`${path}.new`, path);
      // On a slow machine that was done before the program had a hold of its socket: then it sees it, and gives up.
      const listened = await nound.listening().then(
        () => true,
        () => false,
      );
      const { mode, gid } = statSync(other);
      expect({ mode: mode.toString(8), gid }).toEqual({ mode: before.mode.toString(8), gid: before.gid });
      const sawIt = { ...cleanEnding, status: 69, stderr: expect.stringContaining("another file took its place") };
      expect(await nound.stop()).toEqual(listened ? cleanEnding : sawIt);
    },
  );

  test.each([
    ["mode=0999", "mode"],
    ["mode=", "mode"],
    ["group=", "group"],
    ["group=no-such-group-zqx", "group"],
  ])("with ,%s is refused in one line", async (option, named) => {
    const { status, stderr } = await runNound("--simulate", "--listen", `unix:${temporaryPath("bad.sock")},${option}`);
    expect(status).toBeGreaterThan(0);
    expect(stderr).toMatch(/^[^\n]{20,}\n$/);
    expect(stderr).toContain(named);
  });

  test("that a killed program left behind is replaced", async () => {
    const listen = [`unix:${temporaryPath("stale.sock")}`];
    const first = endedByThisTest(await startNound({ listen, nouns }));
    first.kill();
    expect((await first.ending()).signal).toBe("SIGKILL");
    const second = forThisTest(await startNound({ listen, nouns }));
    await expectServes(second.address);
  });

  test("that another program serves is refused in one line, and left alone", async () => {
    const listen = [`unix:${temporaryPath("live.sock")}`];
    const first = forThisTest(await startNound({ listen, nouns }));
    const { status, stdout, stderr } = await runNound("--config", configurationFile({ listen, nouns }));
    expect(status).toBeGreaterThan(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^[^\n]{20,}\n$/);
    await expectServes(first.address);
  });

  test("instead of an ordinary file is refused in one line, and the file is left alone", async () => {
    const path = temporaryPath("precious.txt");
    writeFileSync(path, "precious");
    const { status, stderr } = await runNound("--config", configurationFile({ listen: [`unix:${path}`], nouns }));
    expect(status).toBeGreaterThan(0);
    expect(stderr).toMatch(/^[^\n]{20,}\n$/);
    expect(readFileSync(path, "utf8")).toBe("precious");
  });
});
