/**
 * An application of "nound" that speaks to a device on a SPI bus: POST sends bytes and shows those
 * that came in.
 *
 *     NOUND_APPLICATION=spi-application.js nound-runtime 127.0.0.1:8080 /dev/spidev0.0
 */
import * as system from "nound:system";
import { defineNoun, openSpi, restrict, Server } from "../../ts/nound.ts";

const [address = "127.0.0.1:8080", path = ""] = system.args;
const device = openSpi(path, { speed: 1_000_000 });
let last = { received: "", error: "" };

const spi = defineNoun({
  shape: {
    send: { type: "string", optional: true },
    received: { type: "string", readOnly: true },
    error: { type: "string", readOnly: true },
  },
  get: () => last,
  set: () => {},
  reset: () => {},
  async update({ send = "" }) {
    const bytes = Uint8Array.from(send.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    try {
      const received = await device.transfer(bytes);
      last = { received: Array.from(received, (byte) => byte.toString(16).padStart(2, "0")).join(""), error: "" };
    } catch (error) {
      last = { received: "", error: error instanceof Error ? error.message : String(error) };
    }
  },
});

const server = new Server({ limits: { bodyBytes: 32_768 } });
server.register("spi", spi);
server.listen(address);
restrict();
