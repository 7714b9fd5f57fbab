/**
 * A service of "nound". What follows `--` says what its noun is and what it may open
 * later.
 *
 *     NOUND_APPLICATION=service-application.js nound-runtime [OPTION]... [-- hardware|mistake|lamp|later [REACH]]
 */
import {
  type Application,
  args,
  defineNoun,
  gpioOutputNoun,
  listFolder,
  type Noun,
  openI2c,
  openLed,
  openOutput,
  openSerial,
  openSpi,
  openStore,
  readText,
  serve,
  switchNoun,
} from "../../ts/nound.ts";

const own = args.includes("--") ? args.slice(args.indexOf("--") + 1) : [];
const [kind = "lamp", reach] = own;

/** What a noun may want once the program serves, by a word. */
const wishes: { readonly [wish: string]: (path: string) => unknown } = {
  read: (path) => readText(path),
  list: (path) => listFolder(path),
  store: (path) => openStore(path),
  serial: (path) => openSerial(path, { baudRate: 9_600 }),
  spi: (path) => openSpi(path, { speed: 1_000 }),
  i2c: (bus) => openI2c(Number(bus), 0x48),
  line: (line) => openOutput({ line }),
  led: (device) => openLed(device),
  listen: (address) => server.listen(address),
};

/** POST does what a wish says. */
function later(): Noun {
  return defineNoun({
    shape: { wish: { type: "string" }, path: { type: "string" } },
    default: { wish: "", path: "" },
    get: () => ({ wish: "", path: "" }),
    set: () => {},
    async update({ wish = "", path = "" }) {
      await wishes[wish]?.(path);
    },
  });
}

function noun(): Noun {
  if (kind === "hardware") return gpioOutputNoun({ line: "zqx", key: "lamp" });
  if (kind === "mistake") throw new TypeError("broken on purpose");
  return kind === "later" ? later() : switchNoun({ key: "lamp" });
}

const server = serve({
  name: "hall",
  version: "1.2.3",
  listen: "unix:/nonexistent-zqx/hall.sock",
  nouns: () => ({ lamp: noun() }),
  ...(reach !== undefined && { reach: JSON.parse(reach) as NonNullable<Application["reach"]> }),
});
