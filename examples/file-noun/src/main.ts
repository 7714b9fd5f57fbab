/** Settings that survive a restart. systemd says in STATE_DIRECTORY where a service may keep things. */
import { environment, Server } from "nound";
import { settings } from "./settings.ts";

const server = new Server();
server.register("settings", settings(environment("STATE_DIRECTORY") ?? "/var/lib/my-device"));
server.listen("127.0.0.1:8080");
