/** What `nound package` writes for an application's binary, from the templates of nound's own packages. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { buildrootFiles } from "../../cli/package/buildroot.mjs";
import { openwrtFiles } from "../../cli/package/openwrt.mjs";
import { systemdFiles } from "../../cli/package/systemd.mjs";
import { RelocatedRoot } from "./harness/relocated-root.ts";

const application = { name: "hall-lamp", version: "1.2.3" };
const systems = {
  systemd: systemdFiles(application.name),
  openwrt: openwrtFiles(application),
  buildroot: buildrootFiles(application),
};
const files = Object.entries(systems).flatMap(([system, texts]) =>
  Object.entries(texts).map(([path, text]) => ({ system, path, text })),
);
const scripts = files.filter(({ text }) => text.startsWith("#!"));

/** Writes files into a folder that goes with the test. @returns the folder. */
function written(texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "nound-own-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

test.each(files)("$system: $path says the application's name, and nound's nowhere", ({ text }) => {
  expect(text.replaceAll("`nound package", "")).not.toMatch(/nound/i);
});

test.skipIf(!has("shellcheck")).each(scripts)("$system: $path passes shellcheck", ({ text }) => {
  const { stdout, status } = spawnSync("shellcheck", ["-"], { input: text, encoding: "utf8" });
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});

test.skipIf(!has("systemd-analyze"))("the systemd unit passes systemd-analyze verify", () => {
  const folder = written(systems.systemd);
  const unit = join(folder, "usr/lib/systemd/system/hall-lamp.service");
  const program = join(folder, "usr/bin/hall-lamp");
  mkdirSync(dirname(program));
  writeFileSync(program, "");
  chmodSync(program, 0o755);
  writeFileSync(
    unit,
    (systems.systemd["usr/lib/systemd/system/hall-lamp.service"] ?? "").replaceAll("/usr/bin/hall-lamp", program),
  );
  const { stderr, status } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});

describe("the systemd unit", () => {
  const unit = systems.systemd["usr/lib/systemd/system/hall-lamp.service"] ?? "";

  test("starts the binary with the options of /etc/default, which it also checks", () => {
    expect(unit).toContain("\nEnvironmentFile=-/etc/default/hall-lamp\nExecStart=/usr/bin/hall-lamp $HALL_LAMP_ARGS\n");
    expect(unit).toContain("\nExecReload=/usr/bin/hall-lamp --check $HALL_LAMP_ARGS\n");
    expect(systems.systemd["etc/default/hall-lamp"]).toMatch(/^HALL_LAMP_ARGS=""$/m);
  });

  test("runs it as a user of its own, which systemd-sysusers makes, with a folder of its own", () => {
    expect(unit).toContain("\nUser=hall-lamp\nGroup=hall-lamp\nStateDirectory=hall-lamp\n");
    expect(systems.systemd["usr/lib/sysusers.d/hall-lamp.conf"]).toBe('u hall-lamp - "hall-lamp"\n');
  });

  test("keeps what confines nound", () => {
    for (const line of [
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      "DevicePolicy=closed",
      "SystemCallErrorNumber=EPERM",
    ]) {
      expect(unit).toContain(`\n${line}\n`);
    }
  });

  test("is Buildroot's, too", () => {
    expect(systems.buildroot["package/hall-lamp/files/hall-lamp.service"]).toBe(unit);
  });
});

describe("the OpenWrt init script", () => {
  let root: RelocatedRoot;
  beforeEach(() => {
    root = new RelocatedRoot();
    for (const path of ["etc/init.d/hall-lamp", "usr/share/hall-lamp/service.sh"])
      root.installText(systems.openwrt[`files/${path}`] ?? "", path);
    root.write("usr/sbin/hall-lamp", `#!/bin/sh\necho "$@" > ${root.path}/checked\n`, 0o755);
    root.write("lib/functions/network.sh", "");
    root.write("sbin/ujail", "", 0o755);
  });
  afterEach(() => root.remove());

  function run(command: string, uci = systems.openwrt["files/etc/config/hall-lamp"] ?? "") {
    root.write("etc/config/hall-lamp", uci);
    root.write("calls", "");
    return root.run(`. "$HARNESS/openwrt.sh"; . "$ROOT/etc/init.d/hall-lamp"; ${command}`);
  }

  function parameters(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(root.callsOf("procd_set_param").map(([name = "", ...values]) => [name, values]));
  }

  /** The command line that procd was told. */
  function command(): readonly string[] {
    const more = root.callsOf("procd_append_param").flatMap(([, ...words]) => words);
    return [...(parameters()["command"] ?? []), ...more];
  }

  test("starts the binary as its user with the configuration as it is made, without an option", () => {
    expect(run("start_service")).toMatchObject({ status: 0, stderr: "" });
    expect(parameters()).toMatchObject({ user: ["hall-lamp"], group: ["hall-lamp"], no_new_privs: ["1"] });
    expect(command()).toEqual(["/usr/sbin/hall-lamp"]);
    expect(root.callsOf("procd_add_jail")).toEqual([["hall-lamp", "procfs"]]);
    expect(root.read("checked")).toBe("--check\n");
  });

  test("gives it the addresses and options of UCI, and checks them before", () => {
    run(
      "start_service",
      "config hall-lamp 'main'\nlist listen '127.0.0.1:81'\nlist listen '[::1]:82'\nlist option '--debug'\n",
    );
    const options = ["--debug", "--listen", "127.0.0.1:81", "--listen", "[::1]:82"];
    expect(command()).toEqual(["/usr/sbin/hall-lamp", ...options]);
    expect(root.read("checked")).toBe(`--check ${options.join(" ")}\n`);
  });

  test("starts nothing when the binary refuses the options, and tells the log its sentence", () => {
    root.write("usr/sbin/hall-lamp", "#!/bin/sh\necho 'hall-lamp: wrong' >&2\nexit 64\n", 0o755);
    expect(run("start_service; service_started").status).toBe(1);
    expect(root.callsOf("procd_open_instance")).toEqual([]);
    expect(root.callsOf("logger")).toEqual([["-t", "hall-lamp", "-p", "daemon.err", "hall-lamp: wrong"]]);
  });

  test("goes on with the options that were accepted last when the binary refuses others", () => {
    const uci = "config hall-lamp 'main'\nlist option '--debug'\n";
    run("start_service", uci);
    const before = command();
    root.write("usr/sbin/hall-lamp", "#!/bin/sh\necho 'hall-lamp: wrong' >&2\nexit 64\n", 0o755);
    expect(run("start", `${uci}list option '--wrong'\n`)).toMatchObject({ status: 1, stderr: "hall-lamp: wrong\n" });
    expect(command()).toEqual(before);
  });

  test("has procd start it again after an upgrade, and tells it the rule of local time", () => {
    root.write("timezone", "UTC\n");
    run("start_service; service_triggers");
    expect(parameters()).toMatchObject({
      file: ["/usr/sbin/hall-lamp", "/var/run/hall-lamp/start"],
      env: ["TZ=UTC"],
    });
    expect(root.callsOf("procd_add_reload_trigger")).toEqual([["hall-lamp", "system"]]);
  });

  test("gives the user the LEDs and PWM channels that UCI names", () => {
    for (const path of ["leds/green/brightness", "leds/red/brightness", "pwm/pwmchip0/pwm1/duty_cycle"]) {
      root.write(`sys/class/${path}`, "");
    }
    run("start_service", "config hall-lamp 'main'\nlist led 'green'\nlist pwm 'pwmchip0/1'\n");
    const given = root.callsOf("chgrp").map(([, path]) => path);
    expect(given).toContain("/sys/class/leds/green/brightness");
    expect(given).toContain("/sys/class/pwm/pwmchip0/pwm1/duty_cycle");
    expect(given).not.toContain("/sys/class/leds/red/brightness");
  });

  test("is not started when it is disabled", () => {
    expect(run("start_service", "config hall-lamp 'main'\noption enabled '0'\n").status).toBe(0);
    expect(root.callsOf("procd_open_instance")).toEqual([]);
  });

  test("tells the log of an option with a value that it cannot have, and starts nothing", () => {
    expect(run("start_service; service_started", "config hall-lamp 'main'\noption port 'zqx'\n").status).toBe(1);
    expect(root.callsOf("logger").map((words) => words.at(-1))).toEqual([
      expect.stringMatching(/^hall-lamp: \/etc\/config\/hall-lamp: main\.port=zqx is not a valid port/),
    ]);
  });
});
