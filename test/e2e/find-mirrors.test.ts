/** `nound --find mirrors` with a real Avahi on two devices, each in its own namespaces. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commandOf, memoryNotJudged } from "../harness/environment.ts";
import { configurationFile } from "../harness/nound-process.ts";

const script = fileURLToPath(new URL("../harness/avahi-mirrors.sh", import.meta.url));
const [program] = commandOf("nound");
const isAble =
  existsSync("/usr/sbin/avahi-daemon") &&
  spawnSync("unshare", ["-n", "-m", "-u", "ip", "link", "add", "one", "type", "veth"]).status === 0 &&
  spawnSync(program, ["--version"]).status === 0;

const bell = { kind: "switch", key: "on" };
const porch = configurationFile(
  JSON.stringify({
    listen: "0.0.0.0:8080",
    title: "Porch",
    nouns: { bell, lamp: bell, other: { kind: "mirror", of: "http://192.0.2.9:8080/other" } },
  }),
);

test.skipIf(memoryNotJudged !== undefined || !isAble)(
  "--find mirrors prints a mirror of each noun that another device announces, and the mirror works",
  () => {
    const { status, stdout, stderr } = spawnSync("unshare", ["-n", "-m", "-u", "sh", script, porch], {
      encoding: "utf8",
      env: { ...process.env, NOUND: program },
    });
    expect([status, stderr]).toEqual([0, ""]);
    const [, without, nobody, found = "", state] = stdout.split(/(?:without Avahi|nobody|porch|mirrored):\n/);
    expect(without).toContain("nound: cannot ask Avahi: avahi-daemon does not run; install avahi-daemon");
    expect(nobody).toContain("nound: Avahi has found no other device with nouns");
    expect(found.trim().split("\n")).toEqual([
      expect.stringContaining("asking Avahi"),
      "nound: Porch (porch.local:8080, 192.0.2.1) has 2 nouns",
      '{"porch-bell":{"kind":"mirror","of":"http://192.0.2.1:8080/bell"}}',
      '{"porch-lamp":{"kind":"mirror","of":"http://192.0.2.1:8080/lamp"}}',
    ]);
    expect(state).toBe('{"on":0}');
  },
);
