/**
 * Streams of events of a PL061's lines, over both interfaces of the kernel. Voltages are put on the pin outside the
 * guest.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { emptyPage, noChromium } from "../harness/chromium.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);
const offset = 4;
const door = { kind: "gpio-input", chip: "gpiochip0", offset, key: "open", edges: "both" };

beforeEach(() => board().pins.drive(offset, 0));

describe.each(["gpiod", "sysfs"] as const)("by %s", (gpioBackend) => {
  test("each edge of a line is an event", async () => {
    const nound = await board().startNound({ gpioBackend, nouns: { door } });
    const client = new EventClient(nound.address, "/door");
    await client.says({ open: 0, edges: 0 });
    for (let edge = 1; edge <= 10; edge++) {
      await board().pins.drive(offset, edge % 2 === 1 ? 1 : 0);
      await client.says({ open: edge % 2, edges: edge });
    }
    client.drop();
  });
});

test.skipIf(noChromium !== undefined)(`an edge arrives at Chromium's EventSource${noChromium ?? ""}`, async () => {
  const { page, origin } = await emptyPage();
  const nound = await board().startNound({ access: { origins: [origin] }, nouns: { door } });
  await page.evaluate((url) => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    new EventSource(url).onmessage = ({ data }) => heard.push(data);
  }, `http://${nound.address}/door`);
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: readonly string[] }).heard);
  await eventually("the first event", async () => (await heard()).length === 1);
  await board().pins.drive(offset, 1);
  const [, edge = ""] = await eventually("the edge", async () => (await heard()).length === 2 && heard());
  expect(JSON.parse(edge)).toMatchObject({ open: 1, edges: 1 });
});
