/** The init script of the OpenWrt package, between a UCI configuration and what procd is told. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { uciKeys } from "../../packaging/openwrt-keys.mjs";
import { RelocatedRoot } from "./harness/relocated-root.ts";

const files = "packaging/openwrt/nound/files";
const lamp = "config noun 'lamp'\noption kind 'switch'\noption key 'lamp'\n";
const keys = uciKeys();
const initScript = '. "$HARNESS/openwrt.sh"; . "$ROOT/etc/init.d/nound"';

let root: RelocatedRoot;
beforeEach(() => {
  root = new RelocatedRoot();
  root.install(`${files}/nound.init`, "etc/init.d/nound");
  root.install(`${files}/service.sh`, "usr/share/nound/service.sh");
  for (const name of ["uci-to-json.sh", "uci-to-json.awk"]) root.install(`${files}/${name}`, `usr/share/nound/${name}`);
  root.write("usr/share/nound/uci-keys.awk", keys);
  root.write("lib/functions/network.sh", "");
  root.write("sbin/ujail", "", 0o755);
  acceptConfigurations();
});
afterEach(() => root.remove());

/** Stands for the daemon, which finds every configuration right, and ends a reload with a status. */
function acceptConfigurations(reload = 0): void {
  const script = `if [ "$1" = --reload ]; then
    echo "$2" >> ${root.path}/reloaded; echo "nound: why" >&2; exit ${reload}
  else echo "$@" > ${root.path}/checked; fi`;
  root.write("usr/sbin/nound", `#!/bin/sh\n${script}\n`, 0o755);
}

/** The processes that were reloaded since the last call. */
function reloaded(): readonly string[] {
  const file = join(root.path, "reloaded");
  if (!existsSync(file)) return [];
  const processes = readFileSync(file, "utf8").trim().split("\n");
  rmSync(file);
  return processes;
}

function refuseConfigurations(sentence: string): void {
  root.write("usr/sbin/nound", `#!/bin/sh\necho '${sentence}' >&2\nexit 78\n`, 0o755);
}

function run(command: string, uci: string) {
  root.write("etc/config/nound", uci);
  root.write("calls", "");
  return root.run(`${initScript}; ${command}`);
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

/** What procd was told of the service. */
function procdCalls(): readonly (readonly string[])[] {
  return root.calls.filter(([name]) => name?.startsWith("procd_"));
}

function logged(): readonly (string | undefined)[] {
  return root.callsOf("logger").map((words) => words.at(-1));
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
  expect(root.read("checked")).toBe(`--check --simulate --config ${root.path}/var/run/nound/nound.json.new\n`);
});

test("runs it as its own user, without new privileges, with one capability, jailed, again after each end", () => {
  start(lamp);
  expect(parameter("user")).toEqual(["nound"]);
  expect(parameter("group")).toEqual(["nound"]);
  expect(parameter("no_new_privs")).toEqual(["1"]);
  expect(parameter("capabilities")).toEqual(["/etc/capabilities/nound.json"]);
  expect(parameter("respawn")).toEqual(["3600", "5", "0"]);
  expect(parameter("stderr")).toEqual(["1"]);
  expect(root.callsOf("procd_add_jail")).toEqual([["nound", "procfs"]]);
  expect(root.callsOf("procd_add_jail_mount")).toEqual([["/var/run/nound"]]);
});

test("tells procd of the program's file, so that an upgrade restarts the daemon", () => {
  start(lamp);
  expect(parameter("file")).toEqual(["/usr/sbin/nound", "/var/run/nound/start"]);
});

test("gives the daemon the rule of local time, which its jail has no file with", () => {
  root.write("timezone", "CET-1CEST,M3.5.0,M10.5.0/3\n");
  start(lamp);
  expect(parameter("env")).toEqual(["TZ=CET-1CEST,M3.5.0,M10.5.0/3"]);
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
  expect(root.callsOf("procd_add_jail_mount_rw")).toEqual([["/sys", "/dev/gpiochip0", "/dev/gpiochip1", "/state"]]);
  expect(root.calls).toContainEqual(["chgrp", "nound", "/dev/gpiochip1"]);
  expect(root.calls).toContainEqual(["chown", "nound:nound", "/state"]);
  expect(existsSync(join(root.path, "state"))).toBe(true);
});

