/** LEDs and PWM chips that go and come back, such as those of a USB device. */
import { beforeEach, expect, test } from "vitest";
import { leave, takeOver } from "../../../ts/core/noun/left-state.ts";
import { LedNoun } from "../../../ts/hardware/nouns/led-noun.ts";
import { PwmNoun } from "../../../ts/hardware/nouns/pwm-noun.ts";
import { absentFolder } from "../../../ts/hardware/open/absent-folder.ts";
import { PwmChannel } from "../../../ts/hardware/open/pwm-channel.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { ledNoun, openLed, openPwm, pwmNoun, Server } from "../../../ts/nound.ts";
import { setRenewal } from "../../../ts/platform/renewal.ts";
import { advance, putFile, removeFile, request, reset, watch } from "../../../ts/testing.ts";

beforeEach(reset);

const devices = [
  {
    name: "led",
    deviceClass: "leds",
    folder: "green",
    noun: () => ledNoun({ device: "green", default: { brightness: 0 } }),
    state: { brightness: 9, trigger: "none" },
    open: () => openLed("green"),
  },
  {
    name: "pwm",
    deviceClass: "pwm",
    folder: "pwmchip0",
    noun: () => pwmNoun({ chip: "pwmchip0", channel: 0, frequency: 1_000_000 }),
    state: { percent: 9, enabled: true },
    open: () => openPwm("pwmchip0", 0),
  },
] as const;

async function start({ deviceClass, folder, noun }: (typeof devices)[number]) {
  const file = `/sys/class/${deviceClass}/${folder}/uevent`;
  putFile(file, "");
  const server = new Server();
  server.register("it", noun());
  await request(server, { path: "/it" });
  const renewals = { count: 0 };
  setRenewal(() => {
    renewals.count += 1;
  });
  const go = () => {
    world().sysfs.unplug(deviceClass, folder);
    removeFile(file);
  };
  const comeBack = () => {
    world().sysfs.plug(deviceClass, folder);
    putFile(file, "");
  };
  return { server, go, comeBack, renewals };
}

test.each(devices)("a $name that is gone fails as any noun does", async (device) => {
  const { server, go } = await start(device);
  go();
  expect((await request(server, { path: "/it" })).status).toBe(500);
  expect((await request(server, { path: "/" })).body).toEqual({ it: null });
  expect((await request(server, { method: "PUT", path: "/it", body: device.state })).status).toBe(503);
  expect((await request(server, { method: "POST", path: "/it", body: {} })).status).toBe(503);
  expect((await request(server, { method: "DELETE", path: "/it" })).status).toBe(503);
});

test.each(devices)("those who follow a $name are told", async (device) => {
  const { server, go } = await start(device);
  const stream = await watch(server, { path: "/it" });
  go();
  await advance(2_000);
  expect(stream.events.at(-1)).toBe(null);
});

test.each(devices)("when a $name is back, another process takes over", async (device) => {
  const { server, go, comeBack, renewals } = await start(device);
  go();
  await request(server, { path: "/it" });
  await advance(10_000);
  expect(renewals.count).toBe(0);
  comeBack();
  await advance(2_000);
  expect(renewals.count).toBe(1);
  // The process that should have taken over may have failed to start.
  await advance(70_000);
  expect(renewals.count).toBe(2);
});

test.each(devices)(
  "a $name that is gone and back before anybody looks fails until another process takes over",
  async (device) => {
    const { server, go, comeBack, renewals } = await start(device);
    go();
    comeBack();
    expect((await request(server, { path: "/it" })).status).toBe(500);
    await advance(2_000);
    expect(renewals.count).toBe(1);
  },
);

test.each(devices)("an application sees that a $name is gone", async (device) => {
  const { go, comeBack } = await start(device);
  const opened = device.open();
  expect(opened.isGone).toBe(false);
  go();
  comeBack();
  expect(opened.isGone).toBe(true);
  expect(device.open().isGone).toBe(false);
});

test.each(devices)("a $name that is gone stays as it is at the end of the program", async (device) => {
  const { server, go } = await start(device);
  go();
  await server.close();
});

test("a process that starts while a LED is gone has a noun of the same keys", () => {
  const inherited = { brightness: 7, trigger: "heartbeat" };
  const { attributes, shape } = new LedNoun(world().sysfs.openDevice("leds", "green"), { inherited });
  const absent = new LedNoun(absentFolder("/sys/class/leds/green", attributes), { inherited });
  expect(Object.keys(absent.shape)).toEqual(Object.keys(shape));
  expect(absent.shape["brightness"]).toEqual(shape["brightness"]);
  expect(() => absent.getState()).toThrow("gone");
  expect(() => absent.setState(inherited)).toThrow("gone");
  absent.close();
});

test("a process that starts while a PWM chip is gone has a noun of the same shape", () => {
  const inherited = { percent: 0, enabled: false };
  const absent = new PwmNoun(new PwmChannel(absentFolder("/sys/class/pwm/pwmchip0", {})), {
    inherited,
    frequency: 1_000_000,
  });
  expect(() => absent.getState()).toThrow("gone");
  expect(() => absent.updateState({})).toThrow("gone");
  absent.close();
});

test("a LED that an earlier process has lost is set as at a start", () => {
  const inherited = { brightness: 7, trigger: "none" };
  const folder = world().sysfs.openDevice("leds", "green");
  const lost = new LedNoun(absentFolder("/sys/class/leds/green", { max_brightness: "255" }), { inherited });
  const next = new LedNoun(folder, { inherited });
  next[takeOver](new LedNoun(folder, { inherited })[leave]());
  expect(next.getState()).toEqual({ brightness: 0, trigger: "none" });
  next[takeOver](lost[leave]());
  expect(next.getState()).toEqual(inherited);
});
