/** What a person does in the detail of a noun and with a token: a time, an undo, a colour; by `npm run test:page`. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noChromium, startChromium } from "../harness/chromium.ts";
import { isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { output, startSimulated } from "../harness/page-nouns.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { Visit } from "../harness/visit.ts";

const level = { type: "integer", minimum: 0, maximum: 255 } as const;

const nouns = {
  hall: { ...output, offset: 1, title: "Hall lamp", lease: "asked" },
  pump: { ...output, offset: 2 },
  heater: { ...output, offset: 3, guard: { pump: { on: 1 } } },
  ribbon: {
    kind: "value",
    title: "Ribbon",
    default: { r: 0, g: 0, b: 0 },
    shape: { r: { ...level, kind: "red" }, g: { ...level, kind: "green" }, b: { ...level, kind: "blue" } },
  },
};

/** By language, the word before the times for which a lamp is switched on, and what an undo is called. */
const words = [
  ["en-GB", "On for", "More: Hall lamp"],
  ["de", "An für", "Mehr: Hall lamp"],
  ["fr", "Allumé pendant", "Plus : Hall lamp"],
  ["es", "Encendido durante", "Más: Hall lamp"],
  ["zh-CN", "开，持续", "更多：Hall lamp"],
] as const;

describe.skipIf(noChromium !== undefined || !isLong)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  const nound = forAllTests(() => startSimulated({ title: "Detail", nouns }));

  async function stateOf(noun: string): Promise<unknown> {
    return await (await fetch(`http://${nound().address}/${noun}`)).json();
  }

  async function put(noun: string, state: object): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    await fetch(`http://${nound().address}/${noun}`, { method: "PUT", headers, body: JSON.stringify(state) });
  }

  async function visit(): Promise<Visit> {
    const begun = await Visit.begin(browser, nound().address);
    await begun.live();
    return begun;
  }

  test.each(words)("in %s, a lamp is on for 5, 30 or 60 minutes, and counts down", async (locale, label, more) => {
    await put("hall", { on: 0 });
    const begun = await Visit.begin(browser, nound().address, { locale });
    await begun.page.getByRole("button", { name: more }).click();
    const detail = begun.page.getByRole("dialog");
    await detail.getByText(label, { exact: true }).waitFor();
    for (const minutes of [5, 30, 60]) {
      await detail.getByRole("button", { name: `${label} ${minutes} min`, exact: true }).click();
      await eventually(`${minutes} minutes`, async () => {
        const { on, remaining } = (await stateOf("hall")) as { on: number; remaining: number };
        return on === 1 && remaining > minutes * 60 - 30 && remaining <= minutes * 60;
      });
    }
    await detail.getByText(/59/).first().waitFor();
    await begun.expectAccessible();
    await begun.expectQuiet();
  });

  test("an undo is one PUT of the state before, and one under a guard says why it could not be", async () => {
    await put("pump", { on: 1 });
    await put("heater", { on: 1 });
    await put("heater", { on: 0 });
    const begun = await visit();
    const asked: string[] = [];
    begun.page.on("request", (one) => {
      if (one.method() !== "GET") asked.push(`${one.method()} ${new URL(one.url()).pathname} ${one.postData()}`);
    });
    const detail = await begun.more("Heater");
    await detail.getByRole("button", { name: "Undo: Off" }).click();
    await eventually("it is on again", async () => JSON.stringify(await stateOf("heater")) === '{"on":1}');
    expect(asked).toEqual(['PUT /heater {"on":1}']);
    await put("pump", { on: 0 });
    await detail.getByText("Guarded until “Pump” is On.").waitFor();
    const refused = begun.page.waitForResponse((response) => response.status() === 409);
    await detail.getByRole("button", { name: "Undo: Off" }).first().click();
    await refused;
    await detail.getByText("Guarded until “Pump” is On.").waitFor();
    expect(await stateOf("heater")).toEqual({ on: 0 });
    expect(asked).toHaveLength(2);
    await begun.expectAccessible();
    await begun.expectQuiet();
  });

  test("a swatch sets a colour, and shows that it is the one", async () => {
    await put("ribbon", { r: 0, g: 0, b: 0 });
    const begun = await visit();
    const tile = begun.tile("Ribbon");
    await tile.getByRole("button", { name: "Red", exact: true }).click();
    await tile.getByRole("button", { name: "Red", pressed: true }).waitFor();
    await eventually("red", async () => JSON.stringify(await stateOf("ribbon")) === '{"r":255,"g":0,"b":0}');
    await tile.getByRole("button", { name: "Warm white", exact: true }).click();
    await tile.getByRole("button", { name: "Warm white", pressed: true }).waitFor();
    expect(await tile.getByRole("button", { pressed: true }).count()).toBe(1);
    await eventually("warm", async () => JSON.stringify(await stateOf("ribbon")) === '{"r":255,"g":167,"b":87}');
    await begun.expectAccessible();
    await begun.expectQuiet();
  });

  test("a light that has its three channels alone has a switch and a brightness", async () => {
    await put("hall", { on: 0 });
    await put("ribbon", { r: 200, g: 50, b: 0 });
    const begun = await visit();
    const tile = begun.tile("Ribbon");
    const light = tile.getByRole("switch", { name: "Ribbon" });
    const brightness = tile.getByRole("slider", { name: /Brightness/ });
    const is = (state: string) => eventually(state, async () => JSON.stringify(await stateOf("ribbon")) === state);
    await begun.page.getByRole("button", { name: "1 lamp on" }).waitFor();
    expect([await light.isChecked(), await brightness.inputValue()]).toEqual([true, "78"]);
    await light.click();
    await is('{"r":0,"g":0,"b":0}');
    await begun.page.getByText("Nothing is on or open.").waitFor();
    await light.click();
    await is('{"r":200,"g":50,"b":0}');
    // Down to nearly nothing and up again: its hue stays.
    await brightness.fill("1");
    await is('{"r":3,"g":1,"b":0}');
    await brightness.fill("100");
    await is('{"r":255,"g":64,"b":0}');
    await brightness.fill("0");
    await tile.getByRole("switch", { name: "Ribbon", checked: false }).waitFor();
    await begun.expectAccessible();
    await begun.expectQuiet();
  });

  test("a token is remembered on this device if a person says so, and is forgotten everywhere", async () => {
    const { token, line } = await makeToken("panel");
    const { address } = forThisTest(
      await startSimulated({ access: { tokens: tokenFile(line) }, nouns: { pump: nouns.pump } }),
    );
    const begun = await Visit.begin(browser, address);
    const { page } = begun;
    const field = page.getByLabel("Token", { exact: true });
    const stored = () =>
      page.evaluate<readonly string[]>("[sessionStorage, localStorage].map((at) => JSON.stringify({ ...at }))");
    // Without the box, it is this tab's alone.
    await field.fill(token);
    await page.getByRole("button", { name: "Open" }).click();
    await begun.live();
    expect((await stored()).map((text) => text.includes(token))).toEqual([true, false]);
    await page.reload();
    await begun.live();
    await page.getByRole("button", { name: "Forget token" }).click();
    await field.waitFor();
    expect((await stored()).join()).not.toContain(token);
    await page.getByLabel("Remember on this device").check();
    await field.fill(token);
    await field.press("Enter");
    await begun.live();
    // A new tab has it, too.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await other.getByRole("button", { name: "Forget token" }).click();
    await other.getByLabel("Token", { exact: true }).waitFor();
    await other.close();
    expect((await stored())[1]).not.toContain(token);
    await page.getByRole("button", { name: "Forget token" }).click();
    await field.waitFor();
    expect((await stored()).join()).not.toContain(token);
  });
});
