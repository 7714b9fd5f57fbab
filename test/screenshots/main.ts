/**
 * Takes the pictures of the page that the documentation shows, of real runs in Debian's Chromium: a house of sixteen
 * nouns at three widths, light and dark, and a device whose words try to break the page.
 *
 *     npm run screenshots
 */
import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { freeAddress } from "../harness/address.ts";
import { evilWords, hostileHouse } from "../harness/hostile-house.ts";
import { house } from "../harness/house.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";

const pictures = [
  { name: "page", width: 1_280, height: 800 },
  { name: "page-tablet", width: 768, height: 1_024 },
  { name: "page-phone", width: 360, height: 740 },
] as const;

const schemes = ["light", "dark"] as const;

/** Bytes that a picture may have, in a repository that many clone. */
const mostBytes = 150_000;

/** What three nouns have measured in the last day, by their names: from the lowest to the highest, in waves of so many h. */
const measured: readonly (readonly [noun: string, key: string, lowest: number, highest: number, hours: number])[] = [
  ["boiler", "celsius", 41, 52, 5],
  ["cellar", "celsius", 21, 26, 24],
  ["battery", "volts", 1.61, 1.66, 0.02],
];

/** @returns the history of a noun, as a device has it after a day. */
function dayOf(key: string, lowest: number, highest: number, hours: number): string {
  const now = Date.now();
  const lines = Array.from({ length: 288 }, (_, index) => {
    const time = now - (288 - index) * 300_000;
    const wave = Math.sin((time / 3_600_000 / hours) * 2 * Math.PI);
    const value = lowest + ((wave + 1) / 2) * (highest - lowest);
    return `${new Date(time).toISOString()},${value},${value},${value}`;
  });
  return `time,${key},${key}.lowest,${key}.highest\r\n${lines.join("\r\n")}\r\n`;
}

/** A day does not pass while pictures are taken, so the page gets one that has passed. */
async function passDay(page: Page): Promise<void> {
  for (const [noun, key, lowest, highest, hours] of measured) {
    await page.route(`**/${noun}`, async (route) => {
      const isHistory = route.request().headers()["accept"]?.includes("csv") === true;
      if (isHistory) await route.fulfill({ contentType: "text/csv", body: dayOf(key, lowest, highest, hours) });
      else await route.continue();
    });
  }
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});

async function start(configuration: object): Promise<{ readonly nound: NoundProcess; readonly address: string }> {
  const listen = await freeAddress();
  const file = configurationFile(JSON.stringify({ ...configuration, listen }));
  const nound = new NoundProcess(["--simulate", "--config", file], listen);
  await nound.listening();
  return { nound, address: listen };
}

async function open(address: string, width: number, height: number, colorScheme: "light" | "dark") {
  const page = await browser.newPage({ colorScheme, viewport: { width, height }, locale: "en-GB" });
  await passDay(page);
  await page.goto(`http://${address}/`);
  await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
  return page;
}

function check(path: string): void {
  const { size } = statSync(path);
  console.log(`${path}: ${size} bytes`);
  if (size > mostBytes) throw new Error(`${path} has ${size} bytes, and may have ${mostBytes}.`);
}

async function takeHouse(): Promise<void> {
  const { nound, address } = await start(house);
  async function put(noun: string, state: object): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    await fetch(`http://${address}/${noun}`, { method: "PUT", headers, body: JSON.stringify(state) });
  }
  const all = pictures.flatMap((picture) => schemes.map((scheme) => ({ ...picture, scheme })));
  const pages = await Promise.all(all.map(({ width, height, scheme }) => open(address, width, height, scheme)));
  await put("lamp", { lamp: 1 });
  await put("simulated.window", { window: 1 });
  await put("simulated.boiler", { celsius: 48.5 });
  await put("pump", { pump: 1 });
  await delay(1_500);
  for (const [index, { name, scheme }] of all.entries()) {
    const path = `docs/${name}-${scheme}.png`;
    // On a real device there are none.
    await pages[index]?.locator("summary", { hasText: "Simulated inputs" }).click();
    await pages[index]?.locator(".tile").nth(16).waitFor({ state: "detached" });
    await pages[index]?.screenshot({ path, fullPage: true });
    check(path);
  }
  await nound.stop();
}

/** One noun in each state, as the legend of the page shows them. */
async function takeStates(): Promise<void> {
  const level = { kind: "gpio-output", chip: "gpiochip0", key: "on" } as const;
  const sensor = { kind: "sensor", device: "28-0316a2796ee1" } as const;
  const nouns = {
    porch: { ...level, offset: 1, title: "Porch light" },
    pump: { ...level, offset: 2 },
    heater: { ...level, offset: 3, guard: { pump: { on: 1 } } },
    door: { kind: "gpio-input", chip: "gpiochip0", offset: 4, key: "open", deviceClass: "door", title: "Front door" },
    cellar: sensor,
    attic: { ...sensor, device: "28-0316a2796ee2" },
    backup: { kind: "sensor", device: "BAT0" },
    siren: { ...level, offset: 5 },
  };
  const { nound, address } = await start({ title: "States", nouns, log: "errors" });
  const put = (noun: string, state: object) =>
    fetch(`http://${address}/${noun}`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(state),
    });
  await put("porch", { on: 1 });
  await put("simulated.attic", { celsius: null });
  await put("simulated.backup", { percent: null, volts: null, status: null });
  for (const scheme of schemes) {
    const page = await open(address, 768, 420, scheme);
    await page.locator("summary", { hasText: "Simulated inputs" }).click();
    await page.getByText("has no thermometer").first().waitFor();
    // Its change gets no answer.
    await page.route("**/siren", () => {});
    await page.getByRole("switch", { name: "Siren" }).click();
    await page.getByText("Sending").waitFor();
    const path = `docs/page-states-${scheme}.png`;
    await page.locator("main .tiles").last().screenshot({ path });
    check(path);
    await page.close();
  }
  await nound.stop();
}

async function takeHostile(): Promise<void> {
  const { nound, address } = await start(hostileHouse);
  const page = await open(address, 768, 700, "light");
  if ((await page.title()) !== evilWords[0]) throw new Error("The title was not taken as text.");
  await page.screenshot({ path: "docs/dev/page-hostile.png" });
  check("docs/dev/page-hostile.png");
  await nound.stop();
}

try {
  await takeHouse();
  await takeStates();
  await takeHostile();
} finally {
  await browser.close();
}
