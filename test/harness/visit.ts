/** A person's visit to the page of a device: what the browser asked for, said, and refused meanwhile. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, CDPSession, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { patience } from "./patience.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What a page has seen, kept in the page itself. */
interface Seen {
  /** Directives of the policy that something was against. */
  readonly violations: string[];
  /** Tasks of more than 50 ms, in ms. */
  readonly longTasks: number[];
  /** When the first tile or plain text was shown, in ms since the page was asked for, and how many tiles there were. */
  first: { readonly time: number; readonly cards: number } | undefined;
}

/** How the browser is. */
export interface VisitOptions {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
  /** `https` by a certificate that nobody has signed. */
  readonly scheme?: "http" | "https";
  /** How many times slower than this machine it is. */
  readonly slowness?: number;
  /** The language of the browser, if not British English. */
  readonly locale?: string;
  /** Whether `pass` can make its clock go forward. */
  readonly hasClock?: boolean;
  /** The codings that it accepts, if not those of every browser. */
  readonly codings?: string;
}

/** Called in the page once the first tile is shown. */
const firstShown = "tellFirstShown";

/** Where the page says what it has seen; it bubbles up to its window. */
declare const addEventListener: (type: string, listener: (event: unknown) => void) => void;
declare const requestAnimationFrame: (draw: (time: number) => void) => void;
declare const document: { querySelectorAll(selector: string): { readonly length: number } };
declare const MutationObserver: new (
  take: (changes: unknown, observer: { disconnect(): void }) => void,
) => { observe(at: unknown, options: object): void };

/** Runs before any script of the page. */
function watch(): void {
  const seen: Seen = { violations: [], longTasks: [], first: undefined };
  Object.assign(globalThis, { seen });
  addEventListener("securitypolicyviolation", (event) => {
    const { violatedDirective, blockedURI } = event as { violatedDirective: string; blockedURI: string };
    seen.violations.push(`${violatedDirective} ${blockedURI}`);
  });
  const { PerformanceObserver } = globalThis as unknown as {
    PerformanceObserver: new (
      take: (list: { getEntries(): { duration: number }[] }) => void,
    ) => {
      observe(options: { type: string }): void;
    };
  };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
  }).observe({ type: "longtask" });
  // Each frame that a test waits for takes time of the page, so this one waits for the document to change.
  new MutationObserver((_, observer) => {
    const cards = document.querySelectorAll(".tile").length;
    // The page for a client without gzip is one paragraph.
    if (cards === 0 && document.querySelectorAll("body > p").length === 0) return;
    observer.disconnect();
    // Before the next frame, this one has been shown.
    requestAnimationFrame(() =>
      requestAnimationFrame((time) => {
        seen.first = { time, cards };
        (globalThis as { tellFirstShown?: (nothing: string) => void }).tellFirstShown?.("");
      }),
    );
  }).observe(document, { childList: true, subtree: true });
}

/** By browser, the pages that no test uses now. To make a new one takes most of a visit's time. */
const idlePages = new WeakMap<Browser, Page[]>();

async function newPage(browser: Browser, { hasClock, codings, locale = "en-GB" }: VisitOptions): Promise<Page> {
  const context = await browser.newContext({
    locale,
    ignoreHTTPSErrors: true,
    ...(codings === undefined ? {} : { extraHTTPHeaders: { "Accept-Encoding": codings } }),
  });
  context.setDefaultTimeout(patience);
  if (hasClock) await context.clock.install();
  const page = await context.newPage();
  await page.addInitScript(watch);
  return page;
}

/** Leaves a page, which keeps nothing of the visit, to the next one. */
async function leave(browser: Browser, page: Page): Promise<void> {
  await page.unrouteAll();
  for (const event of ["console", "pageerror", "request"] as const) page.removeAllListeners(event);
  await page.evaluate("localStorage.clear(); sessionStorage.clear();");
  await page.goto("about:blank");
  idlePages.set(browser, [...(idlePages.get(browser) ?? []), page]);
}

