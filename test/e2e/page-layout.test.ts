/**
 * How the page looks at four sizes, light and dark, in English and German, in three fonts, and from right to left: the
 * pictures are in build/pictures, and what can be wrong with them is looked for. By `npm run test:page`.
 */
import { mkdirSync } from "node:fs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noChromium, startChromium } from "../harness/chromium.ts";
import { isLong } from "../harness/environment.ts";
import { layoutFaults } from "../harness/layout.ts";
import { forAllTests } from "../harness/served.ts";
import { Visit } from "../harness/visit.ts";
import { pictures, screens, showMuch, startWideHouse, wideHouse } from "../harness/wide-house.ts";

/** The widest is as wide as any that a person reads text in. */
const fonts = ["DejaVu Sans", "DejaVu Serif", "DejaVu Sans Condensed"] as const;

/** Titles of nouns that are written from right to left. */
const arabic = {
  lamp: "مصباح غرفة المعيشة",
  boiler: "درجة حرارة السخان",
  gate: "بوابة الحديقة",
  grid: "عداد الكهرباء",
};

const details = ["lamp", "hall", "boiler", "grid", "ribbon", "system", "dawn"];

describe.skipIf(noChromium !== undefined || !isLong)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  const inArabic = Object.fromEntries(
    Object.entries({ ...wideHouse.nouns }).map(([name, noun]) => [
      name,
      name in arabic ? { ...noun, title: arabic[name as keyof typeof arabic] } : noun,
    ]),
  );
  const nound = forAllTests(() => startWideHouse());
  const other = forAllTests(() => startWideHouse({ nouns: inArabic, title: "بيت" }));

  async function begin(address: string, [width, height]: readonly [number, number], options: object): Promise<Visit> {
    await showMuch(address);
    const begun = await Visit.begin(browser, address, { width, ...options });
    await begun.page.setViewportSize({ width, height });
    await begun.page.getByRole("status").filter({ hasText: "Live" }).waitFor();
    await begun.page.locator(".tile.failing").first().waitFor();
    await begun.page.waitForTimeout(300);
    return begun;
  }

  /** Lays the page out again, and looks at it and at some details. */
  async function expectGood(begun: Visit, name: string, style: object): Promise<void> {
    const { page } = begun;
    await page.evaluate(`
      Object.assign(document.body.style, ${JSON.stringify(style)});
      dispatchEvent(new Event("resize"));
    `);
    await page.waitForTimeout(300);
    const faults = await page.evaluate<readonly string[]>(layoutFaults);
    // For a picture of a whole page, Chromium makes its window 1 pixel wide for a moment, and the page follows.
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    await page.setViewportSize({ width, height: await page.evaluate("document.documentElement.scrollHeight") });
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${pictures}/${name}.png` });
    await page.setViewportSize({ width, height });
    const found = [...faults];
    for (const noun of details) {
      await page.evaluate(`location.hash = "${noun}"`);
      await page.getByRole("dialog").waitFor();
      await page.waitForTimeout(150);
      const more = await page.evaluate<readonly string[]>(layoutFaults);
      found.push(...more.map((fault) => `${noun}: ${fault}`));
      if (noun === "boiler" || noun === "hall") await page.screenshot({ path: `${pictures}/${name}-${noun}.png` });
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    expect(found).toEqual([]);
  }

  const looks = screens.flatMap((size) =>
    (["en-GB", "de"] as const).flatMap((locale) => [
      ...fonts.map((font) => ({ size, locale, font, colorScheme: "light" as const })),
      { size, locale, font: fonts[0], colorScheme: "dark" as const },
    ]),
  );

  test.each(looks)(
    "at $size, in $locale, in $font, $colorScheme, nothing is cut and nothing lies on anything",
    async ({ size, locale, font, colorScheme }) => {
      const begun = await begin(nound().address, size, { locale, colorScheme });
      const name = ["chromium", size[0], locale, font.replaceAll(" ", "-"), colorScheme].join("-");
      await expectGood(begun, name, { fontFamily: font });
    },
  );

  test("what is cut, lies on something or scrolls sideways is found", async () => {
    const begun = await begin(nound().address, screens[0], {});
    const { page } = begun;
    const planted = async (selector: string, style: object) => {
      await page.evaluate(`Object.assign(document.querySelector("${selector}").style, ${JSON.stringify(style)})`);
      const faults = await page.evaluate<readonly string[]>(layoutFaults);
      await page.evaluate(`document.querySelector("${selector}").removeAttribute("style")`);
      return faults.join("\n");
    };
    expect(await page.evaluate(layoutFaults)).toEqual([]);
    expect(await planted(".tile h3", { height: "5px", overflow: "hidden" })).toMatch(/^cut/);
    expect(await planted(".tile h3", { position: "relative", top: "1.5rem", display: "block" })).toMatch(
      /lies on another/,
    );
    expect(await planted(".tile h3", { width: "2rem" })).toMatch(/breaks \p{L}+: /u);
    expect(await planted(".tile h3", { whiteSpace: "nowrap", paddingLeft: "40rem" })).toMatch(/leaves its tile/);
    expect(await planted("main", { width: "120vw" })).toMatch(/^scrolls sideways/);
    expect(await planted(".more", { inset: "0 auto auto 0" })).toMatch(/lies on another/);
  });

  test.each(screens)("at %i × %i, from right to left, the page is its own mirror", async (...size) => {
    const begun = await begin(other().address, size, {});
    const places = `[...document.querySelectorAll(".tile")].map((tile) => {
      const box = tile.getBoundingClientRect();
      const ground = tile.querySelector(".ground").getBoundingClientRect();
      return ground.left - box.left < box.right - ground.right ? "left" : "right";
    })`;
    expect(new Set(await begun.page.evaluate<readonly string[]>(places))).toEqual(new Set(["left"]));
    expect(await begun.page.evaluate(layoutFaults)).toEqual([]);
    await begun.page.evaluate("document.documentElement.dir = 'rtl'");
    await expectGood(begun, `chromium-${size[0]}-rtl`, {});
    expect(new Set(await begun.page.evaluate<readonly string[]>(places))).toEqual(new Set(["right"]));
    const dots = `[...document.querySelectorAll(".more svg")]
        .map((at) => at.getBoundingClientRect().left - at.closest(".tile").getBoundingClientRect().left)`;
    expect(Math.max(...(await begun.page.evaluate<readonly number[]>(dots)))).toBeLessThan(20);
    await begun.expectAccessible();
  });
});
