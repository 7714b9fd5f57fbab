/**
 * Testing an application of nound on the development machine: requests without a socket, simulated hardware, fake time. The
 * application under test is imported as it is; on Node, "nound" stands on simulated hardware by itself.
 *
 *     import { pin, request } from "nound/testing";
 *     import { server } from "../src/main.ts";
 *
 *     test("turns the pump on", async () => {
 *       await request(server, { method: "PUT", path: "/pump", body: { pump: 1 } });
 *       expect(pin("GPIO17").level).toBe(1);
 *     });
 */
export type { SerialSettings } from "./native/serial.ts";
export type { SimulatedSerialLine } from "./native/simulated/serial.ts";
export { ledState, pin, pwmSignal, serialLine, setAdc, storedTexts, type TestPin } from "./testing/hardware.ts";
export { exitStatus, reset, sendSignal } from "./testing/program.ts";
export { request, type TestAnswer, type TestRequest } from "./testing/request.ts";
export { advance } from "./testing/time.ts";
