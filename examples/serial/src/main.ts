/** Serves what a sensor on a serial line measures. */
import { args, Server } from "nound";
import { serialSensor } from "./serial-sensor.ts";

const device = args.find((argument) => argument.startsWith("/dev/")) ?? "/dev/ttyUSB0";
const server = new Server();
server.register("sensor", serialSensor(device));
server.listen("127.0.0.1:8080");
