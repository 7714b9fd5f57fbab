/** How lines are found, and what is said when a line is not available. */
import { describe, expect, test } from "vitest";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const output = { kind: "gpio-output", key: "on" };

/** Starts nound with this one noun, which is absent. @param reason what the one line of the start has. */
async function expectAbsent(reason: RegExp, noun: object, gpioBackend: "gpiod" | "sysfs" = "gpiod"): Promise<void> {
  const nound = await board().startNound({ gpioBackend, nouns: { relay: { ...output, ...noun } } });
  expect((await nound.get("/relay")).status).toBe(500);
  await nound.stop(expect.stringMatching(new RegExp(`^[^\\n]*${reason.source}[^\\n]*\\n$`)));
}

async function expectValve(gpioBackend: "gpiod" | "sysfs", address: object): Promise<void> {
  const nound = await board().startNound({ gpioBackend, nouns: { valve: { ...output, ...address } } });
  await nound.put("/valve", { on: 1 });
  expect(await board().pins.voltage(2)).toBe(1);
  await nound.delete("/valve");
  expect(await board().pins.voltage(2)).toBe(0);
}

describe("by gpiod, a line", () => {
  test("is found by its name in the device tree", async () => {
    await expectValve("gpiod", { line: "VALVE" });
  });

  test("whose name another line has, too, is refused with both of them", async () => {
    await expectAbsent(/"TWIN" is not unique: gpiochip0 5, gpiochip0 6/, { line: "TWIN" });
  });

  test("whose name is spelled otherwise is refused with the one that is meant", async () => {
    await expectAbsent(/did you mean "RELAY"\?/, { line: "relay" });
  });

  test("that has no such name is refused", async () => {
    await expectAbsent(/"NOBODY"/, { line: "NOBODY" });
  });
});

test("sysfs refuses a line's name, which it does not know", async () => {
  await expectAbsent(/give chip and offset/, { line: "VALVE" }, "sysfs");
});

describe.each(["gpiod", "sysfs"] as const)("by %s, a line", (gpioBackend) => {
  test.each([
    ["the chip's name", { chip: "gpiochip0", offset: 2 }],
    ["the chip's label", { chip: "9030000.pl061", offset: 2 }],
    ["the path of the chip's device", { chip: "/dev/gpiochip0", offset: 2 }],
  ])("is found by %s", async (_, address) => {
    await expectValve(gpioBackend, address);
  });

  test("beyond the chip's last is refused with the offsets there are", async () => {
    await expectAbsent(/offsets are 0 to 7/, { chip: "gpiochip0", offset: 8 }, gpioBackend);
  });

  test("of a chip that is not there is refused with the chips there are", async () => {
    await expectAbsent(/available: gpiochip\d+ \(9030000\.pl061\)/, { chip: "expander", offset: 0 }, gpioBackend);
  });

  test("that the kernel uses itself is refused with what for", async () => {
    await expectAbsent(/in use by "GPIO Key Poweroff"/, { chip: "gpiochip0", offset: 3 }, gpioBackend);
  });

  test.each(["gpiod", "sysfs"] as const)("that another process holds by %s is refused", async (other) => {
    const relay = { ...output, chip: "gpiochip0", offset: 0 };
    const holder = await board().startOtherNound({ gpioBackend: other, nouns: { lamp: relay } });
    await holder.put("/lamp", { on: 1 });
    await board().pins.changes(0);
    // The kernel's older interface lends a line to itself, for every program.
    await expectAbsent(other === "gpiod" ? /in use by "nound:lamp"/ : /in use by /, relay, gpioBackend);
    expect(await board().pins.changes(0)).toEqual([]);
    expect((await holder.get("/lamp")).state).toEqual({ on: 1 });
  });
});

test.each([
  ["a bias", { bias: "pull-up" }],
  ["an open drain", { drive: "open-drain" }],
])("sysfs refuses %s, which it cannot set", async (what, option) => {
  await expectAbsent(
    new RegExp(`${what}.*a kernel from 5\\.10 on has it`),
    { chip: "gpiochip0", offset: 0, ...option },
    "sysfs",
  );
});
