/** The program: which nouns there are, and where they are served. */
import { Server } from "nound";
import { led } from "./led.ts";

export const server = new Server();
server.register("led", led("GPIO17"));
server.listen("127.0.0.1:8080");
