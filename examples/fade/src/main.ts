/** A light that fades within two seconds. */
import { serve } from "nound";
import { name, version } from "../package.json";
import { fadingLight } from "./fading-light.ts";

serve({
  name,
  version,
  listen: "127.0.0.1:8080",
  nouns() {
    // Two fades that wait for one another take four seconds: less than a noun is given for an operation by default,
    // five.
    const { light, progress } = fadingLight({ chip: "pwmchip0", channel: 0, fadeTime: 2_000 });
    return { light, "light.progress": progress };
  },
});
