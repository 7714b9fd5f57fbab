/**
 * Takes the pictures of the page that docs/page.md and the README show, of a real run: the relay board of examples/,
 * simulated, in Debian's Chromium.
 *
 *     npm run screenshots
 */
import { readFileSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { chromium } from "playwright-core";
import { freeAddress } from "../harness/address.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";

const pictures = [
  { name: "page-light", colorScheme: "light", width: 1_200, height: 870 },
  { name: "page-dark", colorScheme: "dark", width: 1_200, height: 870 },
  { name: "page-phone-light", colorScheme: "light", width: 390, height: 844 },
  { name: "page-phone-dark", colorScheme: "dark", width: 390, height: 844 },
] as const;

/** Bytes that a picture may have, in a repository that many clone. */
const mostBytes = 100_000;

/** What the converter reads at the battery, one every 2 s, so that its line has a shape. */
const readings = [2_950, 2_940, 2_900, 2_910, 2_820, 2_700, 2_730, 2_800, 2_860, 2_930];

const { stateDirectory: _, ...board } = JSON.parse(readFileSync("examples/relay-board/nound.json", "utf8"));
const address = await freeAddress();
const lamp = { ...board.nouns.lamp, boot: "default" };
const configuration = { ...board, title: "Garden house", listen: address, nouns: { ...board.nouns, lamp } };
const nound = new NoundProcess(["--simulate", "--config", configurationFile(JSON.stringify(configuration))], address);
await nound.listening();

async function put(noun: string, state: object): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  await fetch(`http://${address}/${noun}`, { method: "PUT", headers, body: JSON.stringify(state) });
}

const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  const pages = await Promise.all(
    pictures.map(async ({ colorScheme, width, height }) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height }, locale: "en-GB" });
      await page.goto(`http://${address}/`);
      await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
      return page;
    }),
  );
  await put("lamp", { lamp: 1 });
  await put("mode", { mode: "auto" });
  await put("note", { text: "Water the tomatoes" });
  await put("simulated.button", { pressed: 1 });
  for (const raw of readings) {
    await put("simulated.battery", { raw });
    await delay(2_100);
  }
  for (const [index, { name }] of pictures.entries()) {
    const path = `docs/${name}.png`;
    await pages[index]?.screenshot({ path });
    const { size } = statSync(path);
    console.log(`${path}: ${size} bytes`);
    if (size > mostBytes) throw new Error(`${path} has ${size} bytes, and may have ${mostBytes}.`);
  }
} finally {
  await browser.close();
  await nound.stop();
}
