/** Settings that survive a restart. systemd says in STATE_DIRECTORY where a service may keep things. */
import { environment, serve } from "nound";
import { name, version } from "../package.json";
import { settings } from "./settings.ts";

serve({
  name,
  version,
  listen: "127.0.0.1:8080",
  nouns: () => ({ settings: settings(environment("STATE_DIRECTORY") ?? "/var/lib/my-device") }),
});
