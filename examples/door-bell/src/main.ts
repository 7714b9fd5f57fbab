/** A door bell that is watched: `curl -N -H 'Accept: text/event-stream' http://127.0.0.1:8080/bell` shows each ring. */
import { gpioOutputNoun, openInput, serve } from "nound";
import { name, version } from "../package.json";
import { bell } from "./bell.ts";

serve({
  name,
  version,
  listen: "127.0.0.1:8080",
  nouns() {
    const button = openInput({ line: "GPIO27", activeLow: true, bias: "pull-up", edges: "rising", debounce: 20 });
    const chime = gpioOutputNoun({ line: "GPIO17", key: "chime", pulse: 800 });
    return { chime, bell: bell({ button, chime }) };
  },
});
