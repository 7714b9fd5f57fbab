import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import german from "../../ts/page/words/de.json" with { type: "json" };
import english from "../../ts/page/words/en.json" with { type: "json" };
import { noChromium, startChromium } from "../harness/chromium.ts";
import { isLong } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { forThisTest } from "../harness/served.ts";
import { Visit } from "../harness/visit.ts";
import { startWideHouse } from "../harness/wide-house.ts";

/** What a meter had at two midnights, in a browser that has seen both. */
function rememberMidnights(): void {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const yesterday = new Date(midnight - 1).setHours(0, 0, 0, 0);
  const values = { "grid/kilowattHours": { [yesterday]: 2, [midnight]: 6.5 } };
  const { localStorage } = globalThis as unknown as { localStorage: { setItem(name: string, text: string): void } };
  localStorage.setItem("nound.midnights", JSON.stringify(values));
}

describe.skipIf(noChromium !== undefined || !isLong)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  test.each([
    ["en-GB", 390, english],
    ["en-GB", 768, english],
    ["de", 390, german],
    ["de", 768, german],
  ] as const)("in %s at %i pixels, fifteen tasks are done by role and name", async (locale, width, words) => {
    const { address } = forThisTest(await startWideHouse());
    const say = (name: keyof typeof english, ...parts: readonly string[]) =>
      words[name].replace(/\{(\d)\}/g, (_, place: string) => parts[Number(place)] ?? "");
    const [, on = ""] = words.offOn.split("|");
    const [, open = ""] = words["class.opening"].split("|");
    const [, , red = ""] = words.swatches.split("|");
    const many = (name: "lampsOn" | "failingOnes", number: number) => {
      const [one = "", more = ""] = words[name].split("|");
      return number === 1 ? one : more.replace("{0}", String(number));
    };
    const stateOf = async (noun: string) => (await (await fetch(`http://${address}/${noun}`)).json()) as object;
    const is = (noun: string, state: object) =>
      eventually(`${noun} is ${JSON.stringify(state)}`, async () => {
        const now: Record<string, unknown> = { ...(await stateOf(noun)) };
        return Object.entries(state).every(([key, value]) => now[key] === value);
      });
    const put = async (noun: string, state: object) => {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify(state);
      expect((await fetch(`http://${address}/${noun}`, { method: "PUT", headers, body })).status).toBe(200);
    };
    await put("lamp", { lamp: 1 });
    await put("hall", { on: 1 });
    await put("target", { target: 21, mode: "eco" });
    await put("target", { target: 27, mode: "eco" });
    await put("grid", { kilowattHours: 8 });
    await put("simulated.attic", { celsius: null });

    const begun = await Visit.begin(browser, address, { locale, width });
    const { page } = begun;
    await page.evaluate(rememberMidnights);
    await page.reload();
    await page.getByRole("status").filter({ hasText: words.live }).waitFor();
    // The device's history begins with the first page.
    await put("simulated.boiler", { celsius: 52 });
    const button = (name: string, at: Locator = page.getByRole("main")) =>
      at.getByRole("button", { name, exact: true });
    const region = (name: string) => page.getByRole("region", { name, exact: true });
    const detail = async (title: string) => {
      await button(say("ofNoun", words.more, title), region(title)).click();
      return page.getByRole("dialog", { name: title });
    };
    const leave = async () => {
      await button(words.close, page.getByRole("dialog")).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    const tasks: { readonly [task: string]: () => Promise<void> } = {
      "which lamps are on": async () => {
        await page.getByRole("button", { name: many("lampsOn", 2), exact: true }).click();
        await region("Boiler").waitFor({ state: "detached" });
        expect(await page.getByRole("region").count()).toBe(2);
        await region("Lamp").getByRole("switch", { checked: true }).waitFor();
        await page.getByRole("button", { name: many("lampsOn", 2), pressed: true }).click();
      },
      "what is broken": async () => {
        await page.getByRole("button", { name: many("failingOnes", 1), exact: true }).click();
        await region("Boiler").waitFor({ state: "detached" });
        await region("Attic").getByText(words.failing, { exact: true }).waitFor();
        await page.getByRole("button", { name: many("failingOnes", 1), pressed: true }).click();
      },
      "close the shutter half": async () => {
        const sheet = await detail("Shutter");
        await sheet.getByText(words.coverOnce).waitFor();
        await leave();
        await region("Shutter").getByText(words.coverOnce).waitFor();
        await button(say("ofNoun", words.close, "Shutter"), region("Shutter")).click();
        await is("shutter", { moving: "stopped", position: 0 });
        await region("Shutter").getByRole("slider").fill("50");
        // On a busy machine, its motor stops late.
        await eventually("it is half open", async () => {
          const { position, moving } = Object(await stateOf("shutter")) as { position: number; moving: string };
          return position > 40 && position < 70 && moving === "stopped";
        });
      },
      "when does the light go on tomorrow": async () => {
        await region("Morning light")
          .getByText(say("next", words.tomorrow, "00:00"))
          .waitFor();
      },
      "put back what somebody changed": async () => {
        const target = await detail("Target");
        await target.getByRole("button", { name: say("ofNoun", words.undo, "27\u00a0\u00b0C") }).click();
        await is("target", { target: 21 });
        await leave();
      },
      "what did the meter count yesterday": async () => {
        const number = new Intl.NumberFormat(locale).format(4.5);
        await region("Grid").getByText(`${words.yesterday} ${number}\u00a0kWh`).waitFor();
      },
      "the hall light for half an hour": async () => {
        const hall = await detail("Flurlicht");
        await button(`${say("onFor", on)} 30 min`, hall).click();
        await eventually("it counts down", async () => Number(Object(await stateOf("hall")).remaining) > 1_700);
        await leave();
      },
      "the table at a fifth": async () => {
        await region("Esstischbeleuchtung").getByRole("slider").fill("20");
        await is("table", { percent: 20, enabled: true });
      },
      "the ribbon red, and half as bright": async () => {
        await button(red, region("Ribbon")).click();
        await is("ribbon", { r: 255, g: 0, b: 0 });
        await region("Ribbon").getByRole("slider").fill("50");
        await is("ribbon", { r: 128, g: 0, b: 0 });
        const sheet = await detail("Ribbon");
        await button(red, sheet).click();
        await is("ribbon", { r: 255, g: 0, b: 0 });
        await sheet.getByRole("switch").uncheck();
        await is("ribbon", { r: 0, g: 0, b: 0 });
        await sheet.getByRole("switch").check();
        await is("ribbon", { r: 255, g: 0, b: 0 });
        await leave();
      },
      "a degree warmer": async () => {
        await region("Target").getByRole("spinbutton").fill("22");
        await region("Target").getByRole("spinbutton").press("Enter");
        await is("target", { target: 22 });
      },
      "how warm was the boiler today": async () => {
        const boiler = await detail("Boiler");
        await boiler.getByRole("slider", { name: /20.*52/ }).waitFor();
        await button(words.today, boiler).click();
        await button(words.today, boiler).and(boiler.locator("[aria-pressed=true]")).waitFor();
        await leave();
      },
      "no frost guard for now": async () => {
        await region("Frost guard").getByRole("switch").uncheck();
        await is("frost", { enabled: false });
      },
      "open the gate, and mean it": async () => {
        await region("Gate").getByRole("switch").click();
        await region("Gate")
          .getByText(say("confirmQuestion", "Gate", words.open))
          .waitFor();
        await button(words.yes, region("Gate")).click();
        await is("gate", { on: 1 });
        await region("Gate").getByText(open, { exact: true }).waitFor();
      },
      "the movie's light": async () => {
        await put("table", { percent: 80, enabled: true });
        await button(say("ofNoun", words["action.Run now"], "Movie night"), region("Movie night")).click();
        await is("table", { percent: 20 });
      },
      "all off on the ground floor": async () => {
        await button(say("ofNoun", words.allOff, "Erdgeschoss")).click();
        await button(words.switchOff).click();
        await is("hall", { on: 0 });
        await is("table", { enabled: false });
        await is("ribbon", { r: 0 });
      },
    };
    const failed: string[] = [];
    for (const [task, does] of Object.entries(tasks)) {
      try {
        await does();
      } catch (error) {
        failed.push(`${task}: ${error instanceof Error ? error.message : error}`);
        await page.keyboard.press("Escape");
      }
    }
    expect(Object.keys(tasks)).toHaveLength(15);
    expect(failed).toEqual([]);
    await begun.expectAccessible();
    await begun.expectQuiet();
  });
});
