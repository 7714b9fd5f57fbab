/** A real Avahi in its own namespaces, which gets the service file from the script that the systemd unit runs. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commandOf, memoryNotJudged } from "../harness/environment.ts";
import { configurationFile, runNound } from "../harness/nound-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;
const served = configurationFile(JSON.stringify({ listen: "0.0.0.0:8080", title: "Hall & stairs", nouns }));
const loopback = configurationFile(JSON.stringify({ listen: ["127.0.0.1:8080", "[::1]:8080", "unix:/run/n"], nouns }));

const [program] = commandOf("nound");
const isAble =
  existsSync("/usr/sbin/avahi-daemon") &&
  spawnSync("unshare", ["-n", "-m", "true"]).status === 0 &&
  spawnSync(program, ["--version"]).status === 0;

describe.skipIf(memoryNotJudged !== undefined || !isAble)("Avahi", () => {
  test("announces the server while it runs, and nothing where only this device reaches it", () => {
    const script = [`${root}test/harness/avahi.sh`, `${root}packaging/systemd/announce.sh`, served, loopback];
    const { status, stdout, stderr } = spawnSync("unshare", ["-n", "-m", "sh", ...script], {
      encoding: "utf8",
      env: { ...process.env, NOUND: program },
    });
    expect([status, stderr]).toEqual([0, ""]);
    const [, whileServed = "", afterwards = "", onLoopback = ""] = stdout.split(/(?:served|ended|loopback):\n/);
    const found = whileServed.trim().split("\n");
    expect(found.filter((line) => line.includes(";_wot._tcp;")).length).toBeGreaterThan(0);
    expect(found.filter((line) => line.includes(";_http._tcp;")).length).toBeGreaterThan(0);
    for (const line of found) {
      expect(line).toContain(";Hall\\032\\038\\032stairs;");
      const isThing = line.includes(";_wot._tcp;");
      const texts = isThing ? ['"scheme=http"', '"type=Thing"', '"td=/.well-known/wot"'] : [];
      for (const text of texts) expect(line).toContain(text);
      expect(line).toContain(";8080;");
    }
    expect([afterwards, onLoopback]).toEqual(["", ""]);
  });
});

test("--avahi prints nothing where only this device reaches the server, and needs a configuration", async () => {
  expect(await runNound("--avahi", "--config", loopback)).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect((await runNound("--avahi", "--config", served)).stdout).toContain("<type>_wot._tcp</type>");
  expect(await runNound("--avahi")).toMatchObject({
    status: 64,
    stderr: "nound: --avahi needs --config FILE; see nound --help\n",
  });
});
