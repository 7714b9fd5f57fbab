/**
 * How long a browser takes to the first tile of the page, as on a phone, four times slower than this machine. The
 * machine and its browser cancel out of the ratio to one line of text from the same server, asked in turn.
 */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import type { Progress } from "./measurement.ts";
import { switches } from "./nouns.ts";
import { RunningServer } from "./running-server.ts";
import type { Server } from "./servers.ts";
import { median, medianRatio } from "./statistics.ts";
import { markdownTable } from "./table.ts";

const path = "/usr/bin/chromium";

/** Whether there is a browser to measure with. */
export const hasBrowser = existsSync(path);

const rounds = 9;
/** How many times slower than this machine a phone is. */
const slowness = 4;
const phone = { width: 360, height: 740 };

/** In the page, ends with the ms from the request to the frame that shows what the selector names. */
const shown = (selector: string) => `new Promise((tell) => {
  const look = () => document.querySelector(${JSON.stringify(selector)})
    ? requestAnimationFrame(() => requestAnimationFrame((time) => tell(time)))
    : requestAnimationFrame(look);
  look();
})`;

/** @param codings that the browser accepts; the page for one without gzip is a paragraph. */
async function firstOf(browser: Browser, port: number, selector: string, codings?: string): Promise<number> {
  const extraHTTPHeaders = codings === undefined ? {} : { "Accept-Encoding": codings };
  const context = await browser.newContext({ viewport: phone, extraHTTPHeaders });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slowness });
    await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: "commit" });
    return await page.evaluate<number>(shown(selector));
  } finally {
    await context.close();
  }
}

/** @returns the table: ms to the first of fifty tiles and to a line of text, and their ratio, round by round. */
export async function measureFirstTile(server: Server, scratch: string, progress: Progress): Promise<string> {
  const setting = { name: "page", nouns: switches(50), idleConnections: 0, tokens: false };
  const running = await RunningServer.start(server, setting, scratch);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: path, args });
  try {
    const tiles: number[] = [];
    const lines: number[] = [];
    for (let round = 0; round < rounds; round++) {
      progress(`the first tile, ${round + 1} of ${rounds}`);
      lines.push(await firstOf(browser, running.port, "body > p", "identity"));
      tiles.push(await firstOf(browser, running.port, ".tile"));
    }
    const cells = [median(tiles).toFixed(0), median(lines).toFixed(0), medianRatio(tiles, lines).toFixed(2)];
    return markdownTable(
      ["a phone, fifty nouns", "ms to the first tile", "ms to a line", "ratio"],
      [["page", ...cells]],
    );
  } finally {
    await browser.close();
    await running.stop();
  }
}
