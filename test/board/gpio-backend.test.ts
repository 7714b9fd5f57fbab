/** Which of the kernel's interfaces is taken when the configuration leaves it to nound. */
import { expect, test } from "vitest";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const configuration = { nouns: { relay: { kind: "gpio-output", key: "on", chip: "gpiochip0", offset: 0 } } };

/** The lines that the sysfs interface has lent. */
async function exportedLines(): Promise<string[]> {
  const listing = await board().guest.read("/sys/kernel/debug/gpio");
  return listing.split("\n").filter((line) => line.includes("|sysfs"));
}

test("the version names the interfaces that are built in", async () => {
  const started = await board().guest.run("/nound", "--version");
  expect(await started.ended).toEqual({ ending: "exit 0", output: expect.stringContaining("GPIO: gpiod, sysfs") });
});

test("the character device is used if there is one", async () => {
  await board().startNound(configuration);
  expect(await exportedLines()).toEqual([]);
  expect(await board().guest.read("/sys/kernel/debug/gpio")).toContain("|nound:relay");
});

// The last test of this board: the device does not come back.
test("sysfs is taken where there is no character device", async () => {
  await board().guest.remove("/dev/gpiochip0");
  const nound = await board().startNound({
    nouns: { relay: { kind: "gpio-output", key: "on", chip: "9030000.pl061", offset: 0 } },
  });
  await nound.put("/relay", { on: 1 });
  expect(await board().pins.voltage(0)).toBe(1);
  expect(await exportedLines()).toHaveLength(1);
});
