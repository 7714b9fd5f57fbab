/**
 * `nound --find` on each board, compared with what the board is known to have; and `--find button`, with a pin that the
 * test drives and a key that it presses.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually, within } from "../harness/eventually.ts";
import { ast2600, thermometerBus, thermometers } from "./harness/ast2600.ts";
import type { Pins } from "./harness/board.ts";
import { forAllTests, type RunningBoard } from "./harness/running-board.ts";
import { sabrelite } from "./harness/sabrelite.ts";
import { virt } from "./harness/virt.ts";

type Nouns = Readonly<Record<string, object>>;

const system = { kind: "sensor", device: "system", title: "This machine" };
const key = (device: string, code: string, title: string) => ({ kind: "input", device, channel: code, title });
const sigkill = 9;

/** @returns the nouns that are found, and the lines of the table with single blanks. */
async function find(board: RunningBoard<Pins>): Promise<{ readonly nouns: Nouns; readonly table: readonly string[] }> {
  const { ending, output } = await within(
    "--find ends",
    board.guest.run("/nound", "--find").then((found) => found.ended),
  );
  expect(ending).toBe("exit 0");
  const end = output.indexOf("\n}\n") + 3;
  const { nouns } = JSON.parse(output.slice(0, end)) as { nouns: Nouns };
  const lines = output.slice(end).split("\n");
  return { nouns, table: lines.map((line) => line.trim().replace(/ {2,}/g, " ")) };
}

/** The same, once the kernel's drivers have found so many. */
async function findAll(board: RunningBoard<Pins>, count: number) {
  return await eventually(`--find has ${count} nouns`, async () => {
    const found = await find(board);
    return Object.keys(found.nouns).length >= count && found;
  });
}

/** Serves what was found, and reads each noun. A board without a clock does not know when it has started. */
async function expectValues(board: RunningBoard<Pins>, nouns: Nouns): Promise<void> {
  const nound = await board.startNound({ nouns });
  for (const name of Object.keys(nouns)) {
    const { status, state } = await nound.get(`/${name}`);
    const absent = Object.keys(state).filter((key) => state[key] === null && key !== "started");
    expect({ name, status, absent }).toEqual({
      name,
      status: 200,
      absent: [],
    });
  }
}

/**
 * Waits for a button, and does what `press` says.
 * @returns the noun that is named; what is told to people; whether it took under a second of the board's clock, or, on
 *   a busy machine, less than three times the start of the program.
 */
async function findButton(board: RunningBoard<Pins>, press: () => Promise<void>) {
  const uptime = async () => Number((await board.guest.read("/proc/uptime")).split(" ")[0]);
  const launched = await uptime();
  const found = await board.guest.run("/nound", "--find", "button");
  onTestFinished(() => board.guest.kill(found.pid, sigkill).catch(() => undefined));
  await eventually("it watches", () => found.output.includes("press the button\n"));
  const began = await uptime();
  await press();
  const { ending, output } = await within("--find button ends", found.ended);
  const seconds = (await uptime()) - began;
  const isPrompt = seconds < Math.max(1, 3 * (began - launched));
  expect(ending).toBe("exit 0");
  const [sentence = "", noun = ""] = output.slice(output.indexOf("press the button\n")).split("\n").slice(1);
  return { sentence, nouns: JSON.parse(noun) as Nouns, isPrompt };
}

describe("on virt", () => {
  const board = forAllTests(virt);

  test("--find lists the lines, the LED, the power key and the keyboard, and moves no pin", async () => {
    for (let offset = 0; offset < 8; offset += 1) await board().pins.changes(offset);
    const { nouns, table } = await findAll(board(), 3);
    expect(nouns).toEqual({
      system,
      "green-status": { kind: "led", device: "green:status", title: "green:status" },
      "gpio-keys-power": key("gpio-keys", "KEY_POWER", "gpio-keys power"),
    });
    expect(table).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^linux,dummy-virt, Linux \S+, nound \S+: 3 nouns in the configuration/),
        "gpiochip0 (9030000.pl061), 8 lines",
        '0 RELAY input, free "line": "RELAY"',
        '1 PUMP input, free "line": "PUMP"',
        '2 VALVE input, free "line": "VALVE"',
        '3 - input, used by "GPIO Key Poweroff"',
        '4 BUTTON input, free "line": "BUTTON"',
        '5 TWIN input, free "chip": "9030000.pl061", "offset": 5',
        '6 TWIN input, free "chip": "9030000.pl061", "offset": 6',
        '7 - output, used by "green:status"',
        expect.stringMatching(
          /^"QEMU Virtio Keyboard": it has \d+ keys; `nound --find button` names the one you press$/,
        ),
      ]),
    );
    for (let offset = 0; offset < 8; offset += 1) expect(await board().pins.changes(offset)).toEqual([]);
    await expectValues(board(), nouns);
  });

  test("--find button names the pin that changes in under a second, and its noun serves", async () => {
    await board().pins.drive(4, 0);
    const { sentence, nouns, isPrompt } = await findButton(board(), () => board().pins.drive(4, 1));
    expect(sentence).toBe('nound: gpiochip0 line 4 "BUTTON" changed to 1');
    expect(nouns).toEqual({
      button: { kind: "gpio-input", line: "BUTTON", edges: "both", debounce: 5, key: "pressed" },
    });
    expect(isPrompt).toBe(true);
    const nound = await board().startNound({ nouns });
    expect((await nound.get("/button")).state).toMatchObject({ pressed: 1 });
  });

  test("--find button names the key that is pressed in under a second, and its noun serves", async () => {
    const { sentence, nouns, isPrompt } = await findButton(board(), () => board().pins.key("f1", true));
    expect(sentence).toBe('nound: KEY_F1 of the input device "QEMU Virtio Keyboard"');
    expect(nouns).toEqual({ button: { kind: "input", device: "QEMU Virtio Keyboard", channel: "KEY_F1" } });
    expect(isPrompt).toBe(true);
    const nound = await board().startNound({ nouns });
    expect((await nound.get("/button")).state).toEqual({ pressed: 1 });
    await board().pins.key("f1", false);
    await eventually("it is let go", async () => (await nound.get("/button")).state["pressed"] === 0);
  });
});

