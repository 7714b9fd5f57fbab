/**
 * OpenWrt's package on OpenWrt's own programs: the folder in `OPENWRT_ROOT` is a root file system with rc.common, its
 * shell functions, uci, jshn, jsonfilter, validate_data, ubusd and procd, for this machine's processor. Root alone can
 * enter it.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { run, temporaryFolder, top } from "../release/work-folder.ts";
import { type Outcome, readOutcomes, writeSteps } from "./harness/steps.ts";

const { OPENWRT_ROOT: base = "" } = process.env;
const notTried = base === "" ? " (not tried: OPENWRT_ROOT names no folder)" : "";
const files = join(top, "packaging/openwrt/nound/files");

/** Where the package installs its files. */
const installed = {
  "nound.init": ["etc/init.d/nound", 0o755],
  "nound.config": ["etc/config/nound", 0o600],
  "nound.capabilities": ["etc/capabilities/nound.json", 0o644],
  "service.sh": ["usr/share/nound/service.sh", 0o644],
  "uci-to-json.sh": ["usr/share/nound/uci-to-json.sh", 0o644],
  "nound.hotplug": ["etc/hotplug.d/leds/50-nound", 0o644],
} as const;

/** A copy of the root file system with the package. `logger` writes to /root/log. */
function install(): string {
  const root = join(temporaryFolder(), "root");
  run("cp", ["-a", base, root]);
  const put = (path: string, mode: number, write: (file: string) => void) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    write(join(root, path));
    chmodSync(join(root, path), mode);
  };
  for (const [name, [path, mode]] of Object.entries(installed))
    put(path, mode, (file) => cpSync(join(files, name), file));
  put("usr/sbin/nound", 0o755, (file) => cpSync(join(top, "build/x86_64/nound"), file));
  put("etc/passwd", 0o644, (file) => writeFileSync(file, "root:x:0:0::/root:/bin/sh\nnound:x:900:900::/:/bin/false\n"));
  put("etc/group", 0o644, (file) => writeFileSync(file, "root:x:0:\nnound:x:900:\n"));
  run("rm", ["-f", join(root, "bin/logger")]);
  put("bin/logger", 0o755, (file) => writeFileSync(file, '#!/bin/sh\nshift 4\necho "$1" >> /root/log\n'));
  for (const folder of ["root", "tmp", "var/run/ubus", "var/lock", "var/state", "proc", "etc/rc.d"])
    mkdirSync(join(root, folder), { recursive: true });
  return root;
}

const lamp = "config noun 'lamp'\noption kind 'switch'\noption key 'on'\n";
const configure = (uci: string) => `cat > /etc/config/nound <<'END'\n${uci}\nEND\n`;
const service = (command: string) => `: > /root/log; /etc/init.d/nound ${command}`;
/** Waits until nound answers on a port. */
const get = (path: string, port = 8080) =>
  `for n in 1 2 3 4 5 6 7 8 9 10; do
    wget -q -O - http://127.0.0.1:${port}${path} 2> /dev/null && exit 0
    sleep 1
  done; exit 1`;
/** Not `pidof`: the init script has the daemon's name, too. */
const processId = "ps | awk '$2 == \"nound\" { print $1 }'";

const commands = {
  start: `${service("start")} && ${get("/greeting")}`,
  user: `sleep 1; grep ^Uid /proc/$(${processId})/status`,
  log: "cat /root/log",
  before: processId,
  wrongReload: `${configure(`${lamp}\noption off 'x'\noption nothing '1'`)}${service("reload")}`,
  wrongRestart: service("restart"),
  wrongStart: service("start"),
  afterWrong: `${processId}; ${get("/greeting")}`,
  syntax: `${configure("config noun 'lamp\n")}${service("reload")}`,
  two: `${configure(`config nound 'a'\nconfig nound 'b'\n${lamp}`)}${service("reload")}`,
  validation: configure(`config nound 'main'\noption port '99999'\noption family 'ipv5'\n${lamp}`) + service("reload"),
  validationLog: "cat /root/log",
  afterAll: processId,
  unnamed: `${configure(`config nound\noption port '8081'\n${lamp}`)}${service("reload")} && (${get("/lamp", 8081)})`,
  restart: `old=$(${processId}); ${service("restart")} && (${get("/lamp", 8081)}) && sleep 1 &&
    [ "$(${processId})" != "$old" ]`,
  unchanged: `old=$(${processId}); ${service("reload")}; sleep 1; [ "$(${processId})" = "$old" ]`,
  hotplug: `old=$(${processId}); ACTION=add; . /etc/hotplug.d/leds/50-nound; sleep 1; [ "$(${processId})" = "$old" ]`,
  interface: `${configure(`config nound 'main'\nlist interface 'lna'\n${lamp}`)}${service("reload")}; cat /root/log`,
  json: `umask 077
    echo '{ "listen": "127.0.0.1:8082", "nouns": { "lamp": { "kind": "switch", "key": "on" } } }' > /root/nound.json
    ${configure("config nound 'main'\noption config '/root/nound.json'\n")}${service("reload")} &&
    (${get("/lamp", 8082)})`,
  absentJson: `${configure("config nound 'main'\noption config '/root/nothing.json'\n")}${service("reload")}`,
  stopped: `${service("stop")}; sleep 2; ${processId}`,
  wrongFirst: `${configure(`${lamp}\noption nothing '1'`)}${service("start")}`,
  corrected: `${configure(lamp)}ubus call service event '{"type":"config.change","data":{"package":"nound"}}'
    ${get("/lamp")}`,
} as const;

