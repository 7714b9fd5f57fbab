/** Restarts of the device, the broker and Home Assistant, in any order; and the deletion of a device there. */
import { setTimeout as delay } from "node:timers/promises";
import { type HomeCase, median, must, mustEqual } from "../case.ts";
import { type Json, until } from "../home.ts";
import type { Device, House } from "../house.ts";

/** How often; `npm run test:home` by itself has less time. */
const orders = Number(process.env["NOUND_ORDERS"] ?? 3);

/** ms after the last restart in which all states are right. */
const settleTime = 15_000;

const nouns = {
  lamp: { kind: "switch", key: "on" },
  cellar: { kind: "sensor", device: "28-0316a2796ee1" },
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

/** Every command that a device has performed since its first start. */
class Performed {
  private readonly device: Device;
  private readonly processes = new Set<Device["process"]>();

  constructor(device: Device) {
    this.device = device;
  }

  get count(): number {
    this.processes.add(this.device.process);
    const lines = [...this.processes].flatMap(({ printed }) => printed.match(/ PUT \/lamp 200 \(mqtt\)$/gm) ?? []);
    return lines.length;
  }
}

/** Automations that wait for a press, by its device trigger and by the state of its event, as the docs have them. */
async function automations({ home }: House, device: Device, event: string): Promise<readonly string[]> {
  const device_id = (await home.entities(device.id))[0]?.device_id;
  const all = await home.ask<readonly Json[]>("device_automation/trigger/list", { device_id });
  const found = all.find(({ domain, type }) => domain === "mqtt" && type === "button_short_press");
  const { metadata: _, platform: __, ...trigger } = found ?? {};
  const waiting: readonly (readonly [string, object])[] = [
    ["trigger", { trigger: "device", ...trigger }],
    ["state", { trigger: "state", entity_id: event, not_from: "unavailable", not_to: "unavailable" }],
  ];
  const ids: string[] = [];
  for (const [name, one] of waiting)
    ids.push(await home.automate(`${device.name}_${name}`, { triggers: [one], actions: [] }));
  return ids;
}

export const restarts: readonly HomeCase[] = [
  {
    name: "after restarts in any order, all is as before",
    async run(house) {
      const { home } = house;
      const device = await house.device({ nouns, log: "requests" });
      const [lamp, cellar, bell] = [
        await device.entity("lamp/on"),
        await device.entity("cellar/celsius"),
        await device.entity("bell:event", "event"),
      ];
      await home.shows(lamp, "off");
      const waiting = await automations(house, device, bell);
      const runs = () => waiting.map((id) => home.attribute(id, "last_triggered"));
      await device.press("bell");
      await until("the press has been heard", () => runs().every((one) => typeof one === "string"));
      const press = home.state(bell);
      const ran = runs();
      const before = (await home.entities(device.id)).map(({ entity_id: id }) => id).sort();
      const performed = new Performed(device);
      const waits: number[] = [];
      let [sent, done] = [0, 0];
      for (let count = 0; count < orders; count++) {
        const order = randomOrder();
        const known = performed.count;
        for (const name of order) {
          // The restart overtakes the command, or it does not. What is unavailable yet gets none.
          if (["on", "off"].includes(home.state(lamp) ?? "")) {
            await home.call(`switch.turn_${Math.random() < 0.5 ? "on" : "off"}`, lamp);
            sent += 1;
          }
          await delay(Math.random() < 0.5 ? 0 : Math.random() * 20);
          await steps[name]?.(house, device);
          void performed.count;
        }
        const since = performance.now();
        const names = order.join(", ");
        let on: unknown;
        await until(
          `all is right after ${names}`,
          async () => {
            ({ on } = await device.ask("lamp"));
            const isSettled = home.state(lamp) === (on === 1 ? "on" : "off") && Number(home.state(cellar)) === 20;
            return isSettled && (await device.isConnected());
          },
          () => `the lamp is ${on} and shown as ${home.state(lamp)}, the cellar is ${home.state(cellar)}`,
          settleTime,
        );
        waits.push(performance.now() - since);
        done += performed.count - known;
        must(done <= sent, `no command is repeated by ${names}: ${done} performed, ${sent} sent`);
        const shown = home.state(bell);
        must(shown === press || shown === "unknown", `no press is invented by ${names}: ${shown}`);
        mustEqual(`the last runs of the automations, after ${names},`, runs(), ran);
        mustEqual("the entities", (await home.entities(device.id)).map(({ entity_id: id }) => id).sort(), before);
        const lost = before.filter((id) => home.state(id) === "unavailable");
        mustEqual(`what is unavailable after ${names}`, lost, []);
      }
      const [usual, slowest] = [median(waits), Math.max(...waits)].map((wait) => (wait / 1_000).toFixed(1));
      const commands = `${done} of ${sent} commands performed, none twice`;
      return `${orders} orders, right within ${slowest} s (median ${usual} s); ${commands}; no press invented`;
    },
  },
  {
    name: "a device that is deleted there comes back with its next message",
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
