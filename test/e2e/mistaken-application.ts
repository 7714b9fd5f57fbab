/**
 * An application whose nouns have mistakes that the compiler does not find. The address to listen on is its first
 * argument.
 */
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

/** Fails once the bus has not answered for a while. */
async function writeToBus(): Promise<void> {
  await sleep(1);
  throw new Error("the bus does not answer");
}

const setters = {
  careless() {
    void writeToBus();
  },
  chained() {
    void Promise.resolve().then(writeToBus).then(String);
  },
};
for (const [name, set] of Object.entries(setters)) {
  server.register(name, defineNoun({ shape, default: { level: 0 }, get: () => ({ level: 7 }), set }));
}
setTimeout(() => void writeToBus(), 50);

const [address = "", mistake] = args;
if (mistake === "endless") for (;;);
server.listen(address);
