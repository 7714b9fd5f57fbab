/** A LED that blinks at a rate. */
import { Server } from "nound";
import { blinkingLed } from "./blinking-led.ts";

const server = new Server();
server.register("led", blinkingLed("GPIO17"));
server.listen("127.0.0.1:8080");
