/** Serves the outputs of a shift register. */
import { args, restrict, Server } from "nound";
import { shiftRegister } from "./shift-register.ts";

const device = args.find((argument) => argument.startsWith("/dev/")) ?? "/dev/spidev0.0";
const server = new Server();
server.register("outputs", shiftRegister(device));
server.listen("127.0.0.1:8080");
restrict();
