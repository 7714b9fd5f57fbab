/**
 * What a person enters on the page while the device tells, removes and answers things: it is sent as it was meant, or
 * not at all.
 */
import { connect, createServer, type Socket } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { noChromium, startChromium } from "../harness/chromium.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { type NoundProcess, startConfigured } from "../harness/nound-process.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { Visit } from "../harness/visit.ts";

const level = { level: { type: "integer", minimum: 0, maximum: 100 } } as const;
const nouns = {
  fan: { kind: "value", default: { level: 30 }, shape: level },
  note: { kind: "value", default: { text: "a" }, shape: { text: { type: "string" } } },
  lamp: { kind: "switch", key: "lamp" },
};

async function start(rest: object = { nouns }, listen?: string): Promise<NoundProcess> {
  const address = listen ?? (await freeAddress());
  return await startConfigured({ listen: address, ...rest }, address);
}

async function put(address: string, noun: string, state: object): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const { status } = await fetch(`http://${address}/${noun}`, { method: "PUT", headers, body: JSON.stringify(state) });
  expect(status).toBe(200);
}

/** Between the page and the device, for events that a device with these nouns does not send. */
class Relay {
  private readonly streams = new Set<Socket>();
  private readonly server;

  private constructor(device: string) {
    const [host, port] = device.split(":");
    this.server = createServer((page) => {
      const upstream = connect(Number(port), host);
      page.on("data", (bytes) => {
        if (bytes.includes("Accept: text/event-stream")) this.streams.add(page);
      });
      page.pipe(upstream).pipe(page);
      for (const [one, other] of [
        [page, upstream],
        [upstream, page],
      ] as const) {
        one.on("error", () => undefined);
        one.on("close", () => other.destroy());
      }
      page.on("close", () => this.streams.delete(page));
      onTestFinished(() => void page.destroy());
    });
    onTestFinished(() => void this.server.close());
  }

  /** @returns a relay, and its address. */
  static async start(device: string): Promise<readonly [Relay, string]> {
    const address = await freeAddress();
    const relay = new Relay(device);
    await new Promise<void>((resolve) => relay.server.listen(Number(address.split(":")[1]), "127.0.0.1", resolve));
    return [relay, address];
  }

  tell(states: object): void {
    for (const stream of this.streams) stream.write(`data: ${JSON.stringify(states)}\n\n`);
  }
}

/** Draws as late as a busy computer. */
async function drawLate(page: Page): Promise<void> {
  await page.evaluate("requestAnimationFrame = (draw) => setTimeout(draw, 300)");
}

