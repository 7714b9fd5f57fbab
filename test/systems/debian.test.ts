/** Debian's package in a booted container: installed, reloaded, upgraded and purged. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { builtProgram, bundleApplication } from "../harness/bundled-application.ts";
import { installHostPackages } from "../harness/host-packages.ts";
import { run, temporaryFolder, top } from "../release/work-folder.ts";
import { fetchDebian, obstacle, runInDebian } from "./harness/debian-container.ts";
import type { Outcome } from "./harness/steps.ts";

/** Makes packages of two versions, of one binary. The second one names its maintainer. @returns the folder. */
function makePackages(): string {
  run("node", ["tools/build/build.mjs", "--part=nound-product", "x86_64"]);
  const folder = temporaryFolder();
  const script = `
    import { components } from "./tools/dist/components.mjs";
    import { debianPackage } from "./tools/dist/debian-package.mjs";
    const linked = components("build/x86_64");
    const release = { target: "x86_64", components: linked, seconds: 1_700_000_000 };
    const maintainers = { "0.2.0": "", "0.2.1": "${maintainer}" };
    for (const [version, maintainer] of Object.entries(maintainers)) {
      process.env.NOUND_MAINTAINER = maintainer;
      debianPackage({ ...release, dist: "${folder}", work: "${folder}/work", version });
    }
  `;
  run("node", ["--input-type=module", "--eval", script], { folder: top });
  return folder;
}

const maintainer = "Ada Lovelace <ada@example.org>";
const right = '{ "listen": "127.0.0.1:8080", "nouns": { "lamp": { "kind": "switch", "key": "on" } } }';
const mirrored = right.replace("} }", '}, "twin": { "kind": "mirror", "url": "http://127.0.0.1:8080/lamp" } }');
const wrong = '{ "nouns": { "lamp": { "kind": "swich" } } }';
const configure = (text: string) => `echo '${text}' > /etc/nound/nound.json`;
const get = (path: string) =>
  `curl --silent --fail --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8080${path}`;
const processId = "systemctl show --property=MainPID nound";
const reason = process.arch === "x64" ? obstacle() : "its binary is for amd64";
const notTried = reason === undefined ? "" : ` (not tried: ${reason})`;

