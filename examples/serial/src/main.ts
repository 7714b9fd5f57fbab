/** Serves what a sensor on a serial line measures. */
import { args, restrict, Server } from "nound";
import { serialSensor } from "./serial-sensor.ts";

const device = args.find((argument) => argument.startsWith("/dev/")) ?? "/dev/ttyUSB0";
const server = new Server();
server.register("sensor", serialSensor(device));
server.listen("127.0.0.1:8080");
// The file of a USB device is made again each time it is plugged in, so it is its folder that must stay within reach.
restrict({ writable: ["/dev"] });
