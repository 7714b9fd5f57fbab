/** The sensors of MQTT IO that Linux has a driver for: what nound calls them, and how the kernel learns of them. */

import { numberIn } from "../modbus/nouns.mjs";

/** The channels of a chip by what an input of MQTT IO calls its type; the first is that without a type. */
const chips = {
  bme280: {
    overlay: "dtoverlay=i2c-sensor,bme280",
    channels: { temperature: "temp", humidity: "humidityrelative", pressure: "pressure" },
  },
  bme680: {
    overlay: "dtoverlay=i2c-sensor,bme680",
    channels: { temperature: "temp", humidity: "humidityrelative", pressure: "pressure", gas: "resistance" },
  },
  bh1750: { overlay: "dtoverlay=i2c-sensor,bh1750", channels: { illuminance: "illuminance" } },
  aht20: {
    step: "tell the kernel of the AHT20 after each start: aht20 0x38 to new_device (docs/hardware.md)",
    channels: { temperature: "temp1", humidity: "humidity1" },
  },
  sht4x: { overlay: "dtoverlay=i2c-sensor,sht4x", channels: { temperature: "temp1", humidity: "humidity1" } },
  lm75: { overlay: "dtoverlay=i2c-sensor,lm75", channels: { temperature: "temp1" } },
};

/** @returns what names a chip's address behind its overlay; "" for one that has its usual address. */
export const addressOf = (chip) => (numberIn(chip) === undefined ? "" : `,addr=0x${numberIn(chip).toString(16)}`);

/** Chips of several kinds, whose module says which. */
const families = {
  ads1x15: ({ type }) => {
    const device = type === "ADS1115" ? "ads1115" : "ads1015";
    const channelOf = ({ pin }) => (numberIn(pin) === undefined ? undefined : `voltage${numberIn(pin)}`);
    return { device, overlay: `dtoverlay=${device},cha_enable`, channelOf };
  },
  mcp3008: () => ({
    device: "mcp3008",
    overlay: "dtoverlay=mcp3008,spi0-0-present",
    channelOf: ({ channel, pin }) => {
      const number = numberIn(channel ?? pin);
      return number === undefined ? undefined : `voltage${number}`;
    },
  }),
  ds18b: ({ type = "DS18B20", address }) => {
    const family = { DS18S20: "10", DS1822: "22", DS18B20: "28", DS1825: "3b", DS28EA00: "42" }[type];
    const isId = /^[0-9a-f]{12}$/i.test(String(address));
    if (family === undefined || !isId)
      return { why: "its type or address is none of a DS18B20; `nound --find` prints the thermometers" };
    return {
      device: `${family}-${String(address).toLowerCase()}`,
      overlay: "dtoverlay=w1-gpio",
      channelOf: () => "",
    };
  },
  dht22: ({ pin }) => {
    const number = numberIn(pin);
    if (number === undefined) return { why: "its pin is no number" };
    const device = `dht11@${number.toString(16)}`;
    return {
      device,
      overlay: `dtoverlay=dht11,gpiopin=${number}`,
      step: `compare ${device} with what \`nound --find\` prints on the device`,
      channelOf: ({ type = "temperature" }) => ({ temperature: "temp", humidity: "humidityrelative" })[type],
    };
  },
};

/**
 * @param module an item of `sensor_modules`.
 * @returns its `device`, the `overlay` with its address, and the channel of an input; or the reason `why` not.
 */
export function sensorOf(module) {
  const family = families[module.module];
  if (family !== undefined) return family(module);
  const chip = chips[module.module];
  if (chip === undefined)
    return {
      why: `nound has no module ${module.module ?? "without a name"}; docs/hardware.md has those with a driver`,
    };
  const { device = module.module, overlay, step, channels } = chip;
  const [first] = Object.keys(channels);
  const channelOf = ({ type = first }) => (Object.hasOwn(channels, type) ? channels[type] : undefined);
  return { device, overlay: overlay && overlay + addressOf(module.chip_addr), step, channelOf };
}