describe("on the ast2600", () => {
  const board = forAllTests(ast2600);

  test("--find lists the lines, the sensors, the converter, the LED, the key and the buses", async () => {
    const bus = `/sys/bus/i2c/devices/i2c-${thermometerBus}`;
    await board().guest.write(`${bus}/new_device`, `tmp105 0x${thermometers.driven.toString(16)}`);
    const { nouns, table } = await findAll(board(), 7);
    const channels = Array.from({ length: 8 }, (_, index) => [`voltage${index}`, { channel: `voltage${index}` }]);
    expect(nouns).toEqual({
      system,
      "ast2600-adc0": {
        kind: "sensor",
        device: "ast2600-adc0",
        keys: Object.fromEntries(channels),
        title: "ast2600-adc0",
      },
      lm75: { kind: "sensor", device: "lm75", channel: "temp1", title: "lm75" },
      tmp105: { kind: "sensor", device: "tmp105", channel: "temp1", title: "tmp105" },
      "28-0316a2796ee1": { kind: "sensor", device: "28-0316a2796ee1", title: "28-0316a2796ee1" },
      "amber-alarm": { kind: "led", device: "amber:alarm", title: "amber:alarm" },
      "keys-wps-button": key("keys", "KEY_WPS_BUTTON", "keys wps button"),
    });
    expect(table).toEqual(
      expect.arrayContaining([
        "gpiochip0 (1e780000.gpio), 208 lines",
        '40 RELAY input, free "line": "RELAY"',
        '41 PUMP input, free "line": "PUMP"',
        '42 BUTTON input, free "line": "BUTTON"',
        '43-47 - input, free "chip": "1e780000.gpio", "offset": 43 to 47',
        '48 - output, used by "amber:alarm"',
        '50 - input, used by "gpio_keys"',
        "gpiochip1 (1e780800.gpio), 36 lines",
        "i2c-3 (1e78a200.i2c-bus): 0x49 tmp105 (held by its driver)",
        "i2c-8 (1e78a480.i2c-bus): 0x4d lm75 (held by its driver)",
        "w1_bus_master1: 28-0316a2796ee1",
      ]),
    );
    await expectValues(board(), nouns);
  });

  test("--find button names the pin that changes in under a second", async () => {
    await board().pins.drive(42, 1);
    const { nouns, isPrompt } = await findButton(board(), () => board().pins.drive(42, 0));
    expect(nouns["button"]).toMatchObject({ kind: "gpio-input", line: "BUTTON", activeLow: true });
    expect(isPrompt).toBe(true);
  });

  test("--find button names the key that the kernel has of a pin", async () => {
    await board().pins.drive(50, 0);
    const { nouns, isPrompt } = await findButton(board(), () => board().pins.drive(50, 1));
    expect(nouns).toEqual({ button: { kind: "input", device: "keys", channel: "KEY_WPS_BUTTON" } });
    expect(isPrompt).toBe(true);
    await board().pins.drive(50, 0);
  });
});

describe("on the sabrelite", () => {
  const board = forAllTests(sabrelite);

  test("--find lists the lines of seven chips, six keys and the SPI device", async () => {
    await board()
      .guest.write("/sys/bus/spi/drivers/spi-nor/unbind", "spi0.0")
      .catch(() => undefined);
    await board().guest.write("/sys/bus/spi/devices/spi0.0/driver_override", "spidev");
    await board().guest.write("/sys/bus/spi/drivers/spidev/bind", "spi0.0");
    // On a busy machine, the kernel sometimes does not try the keys again after their last chip has come.
    await board()
      .guest.write("/sys/bus/platform/drivers/gpio-keys/bind", "gpio-keys")
      .catch(() => undefined);
    const { nouns, table } = await findAll(board(), 7);
    const names = ["home", "volumedown", "volumeup", "power", "menu", "back"];
    expect(nouns).toEqual({
      system,
      ...Object.fromEntries(
        names.map((name) => [`gpio-keys-${name}`, key("gpio-keys", `KEY_${name.toUpperCase()}`, `gpio-keys ${name}`)]),
      ),
    });
    const chips = ["209c000", "20a0000", "20a4000", "20a8000", "20ac000", "20b0000", "20b4000"];
    expect(table).toEqual(
      expect.arrayContaining([
        ...chips.map((chip, index) => `gpiochip${index} (${chip}.gpio), 32 lines`),
        '3 - input, used by "Power Button"',
        '19 - output, used by "spi0 CS0"',
        '0-31 - input, free "chip": "20ac000.gpio", "offset": 0 to 31',
        'spi0.0 (sst25vf016b): openSpi("/dev/spidev0.0")',
      ]),
    );
    await expectValues(board(), nouns);
  });
});
