/**
 * A host application for the tests, compiled into `nound-e2e`: nouns that the stock program does not have, so that what
 * a person's own noun may do to the server can be seen from outside.
 *
 *     nound-e2e 127.0.0.1:8080 '{"nounTimeout":300}' /var/lib/state
 */
import * as interruption from "nound:interruption";
import * as loop from "nound:loop";
import * as memory from "nound:memory";
import * as net from "nound:net";
import * as system from "nound:system";
import type { Noun } from "../../ts/core/noun/noun.ts";
import type { State } from "../../ts/core/noun/state.ts";
import type { ServerLimits } from "../../ts/core/server/options.ts";
import { HttpServer } from "../../ts/core/server/server.ts";
import { streams } from "../../ts/parts/streams/part.ts";
import type { ProcessLimits } from "../../ts/platform/process-limits.ts";
import { endless } from "./application/endless-nouns.ts";
import { failing, stray, talkingNonsense } from "./application/failing-nouns.ts";
import { HeldNoun } from "./application/held-noun.ts";
import { hoarding, hoardingForGood } from "./application/hoarding-nouns.ts";
import { keptNoun } from "./application/kept-noun.ts";
import { ShapedNoun } from "./application/shaped-noun.ts";
import {
  asleepNoun,
  gateNoun,
  JournaledNoun,
  journal,
  laboriousNoun,
  lateNoun,
  neverNoun,
  witnessNoun,
} from "./application/slow-nouns.ts";

const [address = "127.0.0.1:8080", limits = "{}", stateFolder] = system.args;
const {
  nounBusyTime = 1_000,
  memoryBytes = 33_554_432,
  ...serverLimits
} = JSON.parse(limits) as Partial<ServerLimits & ProcessLimits>;
interruption.limitCalls(nounBusyTime);
memory.limitMemory(memoryBytes);
const platform = { net, clock: loop, interruption, memory };
const server = new HttpServer(platform, { limits: serverLimits }, [streams(() => 0)]);

/**
 * Registers and unregisters nouns while the server runs: POST `{ "register": NAME }`, `{ "unregister": NAME }`, or
 * `{ "registerIncomplete": NAME }` for an object with two of the four operations. Answers with what was thrown.
 */
const registry: Noun = {
  getState: () => ({}),
  setState: (state) => state,
  updateState: (change: State) => {
    try {
      for (const [what, name] of Object.entries(change)) {
        if (what === "register") {
          server.register(String(name), new HeldNoun({ registered: true }));
        } else if (what === "registerIncomplete") {
          server.register(String(name), { getState: () => ({}), setState: (state: State) => state } as unknown as Noun);
        } else {
          server.unregister(String(name));
        }
      }
      return { thrown: "", message: "" };
    } catch (error) {
      return error instanceof Error ? { thrown: error.name, message: error.message } : { thrown: "nonsense" };
    }
  },
  deleteState: () => ({}),
};

for (const [name, noun] of Object.entries({
  ...failing,
  ...talkingNonsense,
  ...endless,
  ...hoarding,
  ...hoardingForGood,
})) {
  server.register(name, noun);
}
for (let number = 0; number < 1_000; number++) {
  server.register(`number-${number}`, new HeldNoun({ number }));
}
server.register("plain", new HeldNoun({ plain: true }));
server.register("still", new HeldNoun({ n: 1.5, s: "x", b: true, z: null }));
server.register("one", new JournaledNoun());
server.register("other", new JournaledNoun());
server.register("journal", journal);
server.register("asleep", asleepNoun);
server.register("gate", gateNoun);
server.register("never", neverNoun);
server.register("late", lateNoun);
server.register("laborious", laboriousNoun);
server.register("witness", witnessNoun);
server.register("shaped", new ShapedNoun());
server.register("stray", stray);
server.register("registry", registry);
if (stateFolder !== undefined) {
  server.register("kept", keptNoun(stateFolder));
}

server.listen(address);
loop.onSignal(() => {
  void server.close().then(() => loop.exit(0));
});
