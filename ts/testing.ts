/**
 * Testing an application of nound on the development machine: requests without a socket, simulated hardware, fake time.
 * The application under test is imported as it is; on Node, "nound" stands on simulated hardware by itself.
 *
 *     import { pin, request } from "nound/testing";
 *     import { server } from "../src/main.ts";
 *
 *     test("turns the pump on", async () => {
 *       await request(server, { method: "PUT", path: "/pump", body: { pump: 1 } });
 *       expect(pin("GPIO17").level).toBe(1);
 *     });
 */

// biome-ignore-all assist/source/organizeImports: the headings are those of docs/reference.md

// Requests
export { request, type TestAnswer, type TestRequest } from "./testing/request.ts";
export { type TestStream, watch } from "./testing/test-stream.ts";

// Other servers
export { type OtherAnswer, type OtherRequest, otherServer } from "./testing/other-server.ts";

// Simulated hardware
export {
  i2cDevice,
  ledState,
  pin,
  pwmSignal,
  serialLine,
  setAdc,
  spiDevice,
  storedTexts,
  type TestPin,
} from "./testing/device-outside.ts";
export { modbusUnit } from "./testing/modbus-units.ts";
export type { SimulatedUnit } from "./modbus/simulated-units.ts";
export type { SimulatedI2cDevice, SimulatedSpiDevice } from "./native/simulated/bus.ts";
export type { SimulatedSerialLine } from "./native/simulated/serial.ts";

// Fake time
export { advance } from "./testing/fake-time.ts";

// The program under test
export { exitStatus, putFile, removeFile, reset, sendSignal } from "./testing/test-program.ts";
