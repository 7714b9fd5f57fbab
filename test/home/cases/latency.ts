/** How long a change takes from the device to Home Assistant, and back. Medians are printed; no clock judges them. */
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { type HomeCase, median } from "../case.ts";
import { until } from "../home.ts";

export const latency: readonly HomeCase[] = [
  {
    name: "how long a change takes",
    async run(house) {
      const { home } = house;
      const nouns = {
        lamp: { kind: "switch", key: "on" },
        relay: { kind: "gpio-output", line: "GPIO17", key: "on" },
        bell: { kind: "gpio-input", line: "GPIO27", key: "pressed", presses: true },
      };
      const device = await house.device({ nouns });
      const [lamp, relay, bell] = [
        await device.entity("lamp/on"),
        await device.entity("relay/on"),
        await device.entity("bell:event", "event"),
      ];
      for (const one of [lamp, relay]) await home.shows(one, "off");
      const changeOf = (id: string, since: number, to?: string) => async (): Promise<number> => {
        let at = 0;
        await until(`${id} changes`, () => {
          at = home.changes.find((one) => one.id === id && one.at > since && (to ?? one.to) === one.to)?.at ?? 0;
          return at > 0;
        });
        return at - since;
      };
      const [there, back, pressed]: number[][] = [[], [], []];
      for (let count = 0; count < 40; count++) {
        const on = 1 - (count % 2);
        let since = performance.now();
        await device.ask("lamp", { on });
        there?.push(await changeOf(lamp, since)());
        since = performance.now();
        await home.call(`switch.turn_${on === 1 ? "on" : "off"}`, relay);
        back?.push(await changeOf(relay, since)());
        await delay(50);
      }
      await home.automate(`${device.name}_press`, {
        triggers: [{ trigger: "state", entity_id: bell }],
        actions: [{ action: "switch.toggle", target: { entity_id: relay } }],
      });
      for (let count = 0; count < 20; count++) {
        await device.ask("simulated.bell", { pressed: 1 });
        const since = performance.now();
        await device.ask("simulated.bell", { pressed: 0 });
        pressed?.push(await changeOf(relay, since)());
        await delay(100);
      }
      const [load = 0] = loadavg();
      const texts = [there, back, pressed].map((times = []) => `${median(times).toFixed(1)} ms`);
      const [toHome = "", fromHome = "", press = ""] = texts;
      return `PUT to state ${toHome}, service ${fromHome}, press to line and state ${press}; load ${load.toFixed(1)}`;
    },
  },
];
