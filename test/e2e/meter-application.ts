/**
 * An application of "nound" with a meter: POST to /meter is a pulse, and says what the meter shows
 * and what its store has.
 *
 *     NOUND_APPLICATION=meter-application.js nound-runtime 127.0.0.1:8080 /var/lib/state
 */
import * as system from "nound:system";
import { defineNoun, now, openMeter, openStore, Server } from "../../ts/nound.ts";

const [address = "127.0.0.1:8080", folder = "."] = system.args;
const store = openStore(folder);
const meter = openMeter("test", { store, changed: () => {}, total: { key: "total", interval: 1 } });

const noun = defineNoun({
  shape: { total: { type: "number" }, written: { type: "number" } },
  get: () => ({ total: Number(meter.values["total"]), written: Number(store.read("total-test") ?? "0") }),
  set: () => {},
  reset: () => {},
  update: () => meter.pulse(now()),
});

const server = new Server();
server.register("meter", noun);
server.listen(address);
