/** Each state that a tile can have: its word, its picture, and whether everybody can tell it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { noChromium, startChromium } from "../harness/chromium.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { output, startSimulated, touchedNouns } from "../harness/page-nouns.ts";
import { patience } from "../harness/patience.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { Visit } from "../harness/visit.ts";

const sensor = { kind: "sensor" } as const;
const nouns = {
  ...touchedNouns,
  pump: { ...output, offset: 2 },
  heater: { ...output, offset: 3, guard: { pump: { on: 1 } } },
  siren: { ...output, offset: 5 },
  cellar: { ...sensor, device: "28-0316a2796ee1" },
  attic: { ...sensor, device: "28-0316a2796ee2" },
};

describe.skipIf(noChromium !== undefined)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test.each(["light", "dark"] as const)(
    "each state has a word and a picture, for everybody, %s",
    async (colorScheme) => {
      const running = endedByThisTest(await startSimulated({ nouns, log: "errors" }));
      const begun = await Visit.begin(browser, running.address, { colorScheme, hasClock: true });
      await begun.live();
      const { page } = begun;
      const put = (noun: string, state: object) =>
        page.evaluate(
          ([path, body]) =>
            fetch(path as string, { method: "PUT", headers: { "Content-Type": "application/json" }, body }),
          [`/${noun}`, JSON.stringify(state)] as const,
        );
      await put("simulated.attic", { celsius: null });
      await page.route("**/siren", () => {});
      await begun.tile("Siren").getByRole("switch").click();
      await begun.pass(1_000);
      // The reading that finds it gone names its file, a later one the thermometer.
      const gone = /28-0316a2796ee2(?:\/w1_slave: there is no such file)?\. /;
      const shown: readonly (readonly [string, string | RegExp, string])[] = [
        ["Pump", "Off", ""],
        ["Cellar", "20\u00a0\u00b0C", "reading"],
        ["Attic", "Failing", "failing"],
        ["Attic", gone, "failing"],
        ["Heater", "Guarded until \u201cPump\u201d is On.", "guarded"],
        ["Siren", "Sending\u2026", "pending"],
        ["Blind", "Position unknown", "cover"],
      ];
      for (const [title, word, name] of shown) {
        await begun.tile(title).getByText(word).first().waitFor();
        expect(await begun.tile(title).getAttribute("class")).toContain(name);
      }
      await put("porch", { on: 1 });
      await begun.tile("Porch").getByRole("switch", { checked: true }).waitFor();
      await begun.expectAccessible();
      running.signal("SIGKILL");
      await running.ending();
      await begun.status("Connection lost");
      await page.locator("main.lost").waitFor();
      expect(await begun.tile("Porch").getByRole("switch").isDisabled()).toBe(true);
      await begun.expectAccessible();
    },
  );

  test("what fails or is guarded says so in one sentence, in its detail, too", async () => {
    const running = endedByThisTest(await startSimulated({ nouns, log: "errors" }));
    const { address } = running;
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ celsius: null });
    await fetch(`http://${address}/simulated.attic`, { method: "PUT", headers, body });
    const begun = await Visit.begin(browser, address, { hasClock: true });
    await begun.live();
    const attic = await begun.more("Attic");
    await attic.getByText("The 1-Wire bus has no thermometer").waitFor();
    expect(await attic.locator(".missing").count()).toBe(0);
    await begun.close();
    const answer = begun.page.waitForResponse((response) => response.url().endsWith("/heater"));
    await begun.tile("Heater").getByRole("switch").click();
    const response = await answer;
    await response.finished();
    expect(response.status()).toBe(409);
    await begun.pass(1_000);
    const heater = await begun.more("Heater");
    await heater.getByText("Guarded until \u201cPump\u201d is On.").waitFor();
    const said = await begun.page.locator(".failure").allTextContents();
    expect(said.join("")).toBe("");
    running.signal("SIGKILL");
    await running.ending();
  });

  test.each(["light", "dark"] as const)("a locked device says where a token comes from, %s", async (colorScheme) => {
    const { line } = await makeToken("panel");
    const { address } = forThisTest(
      await startSimulated({ access: { tokens: tokenFile(line) }, nouns: { pump: nouns.pump } }),
    );
    const begun = await Visit.begin(browser, address, { colorScheme });
    await begun.page.getByText("nound --new-token").waitFor();
    await begun.expectAccessible();
    await begun.expectQuiet();
  });

  test("a finger switches a tile, opens its detail, moves a cover, and presses a button long and twice", async () => {
    const { address } = forThisTest(await startSimulated({ nouns }));
    const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    await page.goto(`http://${address}/`);
    const tile = (name: string) => page.getByRole("region", { name, exact: true });
    await tile("Porch").tap();
    await new EventClient(address, "/porch").says({ on: 1 });
    // A finger that is gone leaves no shade behind.
    expect(await page.evaluate("document.querySelectorAll('.hit:hover').length")).toBe(1);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.hit:hover')).backgroundColor")).toBe(
      "rgba(0, 0, 0, 0)",
    );
    await tile("Porch").getByRole("button", { name: "More: Porch" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tile("Blind").getByRole("button", { name: "Open: Blind" }).tap();
    await tile("Blind")
      .getByText(/^Opening/)
      .waitFor();
    await tile("Blind").getByRole("button", { name: "Stop: Blind" }).tap();
    await tile("Blind").getByText("Position unknown").waitFor();
    const bell = new EventClient(address, "/bell");
    for (const press of ["Double", "Long", "Short"]) {
      await page.getByRole("button", { name: `${press} press: Bell` }).tap();
      await eventually(press, () => Number(bell.last?.[press.toLowerCase()]) === 1);
    }
    expect(bell.last).toMatchObject({ short: 1, long: 1, double: 1 });
  });

  test("a cover has three buttons, sliders for what is known alone, and names what blocks it", async () => {
    const times = { openTime: 300, closeTime: 300, pause: 100, tiltTime: 200, boot: "default" };
    const gate = { kind: "cover", open: { line: "GPIO26" }, close: { line: "GPIO27" }, ...times };
    const { address } = forThisTest(
      await startSimulated({
        nouns: { wind: { kind: "switch", key: "storm" }, gate: { ...gate, guard: { wind: { storm: 0 } } } },
      }),
    );
    const begun = await Visit.begin(browser, address);
    await begun.live();
    const tile = begun.tile("Gate");
    const button = (word: string) => tile.getByRole("button", { name: `${word}: Gate` });
    await tile.getByText("Position unknown").waitFor();
    expect(await tile.getByRole("slider").count()).toBe(0);
    await button("Close").click();
    await tile.getByRole("slider").first().waitFor();
    // It may be closed while its motor still runs.
    await eventually("it is closed, and stands", async () => {
      return (await button("Close").isDisabled()) && (await button("Stop").isDisabled());
    });
    expect(
      await tile.getByRole("slider").evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    ).toEqual(["0", "0"]);
    const seen = new EventClient(address, "/gate");
    await tile.getByRole("slider", { name: "Slats" }).press("End");
    // On a busy machine its motor stops late, and has moved it a little.
    await eventually(
      "the slats are open",
      () => Number(seen.last?.["tilt"]) > 50 && seen.last?.["moving"] === "stopped",
    );
    await begun.tile("Wind").getByRole("switch").check();
    await tile.getByText("Guarded until").waitFor();
    await begun.expectAccessible();
  });

  test("a thousand nouns are shown, and the last one is used", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`n${index}`, { kind: "switch", key: "on", values: [0, 1] }]),
    );
    const { address } = forThisTest(await startSimulated({ nouns: many }));
    const begun = await Visit.begin(browser, address, { width: 360 });
    await begun.live();
    await eventually("all tiles", async () => (await begun.page.locator(".tile").count()) === 1_000);
    await begun.tile("N 999").getByRole("switch").check();
    await new EventClient(address, "/n999").says({ on: 1 });
    await begun.more("N 500");
    await begun.close();
    await begun.expectQuiet();
  });
});
