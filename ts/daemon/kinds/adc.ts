/** The kind `adc`: a channel of a converter or sensor of the kernel's Industrial I/O. */
import { AdcNoun } from "../../nouns/adc-noun.ts";
import { SimulatedSource } from "../../nouns/simulated-source.ts";
import { deviceName } from "../device-name.ts";
import { nounKind } from "../noun-kind.ts";
import { withDefault } from "../record.ts";
import { nonEmptyText, refuse, type Setting } from "../setting.ts";

function channelName(): Setting<string> {
  const expected = "a channel such as voltage0 or voltage0-voltage1";
  return {
    expected,
    read: (value, path) =>
      typeof value === "string" && /^[a-z]{1,32}[0-9]{0,3}(-[a-z]{1,32}[0-9]{0,3})?$/.test(value)
        ? value
        : refuse(value, path, expected),
  };
}

export const adcKind = () =>
  nounKind({
    options: {
      device: deviceName("iio:device0"),
      channel: channelName(),
      key: withDefault(nonEmptyText(), "value"),
    },
    verify({ key }, refuseOption) {
      if (key === "raw") refuseOption(["key"], 'expected another key, as "raw" is what the converter gives');
    },
    build: (options, { hardware }) => new AdcNoun(hardware.sysfs.openDevice("iio", options.device), options),
    simulate({ device, channel }, { sysfs }) {
      const folder = sysfs.openDevice("iio", device);
      const raw = `in_${channel}_raw`;
      return new SimulatedSource({
        key: "raw",
        maximum: 4_095,
        read: () => folder.number(raw),
        write: (value) => folder.attributes.set(raw, String(value)),
      });
    },
  });