test.each([
  ["with files of others", () => root.write("state/passwd", "")],
  ["that is a file", () => root.write("state", "")],
  ["that is a link", () => symlinkSync("etc", join(root.path, "state"))],
])("refuses a folder of states %s, and leaves it as it is", (_, make) => {
  make();
  const uci = `config nound 'main'\noption stateDirectory '${root.path}/state'\n${lamp}`;
  const { status, stderr } = run("start_service", uci);
  expect(status).toBe(1);
  expect(stderr).toContain("holds files that are not nound's: name an empty or a new folder as stateDirectory\n");
  expect(root.callsOf("chown")).toEqual([]);
  expect(root.callsOf("procd_open_instance")).toEqual([]);
});

test.each([
  ["that is empty", () => mkdirSync(join(root.path, "state"))],
  ["with files of the user's own", () => root.write("state/lamp.json", "{}", 0o600)],
])("takes a folder of states %s", (_, make) => {
  make();
  start(`config nound 'main'\noption stateDirectory '${root.path}/state'\n${lamp}`);
  expect(root.calls).toContainEqual(["chown", "nound:nound", "/state"]);
});

test("gives the user the token file to read, in the jail too", () => {
  start(`config access\noption tokens '${root.path}/etc/nound/tokens'\n${lamp}`);
  expect(root.calls).toContainEqual(["chgrp", "nound", "/etc/nound/tokens"]);
  expect(root.calls).toContainEqual(["chmod", "640", "/etc/nound/tokens"]);
  expect(root.callsOf("procd_add_jail_mount")).toEqual([["/var/run/nound", "/etc/nound/tokens"]]);
});

test("gives the user the password of a broker and the tokens of webhooks to read, in the jail too", () => {
  const hook = (name: string) =>
    `config noun '${name}'\noption kind 'webhook'\noption url 'http://192.0.2.5/'\n` +
    `option token '${root.path}/etc/${name}'\n`;
  const broker = `config mqtt\noption broker '192.0.2.5:1883'\noption password '${root.path}/etc/password'\n`;
  start(broker + hook("a") + hook("b"));
  const secrets = ["/etc/password", "/etc/a", "/etc/b"];
  for (const path of secrets) {
    expect(root.calls).toContainEqual(["chgrp", "nound", path]);
    expect(root.calls).toContainEqual(["chmod", "640", path]);
    expect(root.callsOf("procd_add_jail_mount").flat()).toContain(path);
  }
});

test("gives the jail the certificates and keys of TLS, and the user the keys", () => {
  for (const name of ["ca.pem", "own.pem", "own.key"]) root.write(`etc/tls/${name}`, "");
  root.write("etc/ssl/cert.pem", "");
  const path = (name: string) => `${root.path}/etc/tls/${name}`;
  start(
    `config mqtt\noption broker 'mqtts://broker.example'\nlist tls 'authorities=${path("ca.pem")}'\n` +
      `config tls\noption certificate '${path("own.pem")}'\noption key '${path("own.key")}'\n${lamp}`,
  );
  const mounted = root.callsOf("procd_add_jail_mount").flat();
  for (const file of ["/etc/ssl/cert.pem", "/etc/tls/ca.pem", "/etc/tls/own.pem", "/etc/tls/own.key"])
    expect(mounted).toContain(file);
  const granted = root.callsOf("chgrp").map(([, file]) => file);
  expect(granted).toContain("/etc/tls/own.key");
  expect(granted).not.toContain("/etc/tls/ca.pem");
  expect(granted).not.toContain("/etc/ssl/cert.pem");
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
    start(`${announced}list documents 'page'\n${lamp}`);
    expect(root.callsOf("procd_add_mdns_service")).toEqual([["http", "tcp", "8080", "daemon=nound"]]);
  });

  test("by the port for https, too, or by that alone", () => {
    const sealed = "list listen 'https://0.0.0.0:8443'\nlist listen 'https://127.0.0.1:8444'\n";
    root.write("network/lan.ipv4", "192.0.2.1\n");
    const td = ["td=/.well-known/wot", "type=Thing"];
    start(announced + sealed + lamp);
    expect(root.callsOf("procd_add_mdns_service")).toEqual([
      ["http", "tcp", "8080", "daemon=nound"],
      ["https", "tcp", "8443", "daemon=nound"],
      ["wot", "tcp", "8080", ...td, "scheme=http"],
    ]);
    start(`config nound 'main'\noption mdns '1'\n${sealed}${lamp}`);
    expect(root.callsOf("procd_add_mdns_service")).toEqual([
      ["https", "tcp", "8443", "daemon=nound"],
      ["wot", "tcp", "8443", ...td, "scheme=https"],
    ]);
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

  test("takes the file as it is, from a copy that the user may read, and leaves to it where to listen", () => {
    root.write("etc/nound/nound.json", '{ "nouns": {} }', 0o600);
    start(json.replace("/etc", `${root.path}/etc`));
    expect(parameter("command")).toEqual(["/usr/sbin/nound", "--config", "/var/run/nound/nound.json"]);
    expect(addresses()).toEqual([]);
    expect(root.read("checked")).toBe(`--check --simulate --config ${root.path}/etc/nound/nound.json\n`);
    expect(root.read("var/run/nound/nound.json")).toBe('{ "nouns": {} }');
    expect(root.calls).toContainEqual(["chgrp", "nound", "/var/run/nound/nound.json.new"]);
    expect(root.calls).toContainEqual(["chmod", "640", "/var/run/nound/nound.json.new"]);
  });

  test("starts nothing where the file is not there, and says so", () => {
    expect(run("start_service", json).status).toBe(1);
    expect(logged()).toEqual(["nound: /etc/config/nound: main.config=/etc/nound/nound.json is not a valid file"]);
  });

  test("listens on loopback when an interface was named and is down", () => {
    root.write("etc/nound/nound.json", '{ "nouns": {} }');
    start(`${json.replace("/etc", `${root.path}/etc`)}list interface 'lan'\n`);
    expect(addresses()).toEqual(["127.0.0.1:8080"]);
  });
});

