/** Presses of a button, and automations that wait for them. */
import { setTimeout as delay } from "node:timers/promises";
import { type HomeCase, mustEqual } from "../case.ts";
import type { Home } from "../home.ts";
import { until } from "../home.ts";
import type { Device, House } from "../house.ts";

/** A trigger of a device. */
interface Trigger {
  readonly domain: string;
  readonly type: string;
  readonly subtype: string;
  readonly metadata?: unknown;
  readonly platform?: string;
}

/** @returns how often automations have run, by their ids. */
function runs(home: Home, ...ids: readonly string[]): readonly number[] {
  return ids.map(
    (id) => home.events.filter(({ type, data }) => type === "automation_triggered" && data["entity_id"] === id).length,
  );
}

async function begin(house: House) {
  const { home } = house;
  const device = await house.device({
    nouns: {
      bell: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true },
      door: { kind: "gpio-input", line: "GPIO22", key: "pressed", presses: "double 300" },
      lamp: { kind: "switch", key: "on" },
    },
  });
  const event = await device.entity("bell:event", "event");
  await home.shows(await device.entity("lamp/on"), "off");
  return { device, event };
}

/**
 * Restarts the device, the broker, and the device again after a kill; each time the lamp comes back. While there is no
 * broker, Home Assistant itself takes every entity for unavailable.
 */
async function restarts(house: House, device: Device, after: (what: string) => void): Promise<void> {
  const { home, broker } = house;
  const lamp = await device.entity("lamp/on");
  for (const what of ["device", "broker", "killed device"]) {
    if (what === "device") await device.restart();
    else if (what === "killed device") await device.restart({}, "SIGKILL");
    else {
      await broker.stop();
      await home.shows(lamp, "unavailable");
      await broker.start();
    }
    await device.connected();
    await home.shows(lamp, "off");
    await delay(500);
    after(what);
  }
}

export const presses: readonly HomeCase[] = [
  {
    name: "a restart is no press",
    async run(house) {
      const { home } = house;
      const { device, event } = await begin(house);
      const plain = await home.automate(`${device.name}_plain`, {
        triggers: [{ trigger: "state", entity_id: event }],
        actions: [],
      });
      // As the docs have it.
      const careful = await home.automate(`${device.name}_careful`, {
        triggers: [{ trigger: "state", entity_id: event, not_from: "unavailable", not_to: "unavailable" }],
        actions: [],
      });
      await device.press("bell");
      await until("both automations have run", () => runs(home, plain, careful).every((count) => count === 1));
      for (const name of ["SIGTERM", "SIGKILL"] as const) {
        await device.restart({}, name);
        await device.connected();
        await home.shows(await device.entity("lamp/on"), "off");
        await delay(500);
        mustEqual(`runs after a restart of the device by ${name}`, runs(home, plain, careful), [1, 1]);
      }
      await restarts(house, device, (what) =>
        mustEqual(`runs after a restart of the ${what}`, runs(home, careful), [1]),
      );
      await device.press("bell");
      await until("the automation has run again", () => runs(home, careful)[0] === 2);
      return "2 presses, 2 runs, 5 restarts";
    },
  },
  {
    name: "each press is a device trigger",
    async run(house) {
      const { home } = house;
      const { device } = await begin(house);
      const triggers = await home.ask<readonly Trigger[]>("device_automation/trigger/list", {
        device_id: (await home.entities(device.id))[0]?.device_id,
      });
      const own = triggers.filter(({ domain }) => domain === "mqtt");
      const names = own.map(({ type, subtype }) => `${type} ${subtype}`).sort();
      const types = ["button_double_press door", "button_long_press bell", "button_long_press door"];
      mustEqual("the triggers", names, [...types, "button_short_press bell", "button_short_press door"]);
      const {
        metadata: _,
        platform: __,
        ...trigger
      } = own.find(({ type, subtype }) => type === "button_short_press" && subtype === "bell") as Trigger;
      const automation = await home.automate(`${device.name}_trigger`, {
        triggers: [{ trigger: "device", ...trigger }],
        actions: [],
      });
      await device.press("bell");
      await until("the automation has run", () => runs(home, automation)[0] === 1);
      await restarts(house, device, (what) =>
        mustEqual(`runs after a restart of the ${what}`, runs(home, automation), [1]),
      );
      await device.press("bell");
      await until("the automation has run again", () => runs(home, automation)[0] === 2);
      return `${names.length} triggers, 2 presses, 2 runs, 3 restarts`;
    },
  },
];
