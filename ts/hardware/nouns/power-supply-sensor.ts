/** A battery (Documentation/ABI/testing/sysfs-class-power): its charge, its voltage, and whether it charges. */

import type { Noun } from "../../core/noun/noun.ts";
import type { ChoiceKey } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import type { Files } from "../../native/files.ts";
import { readEach, readNumber, readText } from "../open/kernel-file.ts";
import { measurementOfSeveral, numberText, readingOf, type Sensor, type SensorOptions, sensorNoun } from "./sensor.ts";

/**
 * The battery to read.
 *
 * @example
 * const options: PowerSupplyOptions = { device: "BAT0" };
 * server.register("battery", powerSupplyNoun(options));
 */
export interface PowerSupplyOptions extends SensorOptions {
  /** Its folder in `/sys/class/power_supply`. Without it there must be only one battery. */
  readonly device?: string;
}

const classFolder = "/sys/class/power_supply";

const statuses = ["Unknown", "Charging", "Discharging", "Not charging", "Full"];

const status: ChoiceKey = { type: "choice", values: statuses, readOnly: true, nullable: true };

const shape = {
  percent: {
    ...measurementOfSeveral("%", "How full the battery is."),
    step: 1,
    homeAssistant: { device_class: "battery" },
  },
  volts: measurementOfSeveral("V"),
  status,
};

/** @returns the folder of the only battery. @throws Error with a sentence. */
async function findBattery(files: Files): Promise<string> {
  const types = await readEach(files, classFolder, "type");
  const [found, ...more] = [...types.keys()].filter((folder) => types.get(folder) === "Battery");
  if (found === undefined) throw new Error(`there is no battery in ${classFolder}`);
  if (more.length === 0) return found;
  const names = [found, ...more].map((folder) => folder.slice(classFolder.length + 1));
  throw new Error(`there are several batteries; set the device to one of: ${names.join(", ")}`);
}

export function powerSupplySensor({ device }: PowerSupplyOptions): Sensor {
  const folder = async (files: Files) => (device === undefined ? await findBattery(files) : `${classFolder}/${device}`);

  async function readStatus(files: Files): Promise<string> {
    const path = `${await folder(files)}/status`;
    const text = await readText(files, path);
    if (!statuses.includes(text)) throw new Error(`${path} has a status that the kernel's document does not list`);
    return text;
  }

  return {
    shape,
    readings: [
      readingOf("percent", async (files) => readNumber(files, `${await folder(files)}/capacity`, "power")),
      readingOf("volts", async (files) => {
        const microvolts = await readNumber(files, `${await folder(files)}/voltage_now`, "power");
        return microvolts / 1_000_000;
      }),
      readingOf("status", readStatus),
    ],
    initial: { percent: 80, volts: 3.9, status: "Discharging" },
    filesOf({ percent, volts, status: text }: State) {
      const simulated = `${classFolder}/${device ?? "BAT0"}`;
      return {
        [`${simulated}/type`]: "Battery\n",
        [`${simulated}/capacity`]: numberText(percent),
        [`${simulated}/voltage_now`]: numberText(volts, 1_000_000),
        [`${simulated}/status`]: typeof text === "string" ? `${text}\n` : undefined,
      };
    },
  };
}

/**
 * A noun for a battery. It fails while the battery is absent; a key that the kernel does not know is null.
 *
 * @example
 * server.register("battery", powerSupplyNoun()); // {"percent":80,"volts":3.9,"status":"Discharging"}
 */
export function powerSupplyNoun(options: PowerSupplyOptions = {}): Noun {
  return sensorNoun(powerSupplySensor(options), options, options.device ?? "battery");
}
