import { beforeEach, expect, test } from "vitest";
import { SimulatedSysfs } from "../../../../ts/native/simulated/sysfs.ts";

let sysfs: SimulatedSysfs;

beforeEach(() => {
  sysfs = new SimulatedSysfs();
});

test("a device is the same for everyone who opens it", () => {
  expect(sysfs.openDevice("leds", "green")).toBe(sysfs.openDevice("leds", "green"));
  expect(sysfs.openDevice("leds", "green")).not.toBe(sysfs.openDevice("leds", "red"));
});

test("a LED's brightness ends at its maximum, and 0 ends its trigger", () => {
  const led = sysfs.openDevice("leds", "green");
  led.write("trigger", "timer");
  expect(led.read("trigger")).toBe("none [timer] heartbeat default-on");
  led.write("brightness", "300");
  expect(led.read("brightness")).toBe("255");
  led.write("brightness", "0");
  expect(led.read("trigger")).toBe("[none] timer heartbeat default-on");
});

test("ending a LED's trigger makes it dark", () => {
  const led = sysfs.openDevice("leds", "green");
  led.write("brightness", "9");
  led.write("trigger", "none");
  expect(led.read("brightness")).toBe("0");
});

test.each([
  ["brightness", "-1"],
  ["brightness", "bright"],
  ["trigger", "disco"],
  ["max_brightness", "1"],
  ["colour", "1"],
])("a LED refuses %s %s", (attribute, text) => {
  const led = sysfs.openDevice("leds", "green");
  expect(() => led.write(attribute, text)).toThrow(`cannot write ${text} to /sys/class/leds/green/${attribute}`);
});

test("a PWM chip has its channels once they are exported", () => {
  const chip = sysfs.openDevice("pwm", "pwmchip0");
  expect(() => chip.open("pwm1")).toThrow("there is no /sys/class/pwm/pwmchip0/pwm1");
  chip.write("export", "1");
  expect(chip.has("pwm1")).toBe(false); // it is a folder, no attribute
  expect(chip.open("pwm1").read("period")).toBe("0");
  for (const text of ["1", "8", "x"]) expect(() => chip.write("export", text)).toThrow("cannot write");
});

test("a PWM channel refuses a duty beyond its period, no period, and to be enabled without one", () => {
  const chip = sysfs.openDevice("pwm", "pwmchip0");
  chip.write("export", "0");
  const channel = chip.open("pwm0");
  expect(() => channel.write("enable", "1")).toThrow("cannot write");
  channel.write("period", "100");
  channel.write("duty_cycle", "100");
  channel.write("enable", "1");
  expect(() => channel.write("duty_cycle", "101")).toThrow("cannot write");
  expect(() => channel.write("period", "99")).toThrow("cannot write");
  expect(() => channel.write("period", "0")).toThrow("cannot write");
  expect(() => channel.write("enable", "2")).toThrow("cannot write");
});

test("an attribute that is not there, or broken, cannot be read", () => {
  const led = sysfs.openDevice("leds", "green");
  led.broken.add("brightness");
  expect(() => led.read("brightness")).toThrow("cannot read /sys/class/leds/green/brightness");
  expect(() => led.write("brightness", "1")).toThrow("cannot write");
  expect(() => led.read("colour")).toThrow("cannot read /sys/class/leds/green/colour");
});
