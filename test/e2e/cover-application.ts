/** A gate whose motor has two relays of an author's own, each of which takes a moment. The log has what they do. */
import { coverNoun, defineNoun, serve, sleep } from "../../ts/nound.ts";

let active = 0;

function relay(name: string) {
  let on: 0 | 1 = 0;
  return defineNoun({
    shape: { on: { type: "choice", values: [0, 1] } },
    default: { on: 0 },
    get: () => ({ on }),
    set: async (state) => {
      await sleep(20);
      active += state.on - on;
      on = state.on;
      console.warn(`the relay ${name} is ${on === 1 ? "on" : "off"}, ${active} active`);
    },
  });
}

serve({
  name: "gate",
  version: "1.0.0",
  listen: "127.0.0.1:1",
  log: "errors",
  nouns: () => ({
    up: relay("up"),
    down: relay("down"),
    gate: coverNoun({
      open: { noun: "up" },
      close: { noun: "down" },
      openTime: 600_000,
      closeTime: 600_000,
      pause: 100,
    }),
  }),
});
