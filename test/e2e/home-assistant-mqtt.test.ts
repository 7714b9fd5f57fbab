/** A device, a real broker, and a program that does what Home Assistant does. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { BrokerSite } from "../harness/broker-site.ts";
import { isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { HomeAssistant } from "../harness/home-assistant/home-assistant.ts";
import { templatesMissing } from "../harness/home-assistant/templates.ts";
import { type Mosquitto, mosquittoMissing } from "../harness/mosquitto.ts";
import type { NoundProcess } from "../harness/nound-process.ts";

const missing = mosquittoMissing() ?? templatesMissing;

const house = {
  title: "Hall",
  id: "7a1c0f4e-0f3b-4c59-9d3e-5a0f3b1c2d4e",
  nouns: {
    lamp: { kind: "gpio-output", line: "GPIO17", key: "on", title: "Hall lamp" },
    door: { kind: "gpio-output", line: "GPIO22", key: "open", pulse: 60_000 },
    bell: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true },
    window: { kind: "gpio-input", line: "GPIO5", key: "open", homeAssistant: { device_class: "window" } },
    status: { kind: "led", device: "green:status" },
    fan: { kind: "pwm", chip: "pwmchip0", channel: 0, period: 40_000 },
    cellar: { kind: "w1", title: "Cellar" },
    battery: { kind: "power-supply" },
    "system.1": { kind: "system" },
    heating: {
      kind: "value",
      default: { target: 20.5, mode: "none", note: "{{ 7 * 7 }}" },
      shape: {
        target: { type: "number", minimum: 5, maximum: 30, unit: "Cel" },
        mode: { type: "choice", values: ["none", "auto"] },
        note: { type: "string", maximumLength: 40 },
      },
    },
  },
};

class Site extends BrokerSite {
  async home(broker: Mosquitto): Promise<HomeAssistant> {
    const home = new HomeAssistant(broker.port);
    this.context.onTestFinished(() => home.end());
    await home.start();
    return home;
  }

  device(broker: Mosquitto, configuration: object = house, mqtt: object = {}): Promise<NoundProcess> {
    return this.start(broker, configuration, { homeAssistant: true, ...mqtt }, ["--simulate"]);
  }
}

async function get({ address }: NoundProcess, noun: string): Promise<unknown> {
  return await (await fetch(`http://${address}/${noun}`)).json();
}

async function put({ address }: NoundProcess, noun: string, state: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(`http://${address}/${noun}`, { method: "PUT", body: JSON.stringify(state), headers });
  expect(status).toBe(200);
}

/** Waits until a noun has a state. */
async function has(device: NoundProcess, noun: string, state: object): Promise<void> {
  await eventually(`${noun} is ${JSON.stringify(state)}`, async () => {
    const now = (await get(device, noun)) as object;
    return Object.entries(state).every(([key, value]) => (now as Record<string, unknown>)[key] === value);
  });
}

