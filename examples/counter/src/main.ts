/** Counts how often a button is pressed. */
import { Server } from "nound";
import { counter } from "./counter.ts";

const server = new Server();
server.register("counter", counter("GPIO27"));
server.listen("127.0.0.1:8080");