describe.skipIf(noChromium !== undefined)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  /** Opens the page. @returns the visit, and the changes that the page sends. */
  async function visit(address: string) {
    const begun = await Visit.begin(browser, address);
    await begun.live();
    const changes: string[] = [];
    begun.page.on("request", (request) => {
      const path = new URL(request.url()).pathname;
      if (request.method() !== "GET") changes.push(`${request.method()} ${path} ${request.postData() ?? ""}`.trim());
    });
    return { begun, page: begun.page, changes };
  }

  test("a slider that is moved away and back ends where it was let go, on the device, too", async () => {
    const { address } = forThisTest(await start());
    const { begun, page, changes } = await visit(address);
    const events = new EventClient(address, "/fan");
    const box = await page.getByRole("slider").boundingBox();
    if (box === null) throw new Error("The slider is not shown.");
    const to = (value: number) =>
      page.mouse.move(box.x + 8 + ((box.width - 16) * value) / 100, box.y + box.height / 2, { steps: 3 });
    await to(30);
    await page.mouse.down();
    await to(60);
    await eventually("a value on the way has arrived", () => (events.last?.["level"] ?? 30) !== 30);
    await to(30);
    await page.mouse.up();
    await eventually("30 was sent last", () => changes.at(-1) === 'PUT /fan {"level":30}');
    await events.says({ level: 30 });
    await put(address, "fan", { level: 80 });
    await eventually(
      "the slider shows others' changes",
      async () => (await page.getByRole("slider").inputValue()) === "80",
    );
    await begun.expectQuiet();
  });

  test("a text that is being typed stays while others change the noun, and while it fails", async () => {
    const device = forThisTest(await start());
    const [relay, address] = await Relay.start(device.address);
    const { begun, page, changes } = await visit(address);
    const field = page.getByRole("textbox");
    await field.click();
    await page.keyboard.press("End");
    await page.keyboard.type("b");
    await put(device.address, "note", { text: "other" });
    await put(device.address, "fan", { level: 1 });
    await eventually("the change shows", async () => (await page.getByRole("slider").inputValue()) === "1");
    relay.tell({ note: null });
    await page.getByText("An error, or no answer in time.").waitFor();
    await page.keyboard.type("c");
    relay.tell({ note: { text: "other" } });
    await page.getByText("An error, or no answer in time.").waitFor({ state: "detached" });
    await page.keyboard.type("d");
    expect(changes).toEqual([]);
    await page.keyboard.press("Enter");
    await new EventClient(device.address, "/note").says({ text: "abcd" });
    expect(changes).toEqual(['PUT /note {"text":"abcd"}']);
    await begun.expectQuiet();
  });

  test("a switch whose noun fails is neither on nor off", async () => {
    const device = forThisTest(await start());
    const [relay, address] = await Relay.start(device.address);
    const { begun, page } = await visit(address);
    relay.tell({ lamp: null });
    await page.getByText("An error, or no answer in time.").waitFor();
    await page.locator(".hit:indeterminate").waitFor();
    await begun.expectAccessible();
    await page.getByRole("switch").click();
    await new EventClient(device.address, "/lamp").says({ lamp: 1 });
    await page.locator(".hit:checked:not(:indeterminate)").waitFor();
    await begun.expectQuiet();
  });

  test("a person who is faster than the page draws loses nothing", async () => {
    const { address } = forThisTest(await start());
    const { begun, page } = await visit(address);
    await drawLate(page);
    await page.getByRole("textbox").click();
    await page.keyboard.press("End");
    for (const key of ["b", "Enter", "c", "d", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("slider").focus();
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await page.getByRole("spinbutton").focus();
    await page.keyboard.press("End");
    for (const key of ["Backspace", "5", "Enter", "Backspace", "6", "Enter"]) await page.keyboard.press(key);
    await new EventClient(address, "/note").says({ text: "abcd" });
    await new EventClient(address, "/fan").says({ level: 36 });
    await eventually("it is shown", async () => (await page.getByRole("slider").inputValue()) === "36");
    expect(await page.getByRole("textbox").inputValue()).toBe("abcd");
    await put(address, "note", { text: "other" });
    await eventually("others' text shows", async () => (await page.getByRole("textbox").inputValue()) === "other");
    await begun.expectQuiet();
  });

  test("a half typed text of a noun that is removed is not sent", async () => {
    const first = endedByThisTest(await start());
    const { begun, page, changes } = await visit(first.address);
    await page.getByRole("textbox").click();
    await page.keyboard.type("half");
    first.signal("SIGKILL");
    await first.ending();
    const { fan, lamp } = nouns;
    forThisTest(await start({ nouns: { fan, lamp } }, first.address));
    await page.getByRole("textbox").waitFor({ state: "detached" });
    await begun.live();
    await page.getByRole("switch").check();
    await eventually("a change is sent", () => changes.length > 0);
    expect(changes).toEqual(['PUT /lamp {"lamp":1}']);
    await begun.expectQuiet();
  });

  test("a switch that an event redraws while it is pressed does what the person saw", async () => {
    const { address } = forThisTest(await start());
    const { begun, page, changes } = await visit(address);
    const lamp = page.getByRole("switch");
    await lamp.hover();
    await page.mouse.down();
    await put(address, "lamp", { lamp: 1 });
    await page.getByRole("switch", { checked: true }).waitFor();
    await drawLate(page);
    await page.mouse.up();
    await eventually("the click is sent", () => changes.length > 0);
    expect(changes).toEqual(['PUT /lamp {"lamp":1}']);
    await lamp.press(" ");
    await eventually("the key is sent", () => changes.length > 1);
    expect(changes[1]).toBe('PUT /lamp {"lamp":0}');
    await page.getByRole("switch", { checked: false }).waitFor();
    await begun.expectQuiet();
  });

  test("a button stays below the finger that presses it, whatever the device tells meanwhile", async () => {
    const device = forThisTest(await start());
    const [relay, address] = await Relay.start(device.address);
    const { begun, page } = await visit(address);
    const sheet = await begun.more("Lamp");
    await sheet.getByRole("button", { name: "Close" }).hover();
    await page.mouse.down();
    // What it says of that would make the sheet higher, and move the button.
    relay.tell({ lamp: null });
    await page.waitForTimeout(400);
    await page.mouse.up();
    await sheet.waitFor({ state: "detached" });
    await page.getByText("An error, or no answer in time.").waitFor();
    await begun.expectQuiet();
  });

  test("a noun is set and then reset, even if the answer to the first change is late", async () => {
    const { address } = forThisTest(await start());
    const { begun, page, changes } = await visit(address);
    let letGo: () => void = () => {};
    const late = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/lamp", async (route) => {
      if (route.request().method() === "PUT") await late;
      await route.continue();
    });
    await page.getByRole("switch").check();
    await begun.reset("Lamp");
    await page.getByRole("slider").press("ArrowRight");
    await new EventClient(address, "/fan").says({ level: 31 });
    letGo();
    await page.getByRole("switch", { checked: false }).waitFor();
    await eventually("both are sent", () => changes.length === 3);
    expect(changes.filter((change) => change.includes("lamp"))).toEqual(['PUT /lamp {"lamp":1}', "DELETE /lamp"]);
    await new EventClient(address, "/lamp").says({ lamp: 0 });
    await begun.expectQuiet();
  });
});