describe
  .skipIf(missing !== undefined)
  .concurrent(`Home Assistant at a broker (skipped: ${missing ?? "never here"})`, () => {
    test("shows every noun, sets it, and is told of presses and failures", async (context) => {
      const site = new Site(context);
      const broker = await site.broker();
      const home = await site.home(broker);
      const device = await site.device(broker);
      await home.shows("switch:lamp/on", "off");
      expect(home.entity("switch:lamp/on").config).toMatchObject({
        name: "lamp",
        default_entity_id: "switch.hall_lamp",
      });
      await home.shows("number:heating/target", 20.5);
      await eventually("everything is available", () =>
        [...home.entities.values()].every(
          ({ isAvailable, config }) => isAvailable || config["state_topic"] === undefined,
        ),
      );

      await home.call("switch:lamp/on", { do: "turn_on" });
      await has(device, "lamp", { on: 1 });
      await home.shows("switch:lamp/on", "on");
      await home.call("button:lamp:delete", { do: "press" });
      await home.shows("switch:lamp/on", "off");
      await home.call("button:door/open", { do: "press" });
      await has(device, "door", { open: 1 });
      await home.call("light:status/brightness", { do: "set", value: 128 });
      await has(device, "status", { brightness: 128 });
      await home.shows("light:status/brightness", "on");
      await home.call("light:status/brightness", { do: "turn_off" });
      await home.shows("light:status/brightness", "off");
      await home.call("number:fan/percent", { do: "set", value: 60 });
      await home.call("switch:fan/enabled", { do: "turn_on" });
      await has(device, "fan", { percent: 60, enabled: true });
      await home.call("number:heating/target", { do: "set", value: 21.5 });
      await home.shows("select:heating/mode", '"none"');
      await home.call("select:heating/mode", { do: "set", value: "auto" });
      await home.shows("select:heating/mode", "auto");
      await home.call("select:heating/mode", { do: "set", value: '"none"' });
      await home.shows("text:heating/note", "{{ 7 * 7 }}");
      await home.call("text:heating/note", { do: "set", value: `"{% if 1 %}' é` });
      await has(device, "heating", { target: 21.5, mode: "none", note: `"{% if 1 %}' é` });

      await home.shows("sensor:cellar/celsius", 20);
      await put(device, "simulated.cellar", { celsius: null });
      await home.shows("sensor:cellar/celsius", "unavailable");
      await put(device, "simulated.cellar", { celsius: 4.5 });
      await home.shows("sensor:cellar/celsius", 4.5);
      for (const pressed of [1, 0, 1, 0]) await put(device, "simulated.bell", { pressed });
      const bell = home.entity("event:bell:event");
      await eventually("two presses were heard", () => bell.events.length === 2);
      await put(device, "simulated.window", { open: 1 });
      await home.shows("binary_sensor:window/open", "on");
      expect(bell.events).toEqual(["short", "short"]);
      expect(home.complaints).toEqual([]);
      for (const { id, complaints } of home.entities.values()) expect(complaints, id).toEqual([]);
    });

    test("loses what is renamed or removed, and nothing else, when anything restarts", async (context) => {
      const site = new Site(context);
      const broker = await site.broker();
      const home = await site.home(broker);
      const device = await site.device(broker);
      await home.shows("sensor:cellar/celsius", 20);
      const before = new Set(home.entities.keys());
      await home.stop();
      await home.start();
      await home.shows("sensor:cellar/celsius", 20);
      await home.shows("switch:lamp/on", "off");
      expect(home.history.filter((change) => !change.startsWith("+"))).toEqual([]);

      await device.stop();
      await home.shows("switch:lamp/on", "unavailable");
      const { lamp, fan: _, ...rest } = house.nouns;
      await site.device(broker, { ...house, nouns: { ...rest, light: { ...lamp, title: "Hall light" } } });
      await home.shows("switch:light/on", "off");
      await home.shows("switch:lamp/on", undefined);
      const after = new Set(home.entities.keys());
      expect([...before].filter((id) => !after.has(id)).sort()).toEqual([
        "hall button:fan:delete",
        "hall button:lamp:delete",
        "hall number:fan/percent",
        "hall switch:fan/enabled",
        "hall switch:lamp/on",
      ]);
      expect([...after].filter((id) => !before.has(id)).sort()).toEqual([
        "hall button:light:delete",
        "hall switch:light/on",
      ]);
      expect(home.history.filter((change) => change.startsWith("~"))).toEqual([]);
    });

    test("of many presses each one is one event", async (context) => {
      const site = new Site(context);
      const broker = await site.broker(["set_tcp_nodelay true"]);
      const home = await site.home(broker);
      const device = await site.device(broker);
      await home.shows("switch:lamp/on", "off");
      const bell = home.entity("event:bell:event");
      const count = isLong ? 1_000 : 50;
      for (let press = 1; press <= count; press++) {
        for (const pressed of [1, 0]) await put(device, "simulated.bell", { pressed });
        // Eight may wait for the broker.
        if (press % 4 === 0) await eventually(`press ${press} was heard`, () => bell.events.length >= press);
      }
      await eventually("all presses were heard", () => bell.events.length >= count);
      await put(device, "lamp", { on: 1 });
      await home.shows("switch:lamp/on", "on");
      expect(bell.events).toEqual(new Array(count).fill("short"));
    });

    test.skipIf(!isLong)("is right 70 s after 20 restarts in random order", { timeout: 1_800_000 }, async (context) => {
      const site = new Site(context);
      const broker = await site.broker();
      const home = await site.home(broker);
      let device = await site.device(broker);
      await home.shows("number:heating/target", 20.5);
      const restarts: { readonly [what: string]: () => Promise<void> } = {
        async broker() {
          await broker.stop(Math.random() < 0.5 ? "SIGKILL" : "SIGTERM");
          await broker.start();
        },
        async home() {
          await home.stop();
          await home.start();
        },
        async device() {
          if (Math.random() < 0.5) await device.stop();
          else device.kill();
          device = await site.device(broker);
        },
      };
      const order: string[] = [];
      for (let count = 0; count < 20; count++) {
        const what = Object.keys(restarts)[Math.floor(Math.random() * 3)] as string;
        order.push(what);
        await restarts[what]?.();
        await put(device, "heating", { target: 5 + count, mode: "auto", note: what });
        await delay(Math.random() * 3_000);
      }
      const end = performance.now();
      await home.shows("number:heating/target", 24);
      await home.shows("text:heating/note", order.at(-1));
      await eventually("everything is available", () =>
        [...home.entities.values()].every(
          ({ isAvailable, config }) => isAvailable || config["state_topic"] === undefined,
        ),
      );
      expect(performance.now() - end, order.join(" ")).toBeLessThan(70_000);
      expect(home.history.filter((change) => !change.startsWith("+"))).toEqual([]);
      expect(home.complaints).toEqual([]);
    });

    test("distinguishes three devices with the same nouns", async (context) => {
      const site = new Site(context);
      const broker = await site.broker();
      const home = await site.home(broker);
      const { id: _, ...alike } = house;
      const names = ["one", "two", "three"];
      const fleet = await Promise.all(names.map((id) => site.device(broker, alike, { id, groups: ["all"] })));
      for (const name of names) await home.shows("switch:lamp/on", "off", name);
      await home.call("switch:lamp/on", { do: "turn_on" }, "two");
      await home.shows("switch:lamp/on", "on", "two");
      expect(await Promise.all(fleet.map((device) => get(device, "lamp")))).toEqual([{ on: 0 }, { on: 1 }, { on: 0 }]);
      const ids = [...home.entities.values()].map(({ platform, config }) => `${platform} ${config["unique_id"]}`);
      expect(new Set(ids).size).toBe(ids.length);
      expect(home.complaints).toEqual([]);
    });
  });
