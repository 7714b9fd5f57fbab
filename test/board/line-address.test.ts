/** How lines are found, and what is said when a line is not available. */
import { describe, expect, test } from "vitest";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const output = { kind: "gpio-output", key: "on" };

/** What nound says when it cannot start with this one noun. */
async function refusal(noun: object, gpioBackend: "gpiod" | "sysfs" = "gpiod"): Promise<string> {
  const { ending, output: said } = await board().runNound({ gpioBackend, nouns: { relay: { ...output, ...noun } } });
  expect(ending).toMatch(/^exit [1-9]/);
  expect(said).toMatch(/^nound: [^\n]+\n$/);
  return said;
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
    expect(await refusal({ line: "TWIN" })).toContain('"TWIN" is not unique: gpiochip0 5, gpiochip0 6');
  });

  test("whose name is spelled otherwise is refused with the one that is meant", async () => {
    expect(await refusal({ line: "relay" })).toContain('did you mean "RELAY"?');
  });

  test("that has no such name is refused", async () => {
    expect(await refusal({ line: "NOBODY" })).toContain('"NOBODY"');
  });
});

test("sysfs refuses a line's name, which it does not know", async () => {
  expect(await refusal({ line: "VALVE" }, "sysfs")).toContain("give chip and offset");
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
    expect(await refusal({ chip: "gpiochip0", offset: 8 }, gpioBackend)).toContain("offsets are 0 to 7");
  });

  test("of a chip that is not there is refused with the chips there are", async () => {
    expect(await refusal({ chip: "expander", offset: 0 }, gpioBackend)).toMatch(
      /available: gpiochip\d+ \(9030000\.pl061\)/,
    );
  });

  test("that the kernel uses itself is refused with what for", async () => {
    expect(await refusal({ chip: "gpiochip0", offset: 3 }, gpioBackend)).toContain('in use by "GPIO Key Poweroff"');
  });

  test.each(["gpiod", "sysfs"] as const)("that another process holds by %s is refused", async (other) => {
    const relay = { ...output, chip: "gpiochip0", offset: 0 };
    const holder = await board().startOtherNound({ gpioBackend: other, nouns: { lamp: relay } });
    await holder.put("/lamp", { on: 1 });
    await board().pins.changes(0);
    const said = await refusal(relay, gpioBackend);
    // The kernel's older interface lends a line to itself, for every program.
    expect(said).toContain(other === "gpiod" ? 'in use by "nound:lamp"' : "in use by ");
    expect(await board().pins.changes(0)).toEqual([]);
    expect((await holder.get("/lamp")).state).toEqual({ on: 1 });
  });
});

test.each([
  ["a bias", { bias: "pull-up" }],
  ["an open drain", { drive: "open-drain" }],
])("sysfs refuses %s, which it cannot set", async (what, option) => {
  const said = await refusal({ chip: "gpiochip0", offset: 0, ...option }, "sysfs");
  expect(said).toContain(what);
  expect(said).toContain('"gpiod"');
});
