/** A one-wire thermometer such as the DS18B20 (Documentation/w1/slaves/w1_therm.rst). A conversion takes 750 ms. */

import type { Noun } from "../../core/noun/noun.ts";
import type { Files } from "../../native/files.ts";
import { loop } from "../../platform/platform.ts";
import { listDevices, readText } from "../open/kernel-file.ts";
import { measurement, numberText, type Sensor, type SensorOptions, sensorNoun, sensorOf } from "./sensor.ts";

/**
 * The thermometer to read.
 *
 * @example
 * const options: W1Options = { id: "28-0316a2796ee1" };
 * server.register("water", w1Noun(options));
 */
export interface W1Options extends SensorOptions {
  /** The sensor's id, its folder's name in `/sys/bus/w1/devices`. Without it there must be only one. */
  readonly id?: string;
  /** The key of the value; `celsius` if left out. */
  readonly key?: string;
}

/** The families of thermometers: DS18S20, DS1822, DS18B20, DS1825, DS28EA00. */
export const w1Id = /^(10|22|28|3b|42)-[0-9a-f]{12}$/;

const busFolder = "/sys/bus/w1/devices";

/** ms for which a reading is used, so that clients share a conversion. */
const freshness = 1_000;

async function findSensor(files: Files): Promise<string> {
  const [found, ...more] = (await listDevices(files, busFolder)).filter((name) => w1Id.test(name));
  if (found === undefined) throw new Error(`there is no thermometer in ${busFolder}`);
  if (more.length > 0)
    throw new Error(`there are several thermometers; set the id to one of: ${[found, ...more].join(", ")}`);
  return found;
}

/** @throws Error with a sentence for a text that does not come from w1_therm, or has a wrong checksum. */
function celsiusOf(text: string, path: string): number {
  const [, thousandths] = /\bt=(-?[0-9]+)\b/.exec(text) ?? [];
  if (thousandths === undefined) throw new Error(`${path} holds no temperature`);
  if (!/\bcrc=[0-9a-f]{2} YES\b/.test(text)) throw new Error(`${path}: what the sensor sent has a wrong checksum`);
  return Number(thousandths) / 1_000;
}

/** @param now ms on a clock that never goes back. @returns the sensor. */
export function w1Sensor({ id, key = "celsius" }: W1Options, now: () => number): Sensor {
  let last: { readonly celsius: number; readonly time: number } | undefined;

  /** @throws the error of reading, or a sentence if the bus does not have the sensor. */
  async function explain(files: Files, error: unknown): Promise<never> {
    const names = await listDevices(files, busFolder).catch(() => undefined);
    if (id === undefined || names?.includes(id) !== false) throw error;
    throw new Error(`the 1-Wire bus has no thermometer ${id}`);
  }

  async function read(files: Files): Promise<number> {
    if (last !== undefined && now() - last.time < freshness) return last.celsius;
    last = undefined;
    const path = `${busFolder}/${id ?? (await findSensor(files))}/w1_slave`;
    const celsius = celsiusOf(await readText(files, path, "w1").catch((error) => explain(files, error)), path);
    last = { celsius, time: now() };
    return celsius;
  }

  return sensorOf([key, measurement("Cel")], 20, read, (celsius) => {
    const raw = "72 01 4b 46 7f ff 0e 10 57";
    const thousandths = numberText(celsius, 1_000);
    const text = thousandths && `${raw} : crc=57 YES\n${raw} t=${thousandths}`;
    return { [`${busFolder}/${id ?? "28-000000000001"}/w1_slave`]: text };
  });
}

/**
 * A noun for a one-wire thermometer such as the DS18B20. A reading takes 750 ms. Meanwhile the server serves other
 * nouns. The noun uses a reading for a second. It fails while the sensor is absent.
 *
 * @example
 * server.register("water", w1Noun({ id: "28-0316a2796ee1" })); // {"celsius":21.437}
 */
export function w1Noun(options: W1Options = {}): Noun {
  return sensorNoun(
    w1Sensor(options, () => loop.now()),
    options,
    options.id ?? "w1",
  );
}
