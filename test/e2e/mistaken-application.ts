/** An application whose nouns have mistakes that the compiler does not find. The address to listen on is its first argument. */
import { args, defineNoun, Server, sleep } from "nound";

const server = new Server({ log: "errors" });
const shape = { level: { type: "integer", minimum: 0, maximum: 100 } } as const;
let level = 0;

server.register("beyond", defineNoun({ shape, get: () => ({ level: 101 }) }));
server.register(
  "beyond-later",
  defineNoun({
    shape,
    async get() {
      await sleep(1);
      return { level: 101 };
    },
  }),
);
server.register(
  "clamped",
  defineNoun({
    shape,
    default: { level: 0 },
    get: () => ({ level }),
    set: (state) => {
      level = Math.min(50, state.level);
    },
  }),
);

const [address = ""] = args;
server.listen(address);
