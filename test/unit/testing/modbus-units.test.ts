/** Units that a test plays, asked by `openModbus` on a serial line and at a server. */
import { beforeEach, expect, test } from "vitest";
import { ModbusError, type ModbusPlace, modbusNoun, openModbus, restrict, Server } from "../../../ts/nound.ts";
import { advance, modbusUnit, request, reset, serialLine } from "../../../ts/testing.ts";

const device = "/dev/ttyS1";
const server = "192.0.2.9:502";

beforeEach(reset);

/** Lets the time pass that a question takes. */
async function after<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await advance(100);
  return await promise;
}

test.each<[ModbusPlace]>([[{ device }], [{ server }]])(
  "a unit of %j has what the test sets, and what the program writes",
  async (place) => {
    const played = modbusUnit(place.device ?? place.server ?? "", 7);
    const unit = openModbus({ ...place, unit: 7 });
    played.input.set(3, 2_301);
    played.coil.set(2, 1);
    expect(await after(unit.read("input", 2, 3))).toEqual([0, 2_301, 0]);
    expect(await after(unit.read("coil", 0, 3))).toEqual([0, 0, 1]);
    await after(unit.write("holding", 40, [1, 65_535]));
    await after(unit.write("coil", 9, [1]));
    expect([played.holding.get(40), played.holding.get(41), played.coil.get(9)]).toEqual([1, 65_535, 1]);
    played.exception = 4;
    await expect(after(unit.read("input", 3, 1))).rejects.toEqual(expect.objectContaining({ exception: 4 }));
    expect(unit.counts).toMatchObject({ exceptions: 1, lastException: 4, timeouts: 0 });
    unit.close();
  },
);

test("questions of several units wait for their turn, and an absent unit ends with its time", async () => {
  modbusUnit(device, 1).holding.set(0, 11);
  modbusUnit(device, 2).isAbsent = true;
  modbusUnit(device, 3).holding.set(0, 33);
  const answers = [1, 2, 3].map((unit) => openModbus({ device, unit, timeout: 100 }).read("holding", 0, 1));
  const all = Promise.allSettled(answers);
  await advance(1_000);
  expect(await all).toEqual([
    { status: "fulfilled", value: [11] },
    { status: "rejected", reason: expect.any(ModbusError) },
    { status: "fulfilled", value: [33] },
  ]);
});

test("units of one line have the same settings, which are the line's, until the last is closed", async () => {
  modbusUnit(device, 1);
  const first = openModbus({ device, baud: "19200 8E1" });
  expect(() => openModbus({ device, unit: 2 })).toThrow("has other settings already");
  await after(first.read("holding", 0, 1));
  expect(serialLine(device).settings).toMatchObject({ baudRate: 19_200, parity: "even", stopBits: 1 });
  first.close();
  expect(serialLine(device).settings).toBeUndefined();
  modbusUnit(device, 2).holding.set(0, 2);
  expect(await after(openModbus({ device, unit: 2 }).read("holding", 0, 1))).toEqual([2]);
});

test("a line that is unplugged is opened again", async () => {
  modbusUnit(device).holding.set(0, 5);
  const unit = openModbus({ device });
  expect(await after(unit.read("holding", 0, 1))).toEqual([5]);
  serialLine(device).unplug();
  await expect(after(unit.read("holding", 0, 1))).rejects.toThrow("/dev/ttyS1 is gone");
  await advance(1_000);
  expect(await after(unit.read("holding", 0, 1))).toEqual([5]);
});

test.each([
  [{}, 'A Modbus unit has a "device"'],
  [{ device, unit: 248 }, "A unit has a number from 1 to 247; it is 248."],
  [{ server, unit: 256 }, "A unit has a number from 0 to 255; it is 256."],
])("openModbus refuses %j", (options, sentence) => {
  expect(() => openModbus(options)).toThrow(sentence);
});

test("a noun of an application shows what the test sets", async () => {
  restrict({ connect: [server] });
  const meter = modbusUnit(server);
  const nouns = new Server();
  nouns.register("grid", modbusNoun({ server, keys: { volts: { read: "input", at: 0, as: "int16", scale: 0.1 } } }));
  meter.input.set(0, 2_301);
  expect((await request(nouns, { path: "/grid" })).body).toMatchObject({ volts: 230.1, timeouts: 0 });
});