describe("of a wrong configuration", () => {
  test("starts nothing, and tells the log and the terminal nound's own sentence", () => {
    refuseConfigurations("nound: nound.json: $.nouns.lamp.kind: expected one of them");
    const { status, stderr } = run("start_service", lamp);
    expect(status).toBe(1);
    expect(stderr).toBe("nound: nound.json: $.nouns.lamp.kind: expected one of them\n");
    expect(root.callsOf("logger")).toEqual([
      ["-t", "nound", "-p", "daemon.err", "nound: nound.json: $.nouns.lamp.kind: expected one of them"],
    ]);
    expect(root.callsOf("procd_open_instance")).toEqual([]);
  });

  test("lets rc.common end with a failure, once procd knows the triggers", () => {
    refuseConfigurations("nound: wrong");
    const { stdout } = run("start_service; echo told; service_started || echo failed", lamp);
    expect(stdout).toBe("told\nfailed\n");
  });

  test.each([
    ["a section of another type", "config nuon 'lamp'\n", "expected a section nound, "],
    [
      "a second section nound",
      "config nound 'main'\nconfig nound 'other'\n",
      "there is more than one section nound; keep one",
    ],
    ["a port", "config nound\noption port '99x'\n", "cfg1.port=99x is not a valid port:8080"],
    [
      "a family",
      "config nound 'main'\noption family 'ipv5'\n",
      'main.family=ipv5 is not a valid or("ipv4", "ipv6", "any"):ipv4',
    ],
    ["a switch", "config nound 'main'\noption mdns 'perhaps'\n", "main.mdns=perhaps is not a valid bool:0"],
  ])("starts nothing when UCI alone is wrong, and says what: %s", (_, uci, sentence) => {
    expect(run("start_service", `${uci}${lamp}`).status).toBe(1);
    expect(logged()).toEqual([expect.stringContaining(`nound: /etc/config/nound: ${sentence}`)]);
    expect(root.callsOf("procd_open_instance")).toEqual([]);
  });

  test("calls a mistake of UCI's syntax one", () => {
    root.write("uci-error", "uci: Parse error (unterminated ') at line 3, byte 9\n");
    expect(run("start_service", lamp).status).toBe(1);
    expect(logged()).toEqual([
      "nound: /etc/config/nound: there is a syntax error: uci: Parse error (unterminated ') at line 3, byte 9",
    ]);
  });

  test.each(["start", "restart"])("%s goes on with the configuration that was accepted last", (command) => {
    const served = `config nound 'main'\noption port '81'\n${lamp}`;
    start(served);
    const before = { json: root.read("var/run/nound/nound.json"), told: procdCalls() };
    refuseConfigurations("nound: wrong");
    root.write("instances", "4711");
    const { status, stderr } = run(command, `${served}\noption off '1'\n`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "nound: wrong\n" });
    expect({ json: root.read("var/run/nound/nound.json"), told: procdCalls() }).toEqual(before);
    // An option of the configuration that was refused is not one of the accepted one.
    run(command, `${lamp}config nound 'main'\noption mdns 'perhaps'\nlist listen '192.0.2.1:1'\n`);
    expect(procdCalls()).toEqual(before.told);
  });

  test("names the file that people write", () => {
    refuseConfigurations(`nound: ${root.path}/var/run/nound/nound.json.new: $.nouns.lamp.off: unknown`);
    expect(run("start_service", `${lamp}\noption off '1'\n`).status).toBe(1);
    expect(logged()).toEqual(["nound: /etc/config/nound: $.nouns.lamp.off: unknown"]);
  });
});

