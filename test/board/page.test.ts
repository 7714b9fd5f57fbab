/** The page of nound on the board, in this machine's Chromium: a click moves a pin, and a voltage on a pin shows. */
import { afterAll, beforeAll, describe, test } from "vitest";
import { noChromium, startChromium } from "../harness/chromium.ts";
import { eventually } from "../harness/eventually.ts";
import { Visit } from "../harness/visit.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const nouns = {
  pump: { kind: "gpio-output", chip: "gpiochip0", offset: 0, key: "on" },
  door: { kind: "gpio-input", chip: "gpiochip0", offset: 4, key: "open", edges: "both" },
};

describe.skipIf(noChromium !== undefined)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Awaited<ReturnType<typeof startChromium>>;
  beforeAll(async () => {
    browser = await startChromium();
    await board().pins.drive(4, 0);
  });
  afterAll(() => browser.close());

  test("a switch moves its pin, and an edge at another pin shows", async () => {
    const { address } = await board().startNound({ nouns });
    const begun = await Visit.begin(browser, address);
    await begun.live();
    await begun.page.getByRole("switch", { name: "Pump" }).check();
    await eventually("the pin is high", async () => (await board().pins.voltage(0)) === 1);
    const door = begun.page.getByRole("region", { name: "Door", exact: true });
    await door.getByText("No", { exact: true }).waitFor();
    await board().pins.drive(4, 1);
    await door.getByText("Yes", { exact: true }).waitFor();
    await begun.reset("Pump");
    await eventually("the pin is low", async () => (await board().pins.voltage(0)) === 0);
    const pump = begun.page.getByRole("switch", { name: "Pump" });
    await eventually("the switch is off", async () => !(await pump.isChecked()));
    await begun.expectQuiet();
  });
});