/** One page, in a context of its own. */
export class Visit {
  readonly page: Page;
  private readonly origin: string;
  private readonly said: string[] = [];
  private readonly asked: string[] = [];
  private session: CDPSession | undefined;
  /** Until the first tile is shown, the test leaves the page alone, because each answer takes time of the page. */
  private shown = Promise.resolve();

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
    page.on("console", (message) => this.said.push(message.text()));
    page.on("pageerror", (error) => this.said.push(`thrown: ${error.message}`));
    page.on("request", (request) => this.asked.push(request.url()));
  }

  /** Opens the page of a device. @param authority its host and port. */
  static async begin(browser: Browser, authority: string, options: VisitOptions = {}): Promise<Visit> {
    const { width = 1_024, colorScheme = "light", scheme = "http", slowness, hasClock, codings, locale } = options;
    const isUsual = slowness === undefined && !hasClock && codings === undefined && locale === undefined;
    const page = (isUsual ? idlePages.get(browser)?.pop() : undefined) ?? (await newPage(browser, options));
    onTestFinished(() => (isUsual ? leave(browser, page) : page.context().close()));
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const visit = new Visit(page, `${scheme}://${authority}`);
    if (slowness !== undefined) {
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowness });
      await session.send("Runtime.enable");
      await session.send("Runtime.addBinding", { name: firstShown });
      visit.shown = new Promise((resolve) => session.once("Runtime.bindingCalled", () => resolve()));
    }
    await page.goto(`${scheme}://${authority}/`);
    return visit;
  }

  /** Waits until the page says that it is live. */
  async live(): Promise<void> {
    await this.status("Live");
  }

  /** Waits for what the page says of its link. */
  async status(text: string | RegExp): Promise<void> {
    await this.page.getByRole("status").filter({ hasText: text }).waitFor();
  }

  /** Lets a time pass for the page, in ms, and not for the device. */
  async pass(time: number): Promise<void> {
    await this.page.clock.fastForward(time);
  }

  /** Sends a noun back to its default, as a person does, who is asked first because that moves something. */
  async reset(title: string): Promise<void> {
    const detail = await this.more(title);
    await detail.getByRole("button", { name: `Back to default: ${title}` }).click();
    await detail.getByRole("button", { name: "Yes, reset" }).click();
    await this.close();
  }

  /** @returns the tile of a noun, and not that of the simulated input that moves it. */
  tile(title: string): Locator {
    return this.page.getByRole("region", { name: title, exact: true });
  }

  /** Opens the detail of a noun. @returns its dialog. */
  async more(title: string): Promise<Locator> {
    await this.tile(title)
      .getByRole("button", { name: `More: ${title}`, exact: true })
      .click();
    return this.page.getByRole("dialog", { name: title });
  }

  /** Closes the detail that is open. */
  async close(): Promise<void> {
    await this.page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await this.page.getByRole("dialog").waitFor({ state: "detached" });
  }

  private seen(): Promise<Seen> {
    return this.page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  }

  /**
   * @returns when the first tile was shown, in ms since the page was asked for, and how many tiles there were; of a
   * visit with a `slowness`, before anything else has looked at the page.
   */
  async first(): Promise<{ readonly time: number; readonly cards: number }> {
    await this.shown;
    return (await this.seen()).first ?? { time: Number.NaN, cards: 0 };
  }

  /** @returns how long the processor has worked for the page since the first call, in ms. */
  async processorTime(): Promise<number> {
    this.session ??= await this.page.context().newCDPSession(this.page);
    await this.session.send("Performance.enable", { timeDomain: "threadTicks" });
    const { metrics } = await this.session.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
  }

  /** @returns the long tasks so far, in ms, and forgets them. */
  longTasks(): Promise<readonly number[]> {
    return this.page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.longTasks.splice(0));
  }

  /** Notes from now on what a screen reader reads aloud by itself. */
  async hearSpeech(): Promise<void> {
    await this.page.evaluate(`(() => {
      globalThis.speech = [];
      const hear = (changes) => { for (const { target } of changes) speech.push(target.textContent); };
      const all = { childList: true, characterData: true, subtree: true };
      for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]"))
        new MutationObserver(hear).observe(region, all);
    })()`);
  }

  /** @returns what it has read. */
  speech(): Promise<readonly string[]> {
    return this.page.evaluate<readonly string[]>("speech");
  }

  /** Expects nothing to be wrong by the rules of axe-core, in the state that the page is in now. */
  async expectAccessible(): Promise<void> {
    if (!(await this.page.evaluate<boolean>("'axe' in globalThis"))) await this.page.evaluate(axe);
    const violations = await this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
      };
      const found = await axe.run({ resultTypes: ["violations"] });
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
    });
    expect(violations).toEqual([]);
  }

  /** Expects that no other host got a request, and that the console shows nothing but failed requests. */
  async expectQuiet(): Promise<void> {
    const elsewhere = this.asked.filter((url) => !url.startsWith(`${this.origin}/`) && !url.startsWith("data:"));
    expect(elsewhere).toEqual([]);
    expect(this.asked.filter((url) => /favicon/.test(url))).toEqual([]);
    expect(this.said.filter((text) => !text.startsWith("Failed to load resource: "))).toEqual([]);
    expect((await this.seen()).violations).toEqual([]);
  }

  /** All addresses that were asked for. */
  get addresses(): readonly string[] {
    return this.asked;
  }
}
