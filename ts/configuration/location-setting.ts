/** The setting of the place of a device. */
import type { Location } from "../rules/sun.ts";
import { record } from "./record.ts";
import { number, type Setting } from "./setting.ts";

/** Degrees, north and east of Greenwich. */
export function locationSetting(): Setting<Location> {
  return record({
    latitude: number({ minimum: -90, maximum: 90 }),
    longitude: number({ minimum: -180, maximum: 180 }),
  });
}
