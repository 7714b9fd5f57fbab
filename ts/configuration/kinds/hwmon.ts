/** The kind `hwmon`: a channel of a monitoring chip. */

import { hwmonQuantities, quantityOfChannel } from "../../nouns/hwmon-sensor.ts";
import { hwmonNoun } from "../../nouns/ready-made-sensors.ts";
import { nounKind } from "../noun-kind.ts";
import { optional } from "../record.ts";
import { choice, nonEmptyText, pollTime } from "../setting.ts";
import { sysfsPath } from "../sysfs-path.ts";

export const hwmonKind = () =>
  nounKind({
    options: {
      chip: nonEmptyText(),
      channel: nonEmptyText(),
      device: optional(() => sysfsPath("a device's folder such as /sys/bus/i2c/devices/3-0049")),
      quantity: optional(() => choice(...hwmonQuantities)),
      key: optional(nonEmptyText),
      poll: optional(pollTime),
    },
    verify({ channel, quantity }, refuse) {
      const numbered = quantityOfChannel(channel);
      if (quantity !== undefined && numbered !== undefined) {
        refuse(["quantity"], `expected nothing together with the channel ${channel}, whose quantity is "${numbered}"`);
      }
    },
    folders: () => ["/sys/class/hwmon"],
    build: (options, { name }) => hwmonNoun({ ...options, simulatedAs: name }),
  });
