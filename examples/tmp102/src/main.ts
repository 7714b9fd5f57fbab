/** Serves what a TMP102 measures: `main.js [ADDRESS:PORT [BUS [I2C-ADDRESS]]]`. */
import { args, restrict, Server } from "nound";
import { tmp102 } from "./tmp102.ts";

const [address = "127.0.0.1:8080", bus = "1", device = "0x48"] = args.filter((argument) => !argument.startsWith("--"));
const server = new Server();
server.register("temperature", tmp102(Number(bus), Number(device)));
server.listen(address);
restrict();
