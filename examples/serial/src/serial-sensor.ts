/** A noun for a sensor on a serial line: it answers `T?` with a line that holds degrees Celsius. */
import { defineNoun, type Noun, openSerial, type SerialPort } from "nound";

/** ms the sensor may take. */
const sendTimeout = 500;

/**
 * GET asks the sensor. While that takes its time, all other nouns are served; a second GET waits for its turn, so that
 * two questions never cross on the line. A sensor that is silent, unplugged or talks nonsense gives 500, and the next
 * GET tries again.
 * @param path the device, such as /dev/ttyUSB0.
 */
export function serialSensor(path: string): Noun {
  let port: SerialPort | undefined;

  /** Opened at the first need and after it was gone: a USB plug comes and goes. */
  function openPort(): SerialPort {
    if (port !== undefined) return port;
    port = openSerial(path, { baudRate: 9_600 });
    port.onGone = () => {
      port = undefined;
    };
    return port;
  }

  async function measure(): Promise<number> {
    const answer = await openPort().ask("T?\n", sendTimeout);
    if (!/^-?[0-9]{1,3}(\.[0-9]+)?$/.test(answer)) throw new Error(`the sensor said ${JSON.stringify(answer)}`);
    return Number(answer);
  }

  return defineNoun({
    shape: { celsius: { type: "number", readOnly: true } },
    get: async () => ({ celsius: await measure() }),
    close: () => port?.close(),
  });
}
