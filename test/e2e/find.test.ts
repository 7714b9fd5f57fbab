/** `nound --find` on a tree of files, as an ordinary user, and in an empty container: it changes nothing. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { buildDirectory, hasSanitizers } from "../harness/environment.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;
const canTrace = !hasSanitizers && spawnSync("strace", ["true"]).status === 0;
const noStrace = canTrace ? "" : " (skipped: strace cannot trace here, or LeakSanitizer would)";

function device(): SysfsTree {
  const sys = new SysfsTree();
  sys.put("/sys/class/leds/green/brightness", "0\n");
  sys.put("/sys/class/leds/green/max_brightness", "255\n");
  sys.put("/sys/class/leds/green/trigger", "[none] heartbeat\n");
  sys.put("/sys/class/pwm/pwmchip0/npwm", "2\n");
  sys.put("/sys/class/pwm/pwmchip0/export", "");
  sys.put("/sys/class/pwm/pwmchip4/npwm", "16\n");
  sys.put("/sys/bus/i2c/devices/2-0040/pwm/pwmchip4/npwm", "16\n");
  sys.put("/sys/class/hwmon/hwmon0/name", "lm75\n");
  sys.put("/sys/class/hwmon/hwmon0/temp1_input", "23500\n");
  sys.put("/sys/class/tty/ttyS1/device/uevent", "");
  sys.put("/sys/class/tty/ttyS1/type", "4\n");
  sys.put("/sys/class/tty/ttyS2/device/uevent", "");
  sys.put("/sys/class/tty/ttyS2/type", "0\n");
  sys.put("/sys/bus/w1/devices/28-0316a2796ee1/w1_slave", "a1 01 : crc=5e YES\n t=26062\n");
  return sys;
}

async function run(args: readonly string[], wrapper: readonly string[]) {
  return await endedByThisTest(new NoundProcess([...args], "", { wrapper })).ending();
}

test.skipIf(noSysfsTree !== undefined)(`what --find prints passes --check${title}`, async () => {
  const sys = device();
  const { status, stdout, stderr } = await run(["--find"], sys.wrapper);
  expect(status).toBe(0);
  expect(Object.keys(JSON.parse(stdout).nouns)).toEqual(["system", "lm75", "28-0316a2796ee1", "green"]);
  expect(stderr).toContain('pwmchip0, channels 0 to 1: "kind": "pwm", "chip": "pwmchip0"');
  expect(stderr).toContain('pwmchip4, channels 0 to 15: "kind": "pwm", "chip": "/sys/bus/i2c/devices/2-0040"');
  expect(stderr).toContain(
    '\n  /dev/ttyS1: "kind": "modbus", "device": "/dev/ttyS1"; `nound --find modbus /dev/ttyS1`',
  );
  expect(stderr).not.toContain("/dev/ttyS2");
  const checked = await run(["--check", "--config", configurationFile(stdout)], sys.wrapper);
  expect(checked).toMatchObject({ status: 0, stderr: "" });
});

test.skipIf(noSysfsTree !== undefined)(
  `names of the system cannot control the terminal, and one that is not UTF-8 hides no other one${title}`,
  async () => {
    const sys = device();
    for (const name of ["class/thermal/thermal_zone1", "class/power_supply/BAT1", "class/hwmon/hwmon1"]) {
      sys.put(`/sys/${name}/${name.includes("hwmon") ? "name" : "type"}`, "\u001b]0;owned\u0007\u009b2J\n");
    }
    sys.put("/sys/class/thermal/thermal_zone1/temp", "20000\n");
    sys.put("/sys/class/hwmon/hwmon1/temp1_input", "20000\n");
    sys.put("/sys/class/power_supply/BAT1/online", "1\n");
    sys.put("/sys/class/leds/\u001b[31mred/brightness", "0\n");
    sys.put("/sys/class/leds/\u009b5mblue/trigger", "none [\u001b[2J]\n");
    sys.put("/sys/bus/i2c/devices/i2c-1/name", "\u001b[2J\n");
    sys.put("/sys/class/input/event0/device/name", "\u001b[2J\n");
    sys.put("/sys/class/thermal/thermal_zone0/type", Uint8Array.of(0x67, 0xff, 0x0a));
    sys.put("/sys/class/thermal/thermal_zone2/type", "cpu\n");
    sys.put("/sys/class/thermal/thermal_zone2/temp", "45000\n");
    const { status, stdout, stderr } = await run(["--find"], sys.wrapper);
    expect(status).toBe(0);
    expect(`${stdout}${stderr}`.match(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g)).toBe(null);
    const { nouns } = JSON.parse(stdout);
    expect(nouns.cpu).toEqual({ kind: "sensor", device: "cpu", title: "cpu" });
    expect(stderr).toContain("i2c-1 (\\u001b[2J): no device is declared");
    expect(await run(["--check", "--config", configurationFile(stdout)], sys.wrapper)).toMatchObject({ status: 0 });
  },
);

test.skipIf(noSysfsTree !== undefined || noStrace !== "")(
  `--find opens no file to write to it, and requests no line${title}${noStrace}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "nound-find-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const trace = join(folder, "trace");
    const sys = device();
    const calls = "open,openat,creat,mkdir,unlink,ioctl,write,pwrite64";
    const tracer = ["strace", "-f", "-o", trace, "-e", `trace=${calls}`];
    const { status } = await run(["--find"], [...sys.wrapper, ...tracer]);
    expect(status).toBe(0);
    const lines = readFileSync(trace, "utf8").split("\n");
    expect(lines.filter((line) => line.includes("lm75") || line.includes("/sys/class/leds/green"))).not.toEqual([]);
    expect(lines.filter((line) => /O_WRONLY|O_RDWR|O_CREAT|GPIO_V2_GET_LINE_IOCTL|mkdir|unlink/.test(line))).toEqual(
      [],
    );
    // Words for people, and the threads' own eventfd.
    expect(lines.filter((line) => /\bwrite\(/.test(line) && /"(?:0|1|none|[0-9]+\\n)"/.test(line))).toEqual([]);
    expect(sys.cat("/sys/class/pwm/pwmchip0/export")).toBe("");
  },
);

const isRoot = process.getuid?.() === 0;
const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

test.skipIf(noSysfsTree !== undefined || !isRoot)(
  `an ordinary user is told what that user may not move, and the command that changes it${title}`,
  async () => {
    const sys = device();
    chmodSync(sys.outside("/sys"), 0o755);
    const { status, stdout, stderr } = await run(["--find"], [...sys.wrapper, ...asNobody]);
    expect(status).toBe(0);
    expect(Object.keys(JSON.parse(stdout).nouns)).toEqual(["system", "lm75", "28-0316a2796ee1"]);
    const led = "/sys/class/leds/green";
    expect(stderr).toContain(
      `Missing permissions:\n  the LED green: sudo chown $USER ${led}/brightness ${led}/trigger (until the next start`,
    );
  },
);

test("on this machine, --find has sensible words and status 0, for every user", async () => {
  for (const wrapper of isRoot ? [[], asNobody] : [[]]) {
    const { status, stdout, stderr } = await run(["--find"], wrapper);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).nouns.system).toMatchObject({ kind: "sensor", device: "system", title: "This machine" });
    expect(stderr).toMatch(/, Linux \S+, nound \S+: .* in the configuration on standard output\n/);
  }
});

test.skipIf(!isRoot || hasSanitizers)(
  "in an empty container, --find says that there is nothing to see, with status 0",
  async () => {
    const root = mkdtempSync(join(tmpdir(), "nound-empty-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    cpSync(join(buildDirectory, "nound"), join(root, "nound"));
    const { status, stdout, stderr } = spawnSync("chroot", [root, "/nound", "--find"], { encoding: "utf8" });
    expect({ status, nouns: Object.keys(JSON.parse(stdout).nouns) }).toEqual({ status: 0, nouns: ["system"] });
    expect(stderr).toContain("There is no /sys here, as in some containers, so nothing else can be seen.");
    expect(stderr).not.toContain("modprobe");
  },
);
