/**
 * An application of "nound" that speaks to a serial device. It opens the device once more after it
 * is restricted, so that all of this is done behind the filter of system calls.
 *
 *     NOUND_APPLICATION=serial-application.js nound-runtime 127.0.0.1:8080 /dev/ttyS1
 */
import * as system from "nound:system";
import { defineNoun, openSerial, restrict, Server } from "../../ts/nound.ts";

const [address = "127.0.0.1:8080", device = "", settings = "{}"] = system.args;
const open = () => openSerial(device, { baudRate: 115_200, ...(JSON.parse(settings) as object) });
let port = open();
let answer = "";
let drained = 0;
let isGone = false;

/** Bytes as hexadecimal digits, since a state holds text. */
function toHex(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** PUT sends `send`, that many `times`; POST asks and waits `within` ms, and GET shows the answer. */
const serial = defineNoun({
  shape: {
    send: { type: "string" },
    times: { type: "integer", minimum: 0, maximum: 65_536 },
    within: { type: "integer", minimum: 0, maximum: 3_600_000 },
    answer: { type: "string", readOnly: true },
    drained: { type: "integer", readOnly: true },
    gone: { type: "boolean", readOnly: true },
  },
  default: { send: "", times: 0, within: 0 },
  get: () => ({ send: "", times: 0, within: 0, answer, drained, gone: isGone }),
  set({ send, times }) {
    const bytes = send.replace(/\\x([0-9a-f]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    void port.write(bytes.repeat(times)).then(() => {
      drained += 1;
    });
  },
  async update({ send = "", within = 0 }) {
    answer = toHex(await port.ask(`${send}\n`, within));
  },
  reset: () => port.close(),
});

const server = new Server({ limits: { nounTimeout: 3_600_000 } });
server.register("serial", serial);
server.listen(address);
restrict({ writable: [device] });
port.close();
port = open();
port.onGone = () => {
  isGone = true;
};
