/** What Home Assistant's recorder makes of a device's numbers in its next five minutes, and its board of energy. */
import { setTimeout as delay } from "node:timers/promises";
import { type HomeCase, must, mustEqual } from "../case.ts";
import { until } from "../home.ts";
import type { Device, House } from "../house.ts";
import { newest } from "../installation.ts";

const adc = (index: number) => ({ kind: "sensor", device: "iio:device0", channel: `voltage${index}`, key: "value" });

const nouns = {
  energy: { kind: "sensor", device: "ina", channel: "energy1" },
  water: { ...adc(1), unit: "L", deviceClass: "water" },
  gas: { ...adc(2), unit: "m3", deviceClass: "gas" },
  cellar: { kind: "sensor", device: "28-0316a2796ee1" },
};

/** What the meter of energy shows, one after the other, and what was consumed: in between, a new one replaces it. */
const readings = [0, 1_000, 3_000, 0, 1_000];
const consumed = 4_000;

/** ms until Home Assistant has made its statistics of what may be in two periods: it does so ten seconds after each. */
const period = 5 * 60_000;
const compileTime = 2 * period + 30_000;

/** A statistic of five minutes. */
interface Row {
  readonly sum?: number;
  readonly mean?: number;
}

/** An issue that Home Assistant has with a source of energy. */
type Issues = readonly (readonly object[])[];

interface Begun {
  readonly device: Device;
  readonly from: string;
}

const begun = new WeakMap<House, Begun>();

export const statistics: readonly HomeCase[] = [
  {
    name: "meters have statistics, and are on the board of energy",
    async prepare(house) {
      const { home } = house;
      // A statistic has the time at which its five minutes begin.
      const from = new Date(Date.now() - period).toISOString();
      const device = await house.resident({ nouns });
      const energy = await device.entity("energy/joules");
      for (const value of readings) {
        await device.ask("simulated.energy", { joules: value });
        await until(`${energy} shows ${value}`, () => Number(home.state(energy)) === value);
      }
      begun.set(house, { device, from });
    },
    async run(house) {
      const { home } = house;
      const { device, from } = begun.get(house) as Begun;
      const [energy = "", water = "", gas = "", cellar = ""] = await Promise.all(
        ["energy/joules", "water/value", "gas/value", "cellar/celsius"].map((place) => device.entity(place)),
      );
      const ids = [energy, water, gas, cellar];
      let rows: { readonly [id: string]: readonly Row[] } = {};
      await until(
        `${consumed} J are consumed`,
        async () => {
          await delay(1_000);
          rows = await home.ask("recorder/statistics_during_period", {
            start_time: from,
            statistic_ids: ids,
            period: "5minute",
            types: ["sum", "mean"],
          });
          return rows[energy]?.at(-1)?.sum === consumed;
        },
        () => JSON.stringify(rows[energy]),
        compileTime,
      );
      mustEqual("the temperature", rows[cellar]?.at(-1)?.mean?.toFixed(3), "20.000");
      const issues = await home.ask<{ readonly [id: string]: unknown }>("recorder/validate_statistics");
      must(!ids.some((id) => id in issues), `Home Assistant's issues are ${JSON.stringify(issues)}`);
      const costs = { stat_cost: null, entity_energy_price: null, number_energy_price: null };
      await home.ask("energy/save_prefs", {
        energy_sources: [
          { type: "water", stat_energy_from: water, ...costs },
          { type: "gas", stat_energy_from: gas, ...costs },
        ],
        device_consumption: [{ stat_consumption: energy }],
      });
      const board = await home.ask<{ energy_sources: Issues; device_consumption: Issues }>("energy/validate");
      // The oldest version has no joules there.
      const judged = home.version === newest ? board.device_consumption : [[]];
      mustEqual("the board's issues", [board.energy_sources, judged], [[[], []], [[]]]);
      return `${consumed} J of ${readings.join(", ")}; energy, water and gas without an issue`;
    },
  },
];
