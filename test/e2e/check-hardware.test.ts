/** `nound --check` on a device: it tries the hardware of a tree of files, and moves none. */
import { expect, test } from "vitest";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;

/** A device with a LED, a PWM chip, a bus with two thermometers, and no GPIO. */
function device(): SysfsTree {
  const sys = new SysfsTree();
  sys.put("/sys/class/leds/green/brightness", "0\n");
  sys.put("/sys/class/leds/green/max_brightness", "255\n");
  sys.put("/sys/class/leds/green/trigger", "[none] timer\n");
  sys.put("/sys/class/pwm/pwmchip0/npwm", "2\n");
  sys.put("/sys/class/pwm/pwmchip0/export", "");
  sys.put("/sys/class/pwm/pwmchip4/npwm", "16\n");
  sys.put("/sys/bus/i2c/devices/1-0040/pwm/pwmchip4/npwm", "16\n");
  sys.put("/sys/bus/i2c/devices/1-0048/hwmon/hwmon3/temp1_max", "80000\n");
  for (const id of ["28-0316a2796ee1", "28-0316a2796ee2"]) {
    sys.put(`/sys/bus/w1/devices/${id}/w1_slave`, "a1 01 4b 46 7f ff 0c 10 5e : crc=5e YES\n t=26062\n");
  }
  return sys;
}

async function check(sys: SysfsTree, nouns: object, listen: object = {}) {
  const file = configurationFile(JSON.stringify({ nouns, ...listen }));
  const checking = endedByThisTest(new NoundProcess(["--check", "--config", file], "", { wrapper: sys.wrapper }));
  const { status, stdout, stderr } = await checking.ending();
  return { status, stdout: stdout.replaceAll(file, "FILE"), stderr: stderr.replaceAll(file, "FILE") };
}

const right = {
  lamp: { kind: "led", device: "green", default: { brightness: 255 } },
  fan: { kind: "pwm", chip: "pwmchip0", channel: 1, frequency: 25_000 },
  water: { kind: "sensor", device: "28-0316a2796ee1" },
  servo: { kind: "pwm", chip: "/sys/bus/i2c/devices/1-0040", channel: 15, pulse: true },
  hottest: { kind: "sysfs", path: "/sys/bus/i2c/devices/1-0048/hwmon/hwmon*/temp1_max" },
  sun: { kind: "sysfs", path: "/sys/class/backlight/panel/brightness" },
};

test.skipIf(noSysfsTree !== undefined)(
  `finds nothing wrong with hardware that is there, and moves none${title}`,
  async () => {
    const sys = device();
    const { status, stdout, stderr } = await check(sys, right);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(
      /^FILE: 6 nouns, listens on .*\nFILE: not checked, because this machine has no such hardware: sun\n$/,
    );
    expect(sys.cat("/sys/class/leds/green/brightness")).toBe("0\n");
    expect(sys.cat("/sys/class/pwm/pwmchip0/export")).toBe("");
  },
);

test.skipIf(noSysfsTree !== undefined)(`lists each noun that could not be made or read${title}`, async () => {
  const { status, stdout, stderr } = await check(device(), {
    fan: right.fan,
    dark: { kind: "led", device: "red" },
    bright: { kind: "led", device: "green", default: { brightness: 256 } },
    third: { kind: "pwm", chip: "pwmchip0", channel: 2 },
    any: { kind: "sensor", device: "/sys/bus/w1/devices" },
    gone: { kind: "sensor", device: "28-0316a2796ee9" },
    absent: { kind: "sysfs", path: "/sys/class/leds/green/missing" },
    nowhere: { kind: "pwm", chip: "/sys/bus/i2c/devices/1-0041", channel: 0 },
    unnumbered: { kind: "sysfs", path: "/sys/bus/i2c/devices/1-0048/hwmon/fan*/temp1_max" },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const said = stdout.trimEnd().split("\n").slice(1);
  expect(said.map((line) => line.match(/^FILE: the noun (\w+): \S/)?.[1])).toEqual([
    ...["dark", "bright", "third", "any", "gone", "absent", "nowhere", "unnumbered"],
  ]);
  expect(said[0]).toContain("green");
  expect(said[3]).toMatch(/28-0316a2796ee1.*28-0316a2796ee2/);
});

test.skipIf(noSysfsTree !== undefined)(`names the hardware that a machine has none of${title}`, async () => {
  const pump = { kind: "gpio-output", line: "GPIO17", key: "on" };
  const { status, stdout, stderr } = await check(device(), {
    ...right,
    pump,
    air: { kind: "sensor", device: "bme280", channel: "humidityrelative" },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/\nFILE: not checked, because this machine has no such hardware: sun, pump, air\n$/);
});