describe("of a daemon that runs", () => {
  /** What is served, whose token file is there. */
  const served = () => `config access\noption tokens '${root.path}/etc/nound/tokens'\n${lamp}`;
  const changed = () => `${served()}option title 'Lamp'\n`;
  const described = () => root.read("var/run/nound/start");

  beforeEach(() => {
    root.write("etc/nound/tokens", "a\n");
    start(served());
    root.write("instances", "4711");
  });

  test("a changed configuration is reloaded, and procd finds nothing changed", () => {
    const before = { told: procdCalls(), start: described() };
    start(changed());
    expect(reloaded()).toEqual(["4711"]);
    expect({ told: procdCalls(), start: described() }).toEqual(before);
    expect(JSON.parse(root.read("var/run/nound/nound.json")).nouns.lamp.title).toBe("Lamp");
  });

  test("nothing is reloaded where nothing has changed", () => {
    start(served());
    expect(reloaded()).toEqual([]);
  });

  test("a token file that was written is reloaded", () => {
    root.write("etc/nound/tokens", "b\n");
    const before = described();
    start(served());
    expect({ reloaded: reloaded(), start: described() }).toEqual({ reloaded: ["4711"], start: before });
  });

  test.each([
    [
      "a token file that another one has replaced, which the jail does not see",
      () => {
        root.write("etc/nound/other", "b\n");
        renameSync(join(root.path, "etc/nound/other"), join(root.path, "etc/nound/tokens"));
      },
    ],
    [
      "a program that another one has replaced",
      () => {
        const program = join(root.path, "usr/sbin/nound");
        writeFileSync(`${program}.new`, readFileSync(program), { mode: 0o755 });
        renameSync(`${program}.new`, program);
      },
    ],
    ["another rule of local time", () => root.write("timezone", "UTC\n")],
  ])("%s has procd start it again", (_, change) => {
    const before = described();
    change();
    start(changed());
    expect(reloaded()).toEqual([]);
    expect(described()).not.toBe(before);
  });

  test("more files for the jail have procd start it again", () => {
    const before = described();
    root.write("etc/more", "");
    start(`config nound 'main'\nlist jailMount '${root.path}/etc/more'\n${changed()}`);
    expect({ reloaded: reloaded(), isSame: described() === before }).toEqual({ reloaded: [], isSame: false });
  });

  test("a reload that is refused fails, and is tried again by the next one", () => {
    acceptConfigurations(69);
    const before = root.read("var/run/nound/nound.json");
    for (const _ of [1, 2]) {
      const { status, stderr } = run("start", changed());
      expect({ status, stderr }).toEqual({ status: 1, stderr: "nound: why\n" });
      expect(reloaded()).toEqual(["4711"]);
      expect(root.read("var/run/nound/nound.json")).toBe(before);
    }
  });

  test("a process that has ended meanwhile is followed by one with the new configuration", () => {
    acceptConfigurations(75);
    expect(run("start", changed()).status).toBe(0);
    expect(JSON.parse(root.read("var/run/nound/nound.json")).nouns.lamp.title).toBe("Lamp");
  });

  test("a restart ends it, and procd starts it with the new configuration", () => {
    expect(run("restart", changed()).status).toBe(0);
    expect(reloaded()).toEqual([]);
    const names = root.calls.map(([name]) => name);
    expect(names.filter((name) => name === "stop" || name === "procd_open_instance")).toEqual([
      "stop",
      "procd_open_instance",
    ]);
    expect(JSON.parse(root.read("var/run/nound/nound.json")).nouns.lamp.title).toBe("Lamp");
  });
});

test("takes the section nound under any name, or none", () => {
  root.write("network/lan.ipv4", "192.0.2.1\n");
  for (const section of ["config nound", "config nound 'device'"]) {
    start(`${section}\nlist interface 'lan'\noption port '81'\noption title 'Hall'\n${lamp}`);
    expect(addresses()).toEqual(["192.0.2.1:81"]);
    expect(JSON.parse(root.read("var/run/nound/nound.json")).title).toBe("Hall");
  }
});

test("tells of an interface that the device does not have", () => {
  root.write("network/lna.unknown", "");
  expect(run("start_service", `config nound 'main'\nlist interface 'lna'\n${lamp}`).status).toBe(0);
  expect(root.callsOf("logger")).toEqual([
    ["-t", "nound", "-p", "daemon.warn", expect.stringContaining("no network interface lna")],
  ]);
  expect(addresses()).toEqual(["127.0.0.1:8080"]);
});

