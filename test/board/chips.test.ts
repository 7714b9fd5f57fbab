/**
 * Chips of Industrial I/O by their names and by their paths on a bus, through two boots in which their drivers come in
 * opposite orders: the kernel gives them other numbers each time.
 */
import { describe, expect, test } from "vitest";
import { chipsBoards } from "./harness/ast2600-chips.ts";
import { forAllTests } from "./harness/running-board.ts";

const onBus = (address: 76 | 77) => `/sys/bus/i2c/devices/3-00${address}`;
const ratio = "in_temp_oversampling_ratio";
const setting = (device: string) => ({ kind: "sysfs", device, path: ratio, writable: true, default: 1 });

/** The name of each numbered device, in the order of the numbers. */
describe.each([
  { board: chipsBoards[0], names: ["ast2600-adc0", "dps310", "dps310"] },
  { board: chipsBoards[1], names: ["dps310", "dps310", "ast2600-adc0"] },
])("on the board $board.name", ({ board: started, names }) => {
  const board = forAllTests(started);
  const attribute = async (folder: string, name: string) => (await board().guest.read(`${folder}/${name}`)).trim();

  test("the kernel has numbered the chips in the order of their drivers", async () => {
    const found = names.map((_, index) => attribute(`/sys/bus/iio/devices/iio:device${index}`, "name"));
    expect(await Promise.all(found)).toEqual(names);
  });

  test("a chip is read by its name, by adc and by sysfs", async () => {
    const device = "ast2600-adc0";
    const nouns = {
      battery: { kind: "sensor", device, channel: "voltage0", raw: true },
      raw: { kind: "sysfs", device, path: "in_voltage0_raw" },
    };
    const nound = await board().startNound({ nouns });
    await board().pins.setChannel0(700);
    expect((await nound.get("/battery")).state).toMatchObject({ raw: 700 });
    await board().pins.setChannel0(300);
    expect((await nound.get("/raw")).state).toEqual({ value: 300 });
  });

  test("of two chips with one name, each has its path, and none the name until one is alone", async () => {
    const nouns = {
      first: setting(onBus(76)),
      second: setting(onBus(77)),
      named: setting("dps310"),
      air: { kind: "sensor", device: "dps310", channel: "temp", raw: true },
    };
    const nound = await board().startNound({ nouns });
    expect((await nound.put("/first", { value: 2 })).state).toEqual({ value: 2 });
    expect((await nound.put("/second", { value: 8 })).state).toEqual({ value: 8 });
    expect((await nound.get("/first")).state).toEqual({ value: 2 });
    expect((await nound.get("/named")).status).toBe(500);
    expect((await nound.get("/air")).status).toBe(500);
    await board().guest.write("/sys/bus/i2c/drivers/dps310/unbind", "3-0076");
    expect((await nound.get("/first")).status).toBe(500);
    expect((await nound.get("/named")).state).toEqual({ value: 8 });
    expect((await nound.delete("/named")).state).toEqual({ value: 1 });
    expect((await nound.get("/second")).state).toEqual({ value: 1 });
    expect((await nound.get("/air")).state).toEqual({ celsius: expect.any(Number), raw: null });
  });
});
