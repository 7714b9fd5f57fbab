/** Debian's Chromium without a window, driven by playwright-core; and a page in it that has an origin of its own. */

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { onBuildServer } from "./environment.ts";
import { patience } from "./patience.ts";

const path = "/usr/bin/chromium";

/** Why tests with the browser are skipped, or undefined when it is there, or has to be. */
export const noChromium: string | undefined =
  existsSync(path) || onBuildServer ? undefined : ` (skipped: there is no ${path})`;

/** A name that means 127.0.0.1 in a browser of these tests. */
export const localName = "hall.example";

/** Starts the browser, which the caller ends. */
export function startChromium(): Promise<Browser> {
  // As root it has no sandbox; it only visits pages of these tests.
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const names = `--host-resolver-rules=MAP ${localName} 127.0.0.1`;
  return chromium.launch({ executablePath: path, args: [...sandbox, names], timeout: patience });
}

/** @returns a page in a context of its own, which waits as long as a test does. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(patience);
  return page;
}

/** Starts the browser, which the test ends. */
async function launch(): Promise<Browser> {
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  return browser;
}

/**
 * An empty page in a browser of the test's own.
 * @returns the page and its origin, which a server must list to be spoken to.
 */
export async function emptyPage(): Promise<{ readonly page: Page; readonly origin: string }> {
  const server = createServer((_, answer) => {
    answer.setHeader("Content-Type", "text/html");
    answer.end("<!doctype html><title>panel</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await newPage(await launch());
  await page.goto(origin);
  return { page, origin };
}
