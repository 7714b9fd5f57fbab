/** A door bell that is watched: `curl -N -H 'Accept: text/event-stream' http://127.0.0.1:8080/bell` shows each ring. */
import { gpioOutputNoun, openInput, Server } from "nound";
import { bell } from "./bell.ts";

const button = openInput({ line: "GPIO27", activeLow: true, bias: "pull-up", edges: "rising", debounce: 20_000 });
const chime = gpioOutputNoun({ line: "GPIO17", key: "chime", pulse: 800 });

const server = new Server();
server.register("chime", chime);
server.register("bell", bell({ button, chime }));
server.listen("127.0.0.1:8080");
