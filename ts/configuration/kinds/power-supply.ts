/** The kind `power-supply`: a battery. */
import { powerSupplyNoun } from "../../nouns/ready-made-sensors.ts";
import { deviceName } from "../device-name.ts";
import { nounKind } from "../noun-kind.ts";
import { optional } from "../record.ts";
import { pollTime } from "../setting.ts";

export const powerSupplyKind = () =>
  nounKind({
    options: { device: optional(() => deviceName("BAT0")), poll: optional(pollTime) },
    folders: () => ["/sys/class/power_supply"],
    build: (options, { name }) => powerSupplyNoun({ ...options, simulatedAs: name }),
  });
