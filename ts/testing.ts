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

// biome-ignore-all assist/source/organizeImports: the headings group the names for readers

// Requests
export { request, type TestAnswer, type TestRequest } from "./program/testing/request.ts";
export { type TestStream, watch } from "./program/testing/test-stream.ts";

// Other servers
export { type OtherAnswer, type OtherRequest, otherServer } from "./program/testing/other-server.ts";

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
} from "./program/testing/device-outside.ts";
export { modbusUnit } from "./program/testing/modbus-units.ts";
export type { SimulatedUnit } from "./parts/modbus/simulated-units.ts";
export type { SimulatedI2cDevice, SimulatedSpiDevice } from "./native/simulated/bus.ts";
export type { SimulatedSerialLine } from "./native/simulated/serial.ts";

// Fake time
export { advance } from "./program/testing/fake-time.ts";

// The program under test
export { exitStatus, putFile, removeFile, reset, sendSignal } from "./program/testing/test-program.ts";