test("tells that without procd-ujail there is no jail and no port below 1024", () => {
  rmSync(join(root.path, "sbin/ujail"));
  expect(run("start_service", lamp).status).toBe(0);
  expect(root.callsOf("logger")).toEqual([
    ["-t", "nound", "-p", "daemon.warn", expect.stringContaining("procd-ujail is not installed")],
  ]);
});

test("gives the jail more files where UCI lists them, and tells of one that is not there", () => {
  root.write("dev/i2c-1", "");
  root.write("etc/more", "");
  const uci =
    `config nound 'main'\nlist jailMount '${root.path}/etc/more'\n` +
    `list jailMountWritable '${root.path}/dev/i2c-1'\nlist jailMountWritable '${root.path}/dev/i2c-2'\n`;
  expect(run("start_service", uci + lamp).status).toBe(0);
  expect(root.callsOf("procd_add_jail_mount").flat()).toContain("/etc/more");
  expect(root.callsOf("procd_add_jail_mount_rw")).toEqual([["/sys", "/dev/i2c-1"]]);
  expect(logged()).toEqual(["nound: there is no /dev/i2c-2 for the jail"]);
  expect(JSON.parse(root.read("var/run/nound/nound.json"))).not.toHaveProperty("jailMount");
});

describe("where the older interface of GPIO is all", () => {
  const line = (kind: string, chip: string, offset: number) =>
    `config noun '${kind.replace("-", "_")}${offset}'\noption kind '${kind}'\noption chip '${chip}'\n` +
    `option offset '${offset}'\n`;

  function giveChip(name: string, base: number, label: string): void {
    root.write(`sys/class/gpio/${name}/base`, `${base}\n`);
    root.write(`sys/class/gpio/${name}/label`, `${label}\n`);
  }

  function granted(): readonly string[] {
    return root
      .callsOf("chgrp")
      .map(([, path = ""]) => path)
      .filter((path) => path.startsWith("/sys/class/gpio"));
  }

  beforeEach(() => {
    root.write("sys/class/gpio/export", "");
    giveChip("gpiochip480", 480, "pins of the board");
    giveChip("gpiochip504", 504, "1e000600.gpio");
    for (const number of [485, 511])
      for (const name of ["direction", "value"]) root.write(`sys/class/gpio/gpio${number}/${name}`, "");
  });

  test("gives the user the lines of the nouns, by the chip's name or label, and no others", () => {
    start(line("gpio-output", "1e000600.gpio", 7) + line("gpio-input", "pins of the board", 5));
    expect(granted()).toEqual([
      "/sys/class/gpio/gpio511/direction",
      "/sys/class/gpio/gpio511/value",
      "/sys/class/gpio/gpio485/direction",
      "/sys/class/gpio/gpio485/value",
      "/sys/class/gpio/export",
    ]);
  });

  test("exports the lines that are not", () => {
    start(line("gpio-output", "gpiochip480", 9));
    expect(root.read("sys/class/gpio/export")).toBe("489\n");
  });

  test("gives no lines where there is a character device", () => {
    root.write("dev/gpiochip0", "");
    const text = root.read("etc/init.d/nound").replaceAll("/dev/gpiochip", `${root.path}/dev/gpiochip`);
    root.write("etc/init.d/nound", text.replaceAll(root.path + root.path, root.path));
    start(line("gpio-output", "1e000600.gpio", 7));
    expect(granted()).toEqual([]);
  });
});

test("is reloaded when the configuration or an interface changes", () => {
  run("start_service; service_triggers", `config nound\nlist interface 'lan'\nlist interface 'guest'\n${lamp}`);
  expect(root.calls.filter(([name]) => name?.includes("trigger"))).toEqual([
    ["procd_add_reload_trigger", "nound", "system"],
    ["procd_add_reload_interface_trigger", "lan"],
    ["procd_add_reload_interface_trigger", "guest"],
  ]);
});

test("of which names are to be resolved, is started again when the servers that resolve them change", () => {
  const uci = `config mqtt\noption broker 'broker.example:1883'\n${lamp}`;
  root.write("etc/resolv.conf", "nameserver 192.0.2.1\n");
  start(uci);
  expect(root.callsOf("procd_add_jail_mount").flat()).toContain("/etc/resolv.conf");
  const before = root.read("var/run/nound/start");
  root.write("etc/resolv.conf", "nameserver 192.0.2.2\n");
  run("start_service; service_triggers", uci);
  expect(root.read("var/run/nound/start")).not.toBe(before);
  expect(root.callsOf("procd_add_raw_trigger")).toEqual([["interface.*", "1000", "/etc/init.d/nound", "reload"]]);
});
