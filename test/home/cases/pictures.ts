/**
 * Home Assistant's page of the device that the docs describe, in Debian's Chromium. The picture is in
 * build/home-result.png, and with `--document` in the docs.
 */
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { top } from "../../harness/top.ts";
import { type HomeCase, must } from "../case.ts";
import { type Home, until } from "../home.ts";

/** Bytes that a picture may have, in a repository that many clone. */
const mostBytes = 150_000;

/** @returns what the docs tell people to write. */
function described(): { readonly title: string; readonly nouns: Readonly<Record<string, object>> } {
  const text = readFileSync(join(top, "docs/home-assistant.md"), "utf8");
  const { title, nouns } = JSON.parse(/<<'END'\n([\s\S]*?)\nEND\n/.exec(text)?.[1] ?? "") as ReturnType<
    typeof described
  >;
  return { title, nouns };
}

/** Opens a page of Home Assistant as its user. */
async function open(home: Home, path: string, take: (page: Page) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({ viewport: { width: 640, height: 780 }, locale: "en-GB" });
    await page.addInitScript((tokens) => localStorage.setItem("hassTokens", tokens), home.tokens);
    await page.goto(home.url + path);
    await take(page);
  } finally {
    await browser.close();
  }
}

export const pictures: readonly HomeCase[] = [
  {
    name: "the page of the docs' device",
    isForNewest: true,
    async run(house) {
      const { home } = house;
      const device = await house.device(described());
      const lamp = await device.entity("lamp/on");
      await home.shows(lamp, "off");
      // They stand for the hardware, which has none.
      for (const { entity_id: id, unique_id: unique } of await home.entities(device.id)) {
        if (unique.includes("/simulated."))
          await home.ask("config/entity_registry/update", { entity_id: id, disabled_by: "user" });
      }
      await device.ask("simulated.cellar", { celsius: 20.5 });
      await device.press("bell");
      await home.call("switch.turn_on", lamp);
      await home.shows(lamp, "on");
      const cellar = await device.entity("cellar/celsius");
      await until(`${cellar} is 20.5`, () => home.state(cellar) === "20.5");
      const known = (await home.entities(device.id))[0]?.device_id;
      const picture = join(top, "build/home-result.png");
      await open(home, `/config/devices/device/${known}`, async (page) => {
        for (const text of ["Hall", "Lamp", "Bell event", "Cellar", "20.5 °C"])
          await page.getByText(text).first().waitFor();
        await page.screenshot({ path: picture });
      });
      const { size } = statSync(picture);
      must(size <= mostBytes, `the picture has ${size} bytes, and may have ${mostBytes}`);
      if (house.isDocumenting) copyFileSync(picture, join(top, "docs/home-result.png"));
      return `${size} bytes`;
    },
  },
];
