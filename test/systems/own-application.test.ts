/**
 * An application as a service, packaged by `nound package`: in a booted Debian, and on OpenWrt's own shell functions.
 */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { installHostPackages } from "../harness/host-packages.ts";
import { run, temporaryFolder, top } from "../release/work-folder.ts";
import { obstacle as debianObstacle, fetchDebian, runInDebian } from "./harness/debian-container.ts";
import { OpenwrtDevice, obstacle as openwrtObstacle } from "./harness/openwrt-device.ts";
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

describe.skipIf(noOpenwrt !== undefined)(`packaged for OpenWrt, in procd's jail${skipped}`, () => {
  const list = `ubus call service list '{"name":"hall"}'`;
  const get = (port: number) =>
    `for n in 1 2 3 4 5 6 7 8 9 10; do wget -q -O - http://127.0.0.1:${port}/lamp 2> /dev/null && exit 0; sleep 1; done; exit 1`;
  const wrong = (setting: string) => `uci set hall.main.${setting}; /etc/init.d/hall reload; echo $?; uci revert hall`;
  const commands = {
    start: `/etc/init.d/hall start && (${get(8080)})`,
    instance: list,
    moved: `uci add_list hall.main.listen=127.0.0.1:8099; uci add_list hall.main.option=--debug; uci commit
      /etc/init.d/hall reload && (${get(8099)})`,
    movedInstance: list,
    type: wrong("port=zqx"),
    address: wrong("listen=zqx"),
    goesOn: get(8099),
    /* Another file takes the program's name, as in an upgrade. */
    upgrade: `cp /usr/sbin/hall /usr/sbin/new; mv /usr/sbin/new /usr/sbin/hall; inode=$(ls -di /usr/sbin/hall)
      /etc/init.d/hall start; for n in 1 2 3 4 5 6 7 8 9 10; do
        for exe in /proc/[0-9]*/exe; do [ "$(ls -diL $exe)" != "\${inode%% *} $exe" ] || exit 0; done; sleep 1
      done 2> /dev/null; exit 1`,
  };
  let outcomes: Readonly<Record<keyof typeof commands, Outcome>>;
  beforeAll(async () => {
    const device = await OpenwrtDevice.make();
    device.addUser("hall");
    device.install([[join(packaged("openwrt"), "files"), ".", 0o755]]);
    outcomes = device.run(commands);
  });

  /** The only instance that procd has. */
  function instance(name: "instance" | "movedInstance") {
    return JSON.parse(outcomes[name].output).hall.instances.instance1;
  }

  test("procd runs the binary as its user, in a jail", () => {
    expect(outcomes.start).toEqual({ status: 0, output: '{"on":0}' });
    expect(instance("instance")).toMatchObject({ command: ["/usr/sbin/hall"], user: "hall", no_new_privs: true });
    expect(instance("instance").mount).toEqual({ "/sys": "1", "/etc/hall": "1" });
  });

  test("and with the options of UCI, which the binary itself has checked", () => {
    expect(outcomes.moved.status).toBe(0);
    expect(instance("movedInstance").command).toEqual(["/usr/sbin/hall", "--debug", "--listen", "127.0.0.1:8099"]);
  });

  test.each([
    ["a value of another type", "type", "hall: /etc/config/hall: main.port=zqx is not a valid port"],
    ["an address that is none", "address", "hall: --listen takes an address"],
  ] as const)("%s is refused with a sentence, and what runs goes on", (_, name, sentence) => {
    expect(outcomes[name].output).toContain(sentence);
    expect(outcomes[name].output).toMatch(/^1$/m);
    expect(outcomes.goesOn).toEqual({ status: 0, output: '{"on":0}' });
  });

  test("an upgrade has the new program run", () => {
    expect(outcomes.upgrade.status).toBe(0);
  });
});
