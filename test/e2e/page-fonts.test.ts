/**
 * How the page looks in Debian's Chromium and Firefox with three fonts of the system, at four sizes, light and dark, in
 * English and German: the pictures are in build/pictures, and what can be wrong with them is looked for. By
 * `npm run test:page`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { isLong } from "../harness/environment.ts";
import { type Font, fontConfiguration, fontPackages, installFonts } from "../harness/fonts.ts";
import { layoutFaults } from "../harness/layout.ts";
import { patience } from "../harness/patience.ts";
import { forAllTests } from "../harness/served.ts";
import { pictures, screens, showMuch, startWideHouse } from "../harness/wide-house.ts";

const details = ["target", "hall", "boiler", "grid", "ribbon", "dawn"];
const schemes = ["light", "dark"] as const;

interface Look {
  readonly font: Font;
  readonly language: "en" | "de";
  readonly scheme: "light" | "dark";
}

const looks = (Object.keys(fontPackages) as Font[]).flatMap((font) =>
  (["en", "de"] as const).flatMap((language) => schemes.map((scheme): Look => ({ font, language, scheme }))),
);

/** Starts a browser, which the test ends. */
async function launch(name: "chrome" | "firefox", executablePath: string, look: Look): Promise<Browser> {
  const { font, language, scheme } = look;
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await puppeteer.launch({
    browser: name,
    executablePath,
    args: name === "chrome" ? [...sandbox, `--lang=${language}`, `--accept-lang=${language}`] : [],
    extraPrefsFirefox: {
      "intl.accept_languages": language,
      "layout.css.prefers-color-scheme.content-override": scheme === "dark" ? 0 : 1,
      "ui.useOverlayScrollbars": 1,
    },
    env: { ...process.env, LANGUAGE: language, FONTCONFIG_FILE: fontConfiguration(font) },
    defaultViewport: null,
    timeout: patience,
    protocolTimeout: patience,
  });
  onTestFinished(() => browser.close());
  return browser;
}

/** @returns the widths of a text in the page's own font, and in that font by its name. */
function widths(font: Font): string {
  return `(() => ["inherit", '"${font}"'].map((fontFamily) => {
    const text = document.body.appendChild(document.createElement("span"));
    Object.assign(text.style, { fontFamily, position: "absolute" });
    text.textContent = "Außensteckdose, Wohnzimmer";
    const { width } = text.getBoundingClientRect();
    text.remove();
    return Math.round(width);
  }))()`;
}

/** Some frames, in which the page follows what has changed. */
const settle = "new Promise((resolve) => setTimeout(resolve, 300))";

/** @returns the faults of the page and of some details, at one size. */
async function faultsAt(page: Page, [width, height]: readonly [number, number], name: string): Promise<string[]> {
  await page.setViewport({ width, height });
  await page.evaluate(settle);
  const found = [...((await page.evaluate(layoutFaults)) as string[])];
  await page.setViewport({ width, height: (await page.evaluate("document.documentElement.scrollHeight")) as number });
  await page.evaluate(settle);
  await page.screenshot({ path: `${pictures}/${name}-${width}.png` });
  await page.setViewport({ width, height });
  for (const noun of details) {
    await page.evaluate(`location.hash = "${noun}"`);
    await page.waitForSelector("dialog");
    await page.evaluate(settle);
    found.push(...((await page.evaluate(layoutFaults)) as string[]).map((fault) => `${noun}: ${fault}`));
    if (noun === "boiler") await page.screenshot({ path: `${pictures}/${name}-${width}-${noun}.png` });
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { hidden: true });
  }
  return found.map((fault) => `${width}: ${fault}`);
}

const browsers = [
  ["chrome", "/usr/bin/chromium"],
  ["firefox", "/usr/bin/firefox"],
] as const;

describe
  .runIf(isLong)
  .each(
    browsers.map(([name, path]) => [name, existsSync(path) ? "" : ` (skipped: there is no ${path})`, path] as const),
  )("%s%s", (browserName, skipped, path) => {
  beforeAll(() => {
    mkdirSync(pictures, { recursive: true });
    installFonts();
  });
  const nound = forAllTests(() => startWideHouse());

  test.skipIf(skipped !== "").each(looks)(
    "in $font, in $language, $scheme, nothing is cut and nothing lies on anything",
    async (look) => {
      const { address } = nound();
      await showMuch(address);
      const { font, language, scheme } = look;
      const page = await (await launch(browserName, path, look)).newPage();
      page.setDefaultTimeout(patience);
      if (browserName === "chrome") await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.goto(`http://${address}/`);
      await page.waitForSelector(".status.live");
      await page.waitForSelector(".tile.failing");
      expect(await page.evaluate("document.documentElement.lang")).toBe(language);
      expect(await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(scheme === "dark");
      // A system without the font would have another for both.
      expect(spawnSync("fc-match", [`${font}:lang=en`, "family"], { encoding: "utf8" }).stdout).toContain(font);
      const [own, named] = (await page.evaluate(widths(font))) as [number, number];
      expect(own).toBe(named);
      const found: string[] = [];
      const name = [browserName, font.replaceAll(" ", "-"), language, scheme].join("-");
      for (const size of screens) found.push(...(await faultsAt(page, size, name)));
      expect(found).toEqual([]);
    },
  );
});
