/** Serves a router's facts. */
import { args, restrict, Server } from "nound";
import { router } from "./router.ts";

const [wireless = "wlan0"] = args.filter((argument) => !argument.startsWith("--"));
const server = new Server();
server.register("router", router(wireless));
server.listen("127.0.0.1:8080");
// /proc/net leads to the process's own network, so it is its folder that must stay within reach.
restrict({ readable: ["/proc", "/sys/class/net"] });
