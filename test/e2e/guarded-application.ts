/** A heater of an author's own, slow and under a guard. Its log has each change. */
import { defineNoun, serve, sleep, switchNoun } from "../../ts/nound.ts";

/** The test replaces this word in the bundle. */
const nouns: string = "pump and heater";

function heater() {
  let on: 0 | 1 = 0;
  return defineNoun({
    shape: { on: { type: "choice", values: [0, 1] } },
    default: { on: 0 },
    guard: { pump: { on: 1 } },
    get: () => ({ on }),
    set: async (state) => {
      await sleep(50);
      on = state.on;
      console.warn(`the heater is ${on === 1 ? "on" : "off"}`);
    },
  });
}

serve({
  name: "guarded",
  version: "1.0.0",
  listen: "127.0.0.1:1",
  log: "errors",
  nouns: () => ({
    pump: switchNoun({ key: "on" }),
    ...(nouns === "pump and heater" && { heater: heater() }),
  }),
});
