/** The page in tabs that nobody sees. A browser opens at most six connections to a device over HTTP/1.1. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { noChromium, startChromium } from "../harness/chromium.ts";
import { EventClient } from "../harness/event-client.ts";
import { startConfigured } from "../harness/nound-process.ts";
import { patience } from "../harness/patience.ts";
import { forThisTest } from "../harness/served.ts";

/** Shows or hides a tab, for the page in it. */
async function see(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true })`);
  await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
}

async function live(page: Page): Promise<void> {
  await page
    .getByRole("status")
    .filter({ hasText: /^Live$/ })
    .waitFor();
}

describe.skipIf(noChromium !== undefined)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test("in the last of eight tabs all works, and in the first, too, when it is seen again", async () => {
    const address = await freeAddress();
    forThisTest(await startConfigured({ listen: address, nouns: { lamp: { kind: "switch", key: "lamp" } } }, address));
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience);
    await context.clock.install();
    const tabs: Page[] = [];
    for (let tab = 0; tab < 8; tab++) {
      const page = await context.newPage();
      await page.goto(`http://${address}/`);
      await live(page);
      tabs.push(page);
      if (tab === 7) break;
      await see(page, true);
      await page.clock.fastForward(61_000);
      await page.getByText("Connecting").waitFor();
    }
    await tabs[7]?.getByRole("switch").check();
    await new EventClient(address, "/lamp").says({ lamp: 1 });
    const [first] = tabs;
    if (first === undefined) throw new Error("There is no tab.");
    await see(first, false);
    await live(first);
    await first.getByRole("switch", { checked: true }).waitFor();
  });
});
