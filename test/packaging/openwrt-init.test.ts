/** The init script of the OpenWrt package, between a UCI configuration and what procd is told. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RelocatedRoot, shells } from "./harness/relocated-root.ts";

const files = "packaging/openwrt/nound/files";
const lamp = "config noun 'lamp'\noption kind 'switch'\noption key 'lamp'\n";
const initScript = '. "$HARNESS/openwrt.sh"; . "$ROOT/etc/init.d/nound"';

let root: RelocatedRoot;
beforeEach(() => {
  root = new RelocatedRoot();
  root.install(`${files}/nound.init`, "etc/init.d/nound");
  root.install(`${files}/uci-to-json.sh`, "usr/share/nound/uci-to-json.sh");
  root.write("lib/functions/network.sh", "");
  acceptConfigurations();
});
afterEach(() => root.remove());

/** Stands for the daemon, which finds every configuration right. */
function acceptConfigurations(): void {
  root.write("usr/sbin/nound", `#!/bin/sh\necho "$@" > ${root.path}/checked\n`, 0o755);
}

function refuseConfigurations(sentence: string): void {
  root.write("usr/sbin/nound", `#!/bin/sh\necho '${sentence}' >&2\nexit 78\n`, 0o755);
}

describe.each(shells.map((shell) => ({ shell, name: shell.join(" ") })))("in $name", ({ shell }) => {
  function run(command: string, uci: string) {
    root.write("etc/config/nound", uci);
    root.write("calls", "");
    return root.run(shell, `${initScript}; ${command}`);
  }

  function start(uci: string) {
    const { status, stderr } = run("start_service", uci);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  }

  function parameter(name: string): readonly string[] | undefined {
    return root
      .callsOf("procd_set_param")
      .find(([type]) => type === name)
      ?.slice(1);
  }

  function addresses(): readonly string[] {
    return root.callsOf("procd_append_param").map(([, , address = ""]) => address);
  }

  test("starts the daemon with the translated configuration, which only its group may read", () => {
    start(lamp);
    expect(parameter("command")).toEqual(["/usr/sbin/nound", "--config", "/var/run/nound/nound.json"]);
    expect(JSON.parse(root.read("var/run/nound/nound.json"))).toEqual({
      nouns: { lamp: { kind: "switch", key: "lamp" } },
    });
    expect(root.calls).toContainEqual(["chgrp", "nound", "/var/run/nound/nound.json.new"]);
    expect(root.calls).toContainEqual(["chmod", "640", "/var/run/nound/nound.json.new"]);
  });

  test("checks the configuration before it is used", () => {
    start(lamp);
    expect(root.read("checked")).toBe(`--check --config ${root.path}/var/run/nound/nound.json.new\n`);
  });

  test("runs it as a user of its own, without new privileges, with one capability, in a jail, again after each end", () => {
    start(lamp);
    expect(parameter("user")).toEqual(["nound"]);
    expect(parameter("group")).toEqual(["nound"]);
    expect(parameter("no_new_privs")).toEqual(["1"]);
    expect(parameter("capabilities")).toEqual(["/etc/capabilities/nound.json"]);
    expect(parameter("respawn")).toEqual(["3600", "5", "0"]);
    expect(parameter("stderr")).toEqual(["1"]);
    expect(root.callsOf("procd_add_jail")).toEqual([["nound"]]);
    expect(root.callsOf("procd_add_jail_mount")).toEqual([["/var/run/nound/nound.json"]]);
  });

  test("tells procd of the configuration's file, so that a changed one restarts the daemon", () => {
    start(lamp);
    expect(parameter("file")).toEqual(["/var/run/nound/nound.json"]);
  });

  test("describes one instance from its beginning to its end", () => {
    start(lamp);
    const names = root.calls.map(([name]) => name).filter((name) => name?.startsWith("procd_"));
    expect(names.at(0)).toBe("procd_open_instance");
    expect(names.at(-1)).toBe("procd_close_instance");
  });

  test("gives the jail the GPIO chips, the folder of states and /sys to write", () => {
    root.write("dev/gpiochip0", "");
    root.write("dev/gpiochip1", "");
    root.install("packaging/openwrt/nound/files/nound.init", "etc/init.d/nound");
    const text = root.read("etc/init.d/nound").replaceAll("/dev/gpiochip", `${root.path}/dev/gpiochip`);
    root.write("etc/init.d/nound", text.replaceAll(root.path + root.path, root.path));
    start(`config nound 'main'\noption stateDirectory '${root.path}/state'\n${lamp}`);
    expect(root.callsOf("procd_add_jail_mount_rw")).toEqual([
      ["/sys"],
      ["/dev/gpiochip0"],
      ["/dev/gpiochip1"],
      ["/state"],
    ]);
    expect(root.calls).toContainEqual(["chgrp", "nound", "/dev/gpiochip1"]);
    expect(root.calls).toContainEqual(["chown", "nound:nound", "/state"]);
    expect(existsSync(join(root.path, "state"))).toBe(true);
  });

  test("gives the user the token file to read, in the jail too, and restarts the daemon when it changes", () => {
    start(`config access\noption tokens '${root.path}/etc/nound/tokens'\n${lamp}`);
    expect(root.calls).toContainEqual(["chgrp", "nound", "/etc/nound/tokens"]);
    expect(root.calls).toContainEqual(["chmod", "640", "/etc/nound/tokens"]);
    expect(root.callsOf("procd_add_jail_mount")).toEqual([["/var/run/nound/nound.json"], ["/etc/nound/tokens"]]);
    expect(parameter("file")).toEqual(["/var/run/nound/nound.json", "/etc/nound/tokens"]);
  });

  test("gives the user the LEDs and PWM channels of the nouns and no others", () => {
    for (const path of ["leds/green:status/brightness", "leds/green:status/trigger", "leds/red:power/brightness"])
      root.write(`sys/class/${path}`, "");
    for (const path of ["export", "pwm1/period", "pwm1/duty_cycle", "pwm1/enable", "pwm2/enable"])
      root.write(`sys/class/pwm/pwmchip0/${path}`, "");
    start(
      "config noun 'status'\noption kind 'led'\noption device 'green:status'\n" +
        "config noun 'fan'\noption kind 'pwm'\noption chip 'pwmchip0'\noption channel '1'\n" +
        "config noun 'servo'\noption kind 'pwm'\noption chip 'pwmchip0'\noption channel '3'\n",
    );
    const granted = root.callsOf("chgrp").map(([, path = ""]) => path);
    expect(granted.filter((path) => path.startsWith("/sys/class/"))).toEqual([
      "/sys/class/leds/green:status/brightness",
      "/sys/class/leds/green:status/trigger",
      "/sys/class/pwm/pwmchip0/pwm1/period",
      "/sys/class/pwm/pwmchip0/pwm1/duty_cycle",
      "/sys/class/pwm/pwmchip0/pwm1/enable",
    ]);
    expect(root.read("sys/class/pwm/pwmchip0/export")).toBe("3\n");
  });

  test("gives the jail the machine's facts where a noun shows them", () => {
    start("config noun 'machine'\noption kind 'system'\n");
    expect(root.callsOf("procd_add_jail_mount")).toEqual([
      ["/var/run/nound/nound.json"],
      ["/proc/uptime"],
      ["/proc/loadavg"],
      ["/proc/meminfo"],
    ]);
  });

  test("gives the user the attributes that a noun may write and no others", () => {
    const folder = "sys/class/backlight/panel";
    for (const name of ["brightness", "bl_power"]) root.write(`${folder}/${name}`, "");
    const noun = (name: string, more: string) =>
      `config noun '${name}'\noption kind 'sysfs'\noption path '${root.path}/${folder}/${name}'\n${more}`;
    start(noun("brightness", "option writable '1'\noption default '1'\n") + noun("bl_power", ""));
    expect(root.callsOf("chgrp")).toContainEqual(["nound", `/${folder}/brightness`]);
    expect(root.callsOf("chgrp")).not.toContainEqual(["nound", `/${folder}/bl_power`]);
  });

  test("is not started when it is disabled, whatever the rest says", () => {
    refuseConfigurations("nound: wrong");
    start(`config nound 'main'\noption enabled '0'\n${lamp}`);
    expect(root.callsOf("procd_open_instance")).toEqual([]);
  });

  describe("listens", () => {
    test("on the loopback interface when nothing says otherwise", () => {
      start(lamp);
      expect(addresses()).toEqual(["127.0.0.1:8080"]);
    });

    test("at the address of an interface, and not on loopback then", () => {
      root.write("network/lan.ipv4", "192.0.2.1\n");
      root.write("network/lan.ipv6", "2001:db8::1\n");
      start(`config nound 'main'\nlist interface 'lan'\noption port '80'\n${lamp}`);
      expect(addresses()).toEqual(["192.0.2.1:80"]);
    });

    test.each([
      ["ipv6", ["[2001:db8::1]:8080", "[fd00::1]:8080"]],
      ["any", ["192.0.2.1:8080", "[2001:db8::1]:8080", "[fd00::1]:8080"]],
    ])("at the addresses of the family %s", (family, expected) => {
      root.write("network/lan.ipv4", "192.0.2.1\n");
      root.write("network/lan.ipv6", "2001:db8::1 fd00::1\n");
      start(`config nound 'main'\noption interface 'lan'\noption family '${family}'\n${lamp}`);
      expect(addresses()).toEqual(expected);
    });

    test("on loopback while the interface is down", () => {
      start(`config nound 'main'\nlist interface 'lan'\noption port '80'\n${lamp}`);
      expect(addresses()).toEqual(["127.0.0.1:80"]);
    });

    test("at the addresses that are listed, each once, besides those of the interfaces", () => {
      root.write("network/lan.ipv4", "192.0.2.1\n");
      start(
        "config nound 'main'\nlist listen '127.0.0.1:8080'\nlist listen '192.0.2.1:8080'\n" +
          `list interface 'lan'\nlist interface 'wan'\n${lamp}`,
      );
      expect(addresses()).toEqual(["127.0.0.1:8080", "192.0.2.1:8080"]);
    });
  });

  describe("announces itself", () => {
    const announced = "config nound 'main'\noption mdns '1'\nlist interface 'lan'\n";

    test("by its port where others reach it", () => {
      root.write("network/lan.ipv4", "192.0.2.1\n");
      start(announced + lamp);
      expect(root.callsOf("procd_add_mdns_service")).toEqual([
        ["http", "tcp", "8080", "daemon=nound"],
        ["wot", "tcp", "8080", "td=/.well-known/wot", "type=Thing", "scheme=http"],
      ]);
      expect(root.callsOf("procd_open_data").length).toBe(1);
      expect(root.callsOf("procd_close_data").length).toBe(1);
    });

    test("without the Thing Description where that is switched off", () => {
      root.write("network/lan.ipv4", "192.0.2.1\n");
      start(`${announced}${lamp}config documents 'documents'\noption description '0'\n`);
      expect(root.callsOf("procd_add_mdns_service")).toEqual([["http", "tcp", "8080", "daemon=nound"]]);
    });

    test("to nobody while only the device itself reaches it", () => {
      start(announced + lamp);
      expect(root.callsOf("procd_add_mdns_service")).toEqual([]);
    });

    test("to nobody who was not asked for", () => {
      root.write("network/lan.ipv4", "192.0.2.1\n");
      start(`config nound 'main'\nlist interface 'lan'\n${lamp}`);
      expect(root.callsOf("procd_add_mdns_service")).toEqual([]);
    });
  });

  describe("of a JSON configuration", () => {
    const json = "config nound 'main'\noption config '/etc/nound/nound.json'\n";

    test("takes the file as it is, and leaves to it where to listen", () => {
      root.write("etc/nound/nound.json", '{ "nouns": {} }');
      start(json.replace("/etc", `${root.path}/etc`));
      expect(parameter("command")).toEqual(["/usr/sbin/nound", "--config", "/etc/nound/nound.json"]);
      expect(addresses()).toEqual([]);
    });

    test("listens on loopback when an interface was named and is down", () => {
      root.write("etc/nound/nound.json", '{ "nouns": {} }');
      start(`${json.replace("/etc", `${root.path}/etc`)}list interface 'lan'\n`);
      expect(addresses()).toEqual(["127.0.0.1:8080"]);
    });
  });

  describe("of a wrong configuration", () => {
    test("starts nothing, and writes nound's own sentence to the log", () => {
      refuseConfigurations("nound: nound.json: $.nouns.lamp.kind: expected one of them");
      expect(run("start_service", lamp).status).not.toBe(0);
      expect(root.callsOf("logger")).toEqual([
        ["-t", "nound", "-p", "daemon.err", "nound: nound.json: $.nouns.lamp.kind: expected one of them"],
      ]);
      expect(root.callsOf("procd_open_instance")).toEqual([]);
    });

    test("starts nothing when UCI alone is wrong, and says what", () => {
      expect(run("start_service", `config nuon 'lamp'\n${lamp}`).status).not.toBe(0);
      expect(root.callsOf("logger")[0]?.at(-1)).toContain(
        "expected a section nound, limits, access, documents, noun or key, found nuon",
      );
      expect(root.callsOf("procd_open_instance")).toEqual([]);
    });

    test("a reload leaves the running daemon and its file alone", () => {
      start(lamp);
      const before = root.read("var/run/nound/nound.json");
      refuseConfigurations("nound: wrong");
      root.write("calls", "");
      const { status } = run("start() { call start; }; reload_service", `${lamp}option off '1'\n`);
      expect(status).not.toBe(0);
      expect(root.callsOf("start")).toEqual([]);
      expect(root.read("var/run/nound/nound.json")).toBe(before);
    });
  });

  test("a reload of a right configuration starts anew, which procd judges", () => {
    expect(run("start() { call start; }; reload_service", lamp).status).toBe(0);
    expect(root.callsOf("start")).toEqual([[]]);
  });

  test("is reloaded when the configuration or an interface changes", () => {
    run("service_triggers", `config nound 'main'\nlist interface 'lan'\nlist interface 'guest'\n${lamp}`);
    expect(root.calls).toEqual([
      ["procd_add_reload_trigger", "nound"],
      ["procd_add_reload_interface_trigger", "lan"],
      ["procd_add_reload_interface_trigger", "guest"],
    ]);
  });
});
