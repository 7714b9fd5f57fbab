/**
 * An application as a service, packaged by `nound package`: in a booted Debian, and on OpenWrt's own shell functions.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { installHostPackages } from "../harness/host-packages.ts";
import { run, temporaryFolder, top } from "../release/work-folder.ts";
import { obstacle as debianObstacle, fetchDebian, runInDebian } from "./harness/debian-container.ts";
import { OpenwrtRoot, obstacle as openwrtObstacle } from "./harness/openwrt-root.ts";
import type { Outcome } from "./harness/steps.ts";

const main = `import { serve, switchNoun } from "nound";
import { name, version } from "../package.json";
serve({ name, version, listen: "127.0.0.1:8080", nouns: () => ({ lamp: switchNoun({ key: "on" }) }), reach: {} });
`;

/** Makes an application and its package for a system. @returns the package's folder. */
function packaged(system: string): string {
  const folder = join(temporaryFolder(), "hall");
  const nound = (...args: readonly string[]) =>
    run(process.execPath, [join(top, "cli/main.mjs"), ...args], { folder: args[0] === "new" ? top : folder });
  nound("new", folder);
  run("sh", ["-c", 'cat > src/main.ts <<"END"\n$0\nEND'.replace("$0", main)], { folder });
  nound("package", "--for", system);
  return join(folder, "build/package", system);
}

const reason = debianObstacle();
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;

describe.skipIf(reason !== undefined)(`packaged for systemd, in a booted container${notTried}`, () => {
  const get = "curl --silent --fail --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8080/lamp";
  const commands = {
    verify:
      "tar -xf hall.tar -C / && systemd-sysusers && systemctl daemon-reload && systemd-analyze verify hall.service",
    start: "systemctl enable --now hall",
    first: get,
    // The keeper, and the process with the nouns.
    user: "ps -o user= -C hall | sort -u",
    rights: "grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/$(pgrep -P $(systemctl show -P MainPID hall))/status",
    moved: `echo 'HALL_ARGS="--listen [::1]:8081"' > /etc/default/hall; systemctl restart hall &&
      curl -sf --retry 20 --retry-connrefused --retry-delay 1 'http://[::1]:8081/lamp'`,
    wrong: "echo 'HALL_ARGS=\"--listen zqx\"' > /etc/default/hall; systemctl reload hall",
    goesOn: "curl -sf 'http://[::1]:8081/lamp'",
    refused:
      "systemctl restart hall; sleep 7; systemctl show --property=ActiveState,NRestarts hall; " +
      "journalctl --no-pager --unit hall | grep -o 'hall: --listen.*'",
  };
  let outcomes: Readonly<Record<keyof typeof commands, Outcome>>;
  beforeAll(() => {
    installHostPackages({ "systemd-nspawn": "systemd-container", debootstrap: "debootstrap" }, "The test of systems");
    fetchDebian();
    const archive = join(temporaryFolder(), "hall.tar");
    run("tar", ["-C", packaged("systemd"), "--owner=0", "--group=0", "-cf", archive, "."]);
    outcomes = runInDebian({ "hall.tar": archive }, { ...commands, verify: `cd /root; ${commands.verify}` });
  });

  test("systemd finds nothing wrong with the unit", () => {
    expect(outcomes.verify.status).toBe(0);
    // The output is only that of systemd-sysusers: the check of the unit prints nothing.
    expect(outcomes.verify.output).toMatch(/^(Creating (user|group) .*\n)*$/);
  });

  test("it starts as a user of its own, with few rights, and answers", () => {
    expect(outcomes.start.status).toBe(0);
    expect(outcomes.first).toEqual({ status: 0, output: '{"on":0}' });
    expect(outcomes.user.output).toBe("hall\n");
    expect(outcomes.rights.output).toBe("CapEff:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n");
  });

  test("it listens where /etc/default says", () => {
    expect(outcomes.moved).toEqual({ status: 0, output: '{"on":0}' });
  });

  test("a wrong option fails the reload, and what runs goes on", () => {
    expect(outcomes.wrong.status).not.toBe(0);
    expect(outcomes.goesOn).toEqual({ status: 0, output: '{"on":0}' });
  });

  test("a start with a wrong option fails once, and the journal has the sentence", () => {
    expect(outcomes.refused.output).toContain("NRestarts=0\nActiveState=failed\n");
    expect(outcomes.refused.output).toContain("hall: --listen takes an address");
  });
});

const noOpenwrt = openwrtObstacle();
const skipped = noOpenwrt === undefined ? "" : ` (not tried: ${noOpenwrt})`;

describe.skipIf(noOpenwrt !== undefined)(`packaged for OpenWrt, on its own shell functions${skipped}`, () => {
  let device: OpenwrtRoot;
  beforeAll(() => {
    device = new OpenwrtRoot();
    cpSync(join(packaged("openwrt"), "files"), device.path, { recursive: true });
    device.write("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nhall:x:500:500::/:/bin/false\n");
    device.write("etc/group", "root:x:0:\nhall:x:500:\n");
  });

  test("procd runs the binary as its user, in a jail", () => {
    expect(device.run("/etc/init.d/hall start")).toEqual({ status: 0, stderr: "" });
    expect(device.instance).toMatchObject({ command: ["/usr/sbin/hall"], user: "hall", no_new_privs: true });
    expect(device.instance?.jail.mount).toEqual({ "/sys": "1", "/etc/hall": "1" });
  });

  test("and with the options of UCI, which the binary itself has checked", () => {
    device.run("uci add_list hall.main.listen=127.0.0.1:8099; uci add_list hall.main.option=--debug; uci commit");
    expect(device.run("/etc/init.d/hall reload")).toEqual({ status: 0, stderr: "" });
    expect(device.instance?.command).toEqual(["/usr/sbin/hall", "--debug", "--listen", "127.0.0.1:8099"]);
  });

  test.each([
    ["a value of another type", "port=zqx", "hall: /etc/config/hall: main.port=zqx is not a valid port"],
    ["an address that is none", "listen=zqx", "hall: --listen takes an address"],
  ])("%s starts nothing, and the log has a sentence", (_, setting, sentence) => {
    expect(device.run(`uci set hall.main.${setting}; /etc/init.d/hall start`).status).toBe(1);
    expect(device.instance).toBeUndefined();
    expect(device.read("log")).toContain(sentence);
    device.run(`uci revert hall`);
  });
});
