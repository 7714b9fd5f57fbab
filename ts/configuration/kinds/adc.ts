/** The kind `adc`: a channel of a converter or sensor of the kernel's Industrial I/O. */
import { adcNoun } from "../../nouns/ready-made-sensors.ts";
import { deviceName } from "../device-name.ts";
import { nounKind } from "../noun-kind.ts";
import { optional, withDefault } from "../record.ts";
import { factor, nonEmptyText, number, pollTime, textOf } from "../setting.ts";

const channelName = () =>
  textOf(/^[a-z]{1,32}[0-9]{0,3}(-[a-z]{1,32}[0-9]{0,3})?$/, "a channel such as voltage0 or voltage0-voltage1");

export const adcKind = () =>
  nounKind({
    options: {
      device: deviceName("iio:device0"),
      channel: channelName(),
      key: withDefault(nonEmptyText, "value"),
      poll: optional(pollTime),
      scale: optional(factor),
      offset: optional(number),
      unit: optional(nonEmptyText),
    },
    verify({ key }, refuseOption) {
      if (key === "raw") refuseOption(["key"], 'expected another key, because "raw" is the number of the converter');
    },
    folders: () => ["/sys/bus/iio/devices"],
    build: (options, { name }) => adcNoun({ ...options, simulatedAs: name }),
  });