describe.skipIf(reason !== undefined)(`the package for amd64${notTried}`, () => {
  let folder = "";
  beforeAll(() => {
    installHostPackages(
      { lintian: "lintian", "systemd-nspawn": "systemd-container", debootstrap: "debootstrap" },
      "The test of systems",
    );
    folder = makePackages();
    fetchDebian();
  });

  test("is judged by lintian to have no errors, if it names its maintainer", () => {
    run("lintian", ["--allow-root", "--fail-on", "error", join(folder, "nound_0.2.1_amd64.deb")]);
  });

  describe("in a booted container", () => {
    const commands = {
      install: "apt-get install -y /root/old.deb",
      first: get("/greeting"),
      user: "ps -o user= -C nound | sort -u",
      rights:
        "pid=$(pgrep -P $(systemctl show -P MainPID nound)); " +
        "grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp|Seccomp_filters):' /proc/$pid/status",
      exposure: "systemd-analyze security --threshold=15 --no-pager nound",
      configured: `${configure(right)}; systemctl reload nound && sleep 1 && ${get("/lamp")}`,
      use: `for n in 1 0 1; do
          curl -sf -X PUT -d "{\\"on\\":$n}" -H 'Content-Type: application/json' 127.0.0.1:8080/lamp || exit 1
        done
        for path in / /lamp /metrics /openapi.json /.well-known/wot; do
          curl -sf -o /dev/null 127.0.0.1:8080$path || exit 1
        done
        timeout 2 curl -sN -H 'Accept: text/event-stream' 127.0.0.1:8080/lamp | grep '^data'`,
      /* Of its own lamp: the way out of the unit and back is that to another device. */
      mirror: `${configure(mirrored)}; systemctl reload nound
        for n in $(seq 100); do [ "$(curl -s 127.0.0.1:8080/twin)" = '{"on":1}' ] && break; sleep 0.1; done
        curl -sf -X PUT -d '{"on":0}' -H 'Content-Type: application/json' 127.0.0.1:8080/twin; ${get("/lamp")}
        curl -sf -X PUT -d '{"on":1}' -H 'Content-Type: application/json' 127.0.0.1:8080/twin`,
      before: processId,
      reloadWrong: `${configure(wrong)}; systemctl reload nound`,
      afterReload: `${processId}; ${get("/lamp")}`,
      sentence: "journalctl --unit=nound --no-pager --output=cat | grep swich",
      upgradeWrong: "dpkg --install /root/new.deb",
      afterUpgradeWrong: `${processId}; ${get("/lamp")}`,
      startWrong: "systemctl stop nound; systemctl start nound",
      state: "sleep 7; systemctl show --property=ActiveState,NRestarts nound",
      upgrade: `${configure(right)}; systemctl start nound; dpkg --install /root/old.deb && ${processId} > /root/pid &&
        curl -sf -X PUT -d '{"on":1}' -H 'Content-Type: application/json' 127.0.0.1:8080/lamp &&
        dpkg --install /root/new.deb && ${processId} | diff /root/pid - | wc -l
        readlink /proc/$(systemctl show -P MainPID nound)/exe`,
      kept: `cat /etc/nound/nound.json; dpkg-query --show nound; sleep 1; ${get("/lamp")}`,
      undone: `for deaths in 1 2 3; do
          before=$(pgrep -P $(systemctl show -P MainPID nound)); kill -9 $before
          until [ "$(pgrep -P $(systemctl show -P MainPID nound))" != "$before" ] && ${get("/lamp")}; do sleep 0.1; done
        done
        curl -sf -X PUT -d '{"on":1}' -H 'Content-Type: application/json' 127.0.0.1:8080/lamp
        echo; readlink /proc/$(systemctl show -P MainPID nound)/exe
        journalctl --unit=nound --no-pager --output=cat | grep -c 'is given up'; ls -l /usr/bin/nound.previous | wc -l`,
      maintainer: "dpkg --status nound | grep ^Maintainer:",
      back: `apt-get install -y --allow-downgrades /root/old.deb && ${processId} | diff /root/pid - | wc -l
        dpkg-query --show nound 2> /dev/null; sleep 1; ${get("/lamp")}`,
      port: `mkdir -p /etc/systemd/system/nound.service.d /run/nothing
        printf '[Service]\\nAmbientCapabilities=CAP_NET_BIND_SERVICE\\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\\n' \\
          > /etc/systemd/system/nound.service.d/port.conf
        systemctl daemon-reload; sed -i s/127.0.0.1:8080/127.0.0.1:80/ /etc/nound/nound.json
        systemctl restart nound
        curl -sf http://127.0.0.1/lamp`,
      socket: `printf '[Service]\\nRuntimeDirectory=nound\\nSupplementaryGroups=www-data\\n' \\
          > /etc/systemd/system/nound.service.d/socket.conf
        systemctl daemon-reload
        sed -i 's#127.0.0.1:80#unix:/run/nound/nound.sock,mode=0660,group=www-data#' /etc/nound/nound.json
        systemctl restart nound; stat -c '%a %U %G' /run/nound/nound.sock
        curl -sf --unix-socket /run/nound/nound.sock http://127.0.0.1/lamp`,
      status: "systemctl show --property=Type,StatusText nound",
      stuck: `install -m 755 /root/endless /usr/lib/nound/endless
        printf '[Service]\\nWatchdogSec=2\\nRestartSec=1\\nExecStart=\\nExecStart=%s\\n' \\
          /usr/lib/nound/endless > /etc/systemd/system/nound.service.d/stuck.conf
        systemctl daemon-reload; systemctl restart nound && ${get("/lamp")} && ${processId} > /root/pid
        curl --silent --max-time 30 http://127.0.0.1:8080/stuck; echo " curl: $?"
        sleep 3; ${get("/lamp")}; echo; systemctl show --property=NRestarts nound
        ${processId} | diff /root/pid - | wc -l`,
      watchdog: "journalctl --unit=nound --no-pager --output=cat | grep -i watchdog",
      denied: "journalctl --no-pager --output=cat | grep -E 'SECCOMP|cannot (restrict|give up)|audit.*nound'",
      purge: "dpkg --purge nound; ls -d /etc/nound /var/lib/nound /usr/bin/nound; systemctl is-active nound",
    } as const;
    let outcome: Readonly<Record<keyof typeof commands, Outcome>>;
    beforeAll(async () => {
      const files: Record<string, string> = {
        "old.deb": join(folder, "nound_0.2.0_amd64.deb"),
        "new.deb": join(folder, "nound_0.2.1_amd64.deb"),
      };
      files["endless"] = builtProgram(await bundleApplication("test/systems/endless-application.ts"));
      outcome = runInDebian(files, commands);
    });

    function lines(name: keyof typeof commands): readonly string[] {
      return outcome[name].output.trimEnd().split("\n");
    }

    test("it is installed, starts at once, and serves as its own user", () => {
      expect(outcome.install.status, outcome.install.output).toBe(0);
      expect(outcome.first.output).toBe('{"text":"hello"}');
      expect(outcome.user.output.trim()).toBe("nound");
    });

    test("it has no capability, and both its own filter of system calls and the unit's", () => {
      const status = Object.fromEntries(lines("rights").map((line) => line.split(/:\s+/)));
      expect(status).toMatchObject({
        CapEff: "0000000000000000",
        CapBnd: "0000000000000000",
        NoNewPrivs: "1",
        Seccomp: "2",
      });
      expect(Number(status.Seccomp_filters)).toBeGreaterThan(1);
    });

    test("everything it does passes both filters", () => {
      expect(outcome.use, outcome.use.output).toMatchObject({ status: 0 });
      expect(outcome.use.output).toContain('data: {"on":1}');
      expect(outcome.denied.output).toBe("");
    });

    test("the exposure is at most 1.5 by systemd's measure", () => {
      expect(outcome.exposure.status, outcome.exposure.output).toBe(0);
    });

    test("a reload takes a right configuration", () => {
      expect(outcome.configured.output).toBe('{"on":0}');
    });

    test("a mirror follows and changes another device's noun", () => {
      expect(lines("mirror")).toEqual(['{"on":0}{"on":0}{"on":1}']);
    });

    test("a reload of a wrong configuration fails, and leaves what runs", () => {
      expect(outcome.reloadWrong.status).not.toBe(0);
      expect(lines("afterReload")).toEqual([outcome.before.output.trim(), '{"on":1}']);
      expect(outcome.sentence.output).toContain("$.nouns.lamp.kind");
    });

    test("an upgrade under a wrong configuration says so, and leaves what runs", () => {
      expect(outcome.upgradeWrong.status).toBe(0);
      expect(outcome.upgradeWrong.output).toContain("$.nouns.lamp.kind");
      expect(lines("afterUpgradeWrong")).toEqual([outcome.before.output.trim(), '{"on":1}']);
    });

    test("a start with a wrong configuration fails, and is not tried again and again", () => {
      expect(outcome.startWrong.status).not.toBe(0);
      expect(lines("state").toSorted()).toEqual(["ActiveState=failed", "NRestarts=0"]);
    });

    test("an upgrade runs the new program in the same process, and keeps the states and the configuration", () => {
      expect(lines("upgrade").slice(-2), outcome.upgrade.output).toEqual(["0", "/usr/bin/nound"]);
      expect(lines("kept")).toEqual([right, "nound\t0.2.1", '{"on":1}']);
    });

    test("an update whose program dies three times goes back by itself", () => {
      expect(lines("undone").slice(-3), outcome.undone.output).toEqual(["/usr/bin/nound (deleted)", "1", "1"]);
    });

    test("the package names its maintainer", () => {
      expect(lines("maintainer")).toEqual([`Maintainer: ${maintainer}`]);
    });

    test("apt goes back to the version before, in the same process and with the same states", () => {
      expect(lines("back").slice(-3), outcome.back.output).toEqual(["0", "nound\t0.2.0", '{"on":1}']);
    });

    test("a port below 1024 and a Unix socket of another group are had by the lines of the page", () => {
      expect(outcome.port.output).toBe('{"on":0}');
      expect(lines("socket")).toEqual(["660 nound www-data", '{"on":0}']);
    });

    test("systemd waits until it listens, and shows what it serves", () => {
      expect(lines("status").toSorted()).toEqual([
        expect.stringMatching(/^StatusText=nound \d+\.\d+\.\d+\S* serves 1 noun$/),
        "Type=notify",
      ]);
    });

    test("a noun that never returns from a built-in function is ended by the watchdog, and served again", () => {
      const [gone, again, restarts, changed] = lines("stuck");
      // 52: the process has ended while the client waited.
      expect([gone, again, restarts], outcome.stuck.output).toEqual(['{"on":0} curl: 52', '{"on":0}', "NRestarts=1"]);
      expect(Number(changed)).toBeGreaterThan(0);
      expect(outcome.watchdog.output).toMatch(/Watchdog timeout/i);
    });

    test("a purge leaves nothing", () => {
      expect(outcome.purge.output).toContain("Purging configuration files for nound");
      for (const path of ["/etc/nound", "/var/lib/nound", "/usr/bin/nound"])
        expect(outcome.purge.output).toContain(`cannot access '${path}'`);
      expect(lines("purge").at(-1)).toBe("inactive");
    });
  });
});
