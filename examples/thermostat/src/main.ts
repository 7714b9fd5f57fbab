/** Heats a room: a temperature sensor at a converter, a heater at a relay, and a rule between the two. */
import { gpioOutputNoun, openAdc, sensorNoun, serve } from "nound";
import { name, version } from "../package.json";
import { thermostat } from "./thermostat.ts";

const sensor = { device: "iio:device0", channel: "voltage0" };

serve({
  name,
  version,
  listen: "127.0.0.1:8080",
  nouns() {
    const channel = openAdc(sensor.device, sensor.channel);
    /** A TMP36 gives 500 mV at 0 °C, and 10 mV more for each degree. */
    const measure = async () => Math.round((await channel.read()).value - 500) / 10;
    // The relay falls off when nobody has said "on" for half a minute: when the rule below waits for a sensor for ever,
    // for instance. A program that is killed cannot do that any more. Whether the line then keeps its level is up to
    // the kernel's driver.
    const heater = gpioOutputNoun({ line: "GPIO17", key: "heater", lease: 30_000 });
    return {
      sensor: sensorNoun({ ...sensor, raw: true }),
      heater,
      thermostat: thermostat({ measure, heater, tolerance: 0.5, interval: 5_000 }),
    };
  },
});