describe.skipIf(base === "")(`the package for OpenWrt${notTried}`, () => {
  let outcome: Readonly<Record<keyof typeof commands, Outcome>>;
  beforeAll(() => {
    run("node", ["tools/build/build.mjs", "--part=nound-product", "x86_64"]);
    const root = install();
    const steps = writeSteps(root, commands);
    const boot = `mount -t proc proc "$1/proc" && mount -t sysfs -o ro sys "$1/sys" && mount --rbind /dev "$1/dev" &&
      ip link set lo up && exec chroot "$1" /bin/sh -c 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin
      ubusd & sleep 1; procd -S & sleep 1; sh ${steps}; kill -9 -1'`;
    const words = ["--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", boot, "sh", root];
    const { stdout, stderr } = spawnSync("unshare", words, { encoding: "utf8", timeout: 300_000 });
    outcome = readOutcomes(root, commands, stdout + stderr);
  });

  const lines = (name: keyof typeof commands) => outcome[name].output.trimEnd().split("\n");

  test("it starts as its own user, and says what is missing without the jail", () => {
    expect(outcome.start, outcome.start.output).toMatchObject({ status: 0 });
    expect(outcome.start.output).toContain('{"text":"hello"}');
    expect(outcome.user.output).toMatch(/^Uid:\s+900\s+900\s+900\s+900$/m);
    expect(outcome.log.output).toContain("procd-ujail is not installed");
  });

  test.each(["wrongReload", "wrongRestart", "wrongStart"] as const)(
    "%s fails with the sentence, and leaves what runs",
    (command) => {
      expect(outcome[command].status).toBe(1);
      expect(outcome[command].output).toContain("$.nouns.lamp.");
      expect(lines("afterWrong")).toEqual([outcome.before.output.trim(), '{"text":"hello"}']);
    },
  );

  test("a mistake of UCI's syntax is called one", () => {
    expect(outcome.syntax.status).toBe(1);
    expect(outcome.syntax.output).toMatch(/there is a syntax error: uci: Parse error .* line \d/);
  });

  test("two sections nound are refused", () => {
    expect(outcome.two).toEqual({
      status: 1,
      output: "nound: /etc/config/nound: there is more than one section nound; keep one\n",
    });
  });

  test("every invalid option of the service is reported", () => {
    expect(outcome.validation.status).toBe(1);
    expect(lines("validationLog")).toEqual([
      'nound: /etc/config/nound: main.family=ipv5 is not a valid or("ipv4", "ipv6", "any")',
      "nound: /etc/config/nound: main.port=99999 is not a valid port",
    ]);
    expect(outcome.afterAll.output).toBe(outcome.before.output);
  });

  test("one section nound without a name counts", () => {
    expect(outcome.unnamed.output).toContain('{"on":0}');
  });

  test("a restart starts the daemon again, a reload and a device that comes late only what has changed", () => {
    for (const name of ["restart", "unchanged", "hotplug"] as const)
      expect(outcome[name], outcome[name].output).toMatchObject({ status: 0 });
  });

  test("an interface that the device does not have is reported", () => {
    expect(outcome.interface.output).toContain("no network interface lna");
  });

  test("a JSON configuration that root alone may read is served, and one that is not there is refused", () => {
    expect(outcome.json.output).toContain('{"on":0}');
    expect(outcome.absentJson.status).toBe(1);
    expect(outcome.absentJson.output).toContain("main.config=/root/nothing.json is not a valid file");
  });

  test("after a start with a mistake nothing runs, until the configuration is changed", () => {
    expect(outcome.stopped.output.trim()).toBe("");
    expect(outcome.wrongFirst.status).toBe(1);
    expect(outcome.corrected.output).toContain('{"on":0}');
  });
});
