/** The first token of a device, after a press of its button, which is a line of a tree of files. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import de from "../../ts/page/words/de.json" with { type: "json" };
import en from "../../ts/page/words/en.json" with { type: "json" };
import es from "../../ts/page/words/es.json" with { type: "json" };
import fr from "../../ts/page/words/fr.json" with { type: "json" };
import zh from "../../ts/page/words/zh.json" with { type: "json" };
import { freeAddress } from "../harness/address.ts";
import { newPage, noChromium, startChromium } from "../harness/chromium.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, runNound, temporaryPath } from "../harness/nound-process.ts";
import { noSysfsTree, SysfsTree } from "../harness/sysfs-tree.ts";

const title = noSysfsTree === undefined ? "" : ` (skipped: ${noSysfsTree})`;

interface Device {
  readonly nound: NoundProcess;
  readonly tokens: string;
  readonly config: string;
  /** Presses the button, and lets it go once it was seen. */
  press(): Promise<void>;
}

async function device(): Promise<Device> {
  const sys = new SysfsTree();
  const file = "/sys/class/gpio/wps/value";
  const set = (level: 0 | 1) => sys.put(file, `${level}\n`);
  const isRead = () => {
    const { atimeMs, mtimeMs } = statSync(sys.outside(file));
    return atimeMs > mtimeMs;
  };
  set(0);
  sys.put("/sys/class/gpio/wps/active_low", "0\n");
  const stateDirectory = temporaryPath("states");
  const tokens = join(stateDirectory, "tokens");
  const listen = await freeAddress();
  const button = { kind: "gpio-input", line: "wps", key: "pressed", title: "WPS", poll: 10, pairs: true };
  const lamp = { kind: "switch", key: "lamp" };
  const config = configurationFile(
    JSON.stringify({ listen, log: "errors", stateDirectory, access: { tokens }, nouns: { button, lamp } }),
  );
  const nound = new NoundProcess(["--config", config], listen, { wrapper: sys.wrapper });
  onTestFinished(() => nound.kill());
  await nound.listening();
  const press = async () => {
    // What is down when a client first asks is no press, so the button must be read as up once.
    set(0);
    await eventually("the button is read", isRead);
    set(1);
    await eventually("the token is written", () => existsSync(tokens) || undefined);
    set(0);
  };
  return { nound, tokens, config, press };
}

/** With its first token, a device ends the connections of clients that had none. */
const closing = { Connection: "close" };

interface Said {
  readonly status: number;
  readonly press?: string;
  readonly token?: string;
}

async function ask({ nound }: Device, secret: string): Promise<Said> {
  const headers = { "Content-Type": "application/json", ...closing };
  const body = JSON.stringify({ for: secret });
  const response = await fetch(`http://${nound.address}/page/pairing`, { method: "POST", headers, body });
  const { press, token } = (await response.json()) as { press?: string; token?: string };
  return { status: response.status, ...(press !== undefined && { press }), ...(token !== undefined && { token }) };
}

async function statusOfLamp({ nound }: Device, token: string): Promise<number> {
  return (await fetch(`http://${nound.address}/lamp`, { headers: { Authorization: `Bearer ${token}`, ...closing } }))
    .status;
}

test.skipIf(noSysfsTree !== undefined)(
  `a press gets one client a token; the device stores its hash, and it is valid after a reload${title}`,
  async () => {
    const one = await device();
    for (let count = 0; count < 100; count++) expect(await ask(one, "mine")).toEqual({ status: 200, press: "WPS" });
    expect(existsSync(one.tokens)).toBe(false);
    const pressing = one.press();
    const token = await eventually("the client has a token", async () => (await ask(one, "mine")).token);
    expect(existsSync(one.tokens)).toBe(false);
    expect(await ask(one, token)).toEqual({ status: 200, token });
    await pressing;
    const hash = createHash("sha256").update(token).digest("hex");
    expect(readFileSync(one.tokens, "utf8")).toBe(`paired GET,PUT,POST,DELETE * ${hash}\n`);
    expect(statSync(one.tokens).mode & 0o777).toBe(0o600);
    expect(await statusOfLamp(one, token)).toBe(200);
    expect((await ask(one, "mine")).status).toBe(401);

    expect(await runNound("--reload", `${one.nound.keeper}`)).toMatchObject({ status: 0, stderr: "" });
    expect(await statusOfLamp(one, token)).toBe(200);
    expect((await ask(one, "mine")).status).toBe(401);

    const { status, stderr } = await one.nound.stop();
    expect(status).toBe(0);
    expect(stderr).toContain("pairing: 127.0.0.1 has got the token paired, after a press of button");
    expect(stderr).not.toContain(token);
    expect(stderr).not.toContain(hash);
    const { stdout } = await runNound("--evidence", "--config", one.config);
    expect(stdout).toContain("the token paired: GET, PUT, POST, DELETE of all nouns");
    // The token file stays until it is asked to go, too.
    await runNound("--forget", "--config", one.config);
    expect(existsSync(one.tokens)).toBe(true);
    expect((await runNound("--forget", "all", "--config", one.config)).stdout).toContain(`deleted: ${one.tokens}`);
    expect((await runNound("--evidence", "--config", one.config)).stdout).toContain("who presses button, once");
  },
);

describe.skipIf(noSysfsTree !== undefined || noChromium !== undefined)(`in Chromium${noChromium ?? title}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  async function begin(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await newPage(browser, options);
    onTestFinished(() => page.close());
    return page;
  }

  async function open({ nound }: Device, locale: string) {
    const page = await begin({ locale });
    await page.goto(`http://${nound.address}/`);
    return page;
  }

  /** Opens the page in one language after the other; for the device it stays the same client. @returns the last one. */
  async function openInAll({ nound }: Device, all: readonly (readonly [string, typeof en])[]) {
    const page = await begin();
    for (const [locale, words] of all) {
      await page.addInitScript((language) => {
        Object.defineProperty(navigator, "languages", { configurable: true, get: () => [language] });
        crypto.getRandomValues = (values) => values;
      }, locale);
      await page.goto(`http://${nound.address}/`);
      await page.getByText(words.pairPress.replace("{0}", "WPS"), { exact: true }).waitFor();
    }
    return page;
  }

  test("the page that asks first says what to press and gets the token, and every other one says to wait", async () => {
    const one = await device();
    const page = await openInAll(one, Object.entries({ en, es, fr, zh, de }));
    for (const [locale, words] of Object.entries({ en, es, fr, zh })) {
      const other = await open(one, locale);
      await other.getByText(words.pairBusy).waitFor();
    }
    await one.press();
    await page.getByText(de.pairToken).waitFor();
    const token = await page.getByLabel(de.token, { exact: true }).inputValue();
    expect(await statusOfLamp(one, token)).toBe(200);
    await page.getByRole("button", { name: de.open, exact: true }).click();
    await page.getByRole("switch").waitFor();
  });
});
