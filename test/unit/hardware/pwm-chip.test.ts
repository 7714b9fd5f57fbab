/** A PWM chip by the path of its device, whose number changes at the next start. */
import { beforeEach, expect, test } from "vitest";
import { openPwm } from "../../../ts/nound.ts";
import { putFile, pwmSignal, reset } from "../../../ts/testing.ts";

const device = "/sys/bus/i2c/devices/1-0040";
const signal = { period: 40_000, duty: 10_000, enabled: true };

beforeEach(reset);

test.each(["pwmchip0", "pwmchip16"])("the device of %s is the chip", (name) => {
  putFile(`${device}/pwm/${name}/npwm`, "8\n");
  openPwm(device, 2).write(signal);
  expect(pwmSignal(name, 2)).toEqual(signal);
});

test("a device without a chip is refused with its path", () => {
  expect(() => openPwm(device, 0)).toThrow(`${device} has no PWM chip: its driver is missing`);
});
