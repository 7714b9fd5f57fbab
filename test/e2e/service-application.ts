/**
 * A service of "nound", for `nound --run`. What follows the second `--` says what its nouns are.
 *
 *     nound --run service-application.js -- [OPTION]... [-- hardware|mistake|confined]
 */
import { args, gpioOutputNoun, type Noun, serve, switchNoun } from "../../ts/nound.ts";

const kind = args.at(-1);

function noun(): Noun {
  if (kind === "hardware") return gpioOutputNoun({ line: "zqx", key: "lamp" });
  if (kind === "mistake") throw new TypeError("broken on purpose");
  return switchNoun({ key: "lamp" });
}

serve({
  name: "hall",
  version: "1.2.3",
  listen: "unix:/nonexistent-zqx/hall.sock",
  nouns: () => ({ lamp: noun() }),
  ...(kind === "confined" && { reach: {} }),
});
