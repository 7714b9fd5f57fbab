/** The page in Debian's Firefox, with a finger: in `npm run test:page`, because Firefox takes long to install. */
import { existsSync } from "node:fs";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isLong } from "../harness/environment.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { installPackages } from "../harness/host-packages.ts";
import { house } from "../harness/house.ts";
import { startSimulated, touchedNouns } from "../harness/page-nouns.ts";
import { patience } from "../harness/patience.ts";
import { forThisTest } from "../harness/served.ts";

const path = "/usr/bin/firefox";

/** A phone. Firefox takes `hasTouch` before it opens an address. */
const phone = { width: 360, height: 740, hasTouch: true };

describe.runIf(isLong)("Firefox", () => {
  let browser: Browser;
  beforeAll(async () => {
    if (!existsSync(path)) installPackages(["firefox-esr"], "The test of the page in Firefox");
    browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: path,
      // As on a phone: fingers, and scroll bars that take no room.
      extraPrefsFirefox: {
        "dom.w3c_touch_events.enabled": 1,
        "intl.accept_languages": "en-GB",
        "ui.useOverlayScrollbars": 1,
      },
      defaultViewport: null,
      timeout: patience,
    });
  });
  afterAll(() => browser.close());

  /** Opens the page of a device that is there for this test, and expects its console to stay silent. */
  async function visit(configuration: object): Promise<readonly [Page, string]> {
    const { address } = forThisTest(await startSimulated(configuration));
    const page = await browser.newPage();
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", (error) => said.push(String(error)));
    onTestFinished(async () => {
      await page.close();
      expect(said).toEqual([]);
    });
    page.setDefaultTimeout(patience);
    await page.setViewport(phone);
    await page.goto(`http://${address}/`);
    await page.waitForSelector(".status.live");
    return [page, address];
  }

  /** Touches an element with a finger, once the page has it. */
  async function touch(page: Page, selector: string): Promise<void> {
    const found = await page.waitForSelector(selector);
    await found?.tap();
  }

  test("a finger switches a tile, opens its detail, moves a cover, and presses a button long and twice", async () => {
    const [page, address] = await visit({ nouns: touchedNouns });
    await page.evaluate("addEventListener('pointerup', ({ pointerType }) => { globalThis.touchedBy = pointerType; })");
    await touch(page, "input[aria-labelledby=noun-porch]");
    await new EventClient(address, "/porch").says({ on: 1 });
    expect(await page.evaluate("touchedBy")).toBe("touch");
    await touch(page, "[aria-label='More: Porch']");
    await touch(page, "dialog [aria-label=Close]");
    await page.waitForSelector("dialog", { hidden: true });
    await touch(page, "[aria-label='Open: Blind']");
    const cover = (word: string) =>
      page.waitForSelector(`::-p-xpath(//*[@aria-labelledby="noun-blind"]//p[contains(., "${word}")])`);
    await cover("Opening");
    await touch(page, "[aria-label='Stop: Blind']");
    await cover("Position unknown");
    const bell = new EventClient(address, "/bell");
    for (const press of ["Double", "Long", "Short"]) {
      await touch(page, `[aria-label='${press} press: Bell']`);
      await eventually(press, () => Number(bell.last?.[press.toLowerCase()]) === 1);
    }
    expect(bell.last).toMatchObject({ short: 1, long: 1, double: 1 });
  });

  test("sixteen nouns fit a phone, with targets for fingers, and nothing is cut off", async () => {
    const [page] = await visit(house);
    await page.waitForSelector("::-p-text(Frost guard)");
    await touch(page, "::-p-xpath(//summary[contains(., 'Simulated inputs')])");
    const tiles = () => page.$$eval(".tile", (all) => all.length);
    await eventually("sixteen tiles", async () => (await tiles()) === 16);
    const [right, height, small] = (await page.evaluate(`[
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
      [...document.querySelectorAll("button, input, select, summary")]
        .map((at) => at.getBoundingClientRect())
        .filter(({ width, height }) => width < 43.9 || height < 43.9).length,
    ]`)) as [number, number, number];
    expect(right).toBe(phone.width);
    expect(height).toBeLessThanOrEqual(1_500);
    expect(small).toBe(0);
  });
});
