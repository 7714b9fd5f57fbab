/** Restarts of the device, the broker and Home Assistant, in any order; and the deletion of a device there. */
import { setTimeout as delay } from "node:timers/promises";
import { type HomeCase, must, mustEqual } from "../case.ts";
import { until } from "../home.ts";
import type { Device, House } from "../house.ts";

/** How often; `npm run test:home` by itself has less time. */
const orders = Number(process.env["NOUND_ORDERS"] ?? 3);

/** ms after the last restart in which all states are right. */
const settleTime = 15_000;

const nouns = {
  lamp: { kind: "switch", key: "on" },
  cellar: { kind: "w1" },
  bell: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true },
};

type Step = (house: House, device: Device) => Promise<void>;

const steps: { readonly [name: string]: Step } = {
  device: (_, device) => device.restart(),
  "killed device": (_, device) => device.restart({}, "SIGKILL"),
  broker: async ({ broker }) => {
    await broker.stop();
    await broker.start();
  },
  "Home Assistant": async ({ home }) => {
    await home.stop();
    await home.run();
  },
};

/** @returns the names of some restarts, each part of the house at least once at most. */
function randomOrder(): readonly string[] {
  const names = ["Home Assistant", "broker", Math.random() < 0.5 ? "device" : "killed device"];
  const shuffled = names.map((name) => ({ name, at: Math.random() })).sort((one, other) => one.at - other.at);
  return shuffled.slice(Math.floor(Math.random() * 2)).map(({ name }) => name);
}

export const restarts: readonly HomeCase[] = [
  {
    name: "after restarts in any order, all is as before",
    async run(house) {
      const { home } = house;
      const device = await house.device({ nouns });
      const [lamp, cellar, bell] = [
        await device.entity("lamp/on"),
        await device.entity("cellar/celsius"),
        await device.entity("bell:event", "event"),
      ];
      await home.shows(lamp, "off");
      await device.press("bell");
      await until("the press is there", () => !["unknown", undefined].includes(home.state(bell)));
      const press = home.state(bell);
      const before = (await home.entities(device.id)).map(({ entity_id: id }) => id).sort();
      let slowest = 0;
      for (let count = 0; count < orders; count++) {
        const order = randomOrder();
        for (const name of order) await steps[name]?.(house, device);
        const since = performance.now();
        const isSettled = () => home.state(lamp) === "off" && home.state(cellar) === "20.0";
        await until(
          `all is right after ${order.join(", ")}`,
          () => isSettled() || home.state(cellar) === "20",
          () => `${home.state(lamp)}, ${home.state(cellar)}`,
        );
        slowest = Math.max(slowest, performance.now() - since);
        must(slowest <= settleTime, `all is right after ${slowest.toFixed()} ms, following ${order.join(", ")}`);
        // No command came twice, and no press came by itself.
        mustEqual("the lamp", (await device.ask("lamp"))["on"], 0);
        const shown = home.state(bell);
        must(shown === press || shown === "unknown", `no press is invented by ${order.join(", ")}: ${shown}`);
        mustEqual("the entities", (await home.entities(device.id)).map(({ entity_id: id }) => id).sort(), before);
      }
      return `${orders} orders, right within ${(slowest / 1_000).toFixed(1)} s`;
    },
  },
  {
    name: "a device that is deleted there comes back with its next message",
    isForAll: true,
    async run(house) {
      const { home } = house;
      const device = await house.device({ nouns: { lamp: { kind: "switch", key: "on" } } });
      await home.shows(await device.entity("lamp/on"), "off");
      const [known] = (await home.devices()).filter(({ identifiers }) =>
        identifiers.some(([, id]) => id === device.id),
      );
      await home.ask("config/device_registry/remove_config_entry", {
        device_id: known?.id,
        config_entry_id: known?.config_entries[0],
      });
      await until("it is gone", async () => (await home.entities(device.id)).length === 0);
      await delay(500);
      mustEqual("what the log says of another device", /another device/.test(device.process.printed), false);
      await device.restart();
      await home.shows(await device.entity("lamp/on"), "off");
      return "gone, and back after a restart";
    },
  },
  {
    name: "a hundred nouns, and fifty changes a second",
    async run(house) {
      const { home } = house;
      const many = Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`lamp${index}`, { kind: "switch", key: "on" }]),
      );
      const device = await house.device({ nouns: many });
      const last = await device.entity("lamp99/on");
      await home.shows(last, "off");
      const changes = 500;
      for (let count = 0; count < changes; count++) {
        await device.ask(`lamp${count % 100}`, { on: 1 - (Math.floor(count / 100) % 2) });
        await delay(20);
      }
      const all = await home.entities(device.id);
      const switches = all.filter(({ entity_id: id }) => id.startsWith("switch."));
      mustEqual("the switches", switches.length, 100);
      await until("all are on", () => switches.every(({ entity_id: id }) => home.state(id) === "on"));
      return `${switches.length} switches, ${changes} changes`;
    },
  },
];
