/** A light that fades within two seconds. */
import { Server } from "nound";
import { fadingLight } from "./fading-light.ts";

// Two fades that wait for one another take four seconds: less than a noun is given for an operation by default, five.
const { light, progress } = fadingLight({ chip: "pwmchip0", channel: 0, fadeTime: 2_000 });
const server = new Server();
server.register("light", light);
server.register("light.progress", progress);
server.listen("127.0.0.1:8080");
