/** A simulated device for the tests of its page, and the nouns that a finger uses there. */
import { freeAddress } from "./address.ts";
import { type NoundProcess, startConfigured } from "./nound-process.ts";

export const output = { kind: "gpio-output", chip: "gpiochip0", key: "on" } as const;

/** A switch, a cover whose position is not known, and a button that tells short, long and double presses apart. */
export const touchedNouns = {
  porch: { ...output, offset: 1 },
  blind: {
    kind: "cover",
    open: { chip: "gpiochip0", offset: 6 },
    close: { chip: "gpiochip0", offset: 7 },
    openTime: 60_000,
    closeTime: 60_000,
    boot: "default",
  },
  bell: {
    kind: "gpio-input",
    chip: "gpiochip0",
    offset: 8,
    key: "button",
    presses: "long 1000 double 3000",
  },
} as const;

/** Starts a device whose hardware is simulated, on an address of its own. */
export async function startSimulated(configuration: object): Promise<NoundProcess> {
  const listen = await freeAddress();
  return startConfigured({ listen, ...configuration }, listen, ["--simulate"]);
}
