/** Streams of events in a browser: EventSource, and fetch with a token, as docs/clients.md has it. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { emptyPage, noChromium } from "../harness/chromium.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { put } from "../harness/request.ts";
import { endedByThisTest, forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { expectMedian } from "../harness/waiting-time.ts";

const nouns = {
  led: { kind: "switch", key: "led" },
  door: { kind: "gpio-input", chip: "gpiochip0", offset: 3, key: "open", edges: "both" },
};

async function start(address: string, access: object): Promise<NoundProcess> {
  const file = configurationFile(JSON.stringify({ listen: address, access, nouns }));
  const nound = new NoundProcess(["--simulate", "--config", file], address);
  await nound.listening();
  return nound;
}

async function move(address: string, open: number): Promise<void> {
  const connection = await RawConnection.open(address);
  connection.send(put("/simulated.door", { open }));
  await connection.response();
  connection.drop();
}

/** What the page has heard: the data of each event, and the moment of its callback in ms since the epoch. */
type Heard = readonly { readonly data: string; readonly moment: number }[];

const heardBy = (page: Page): Promise<Heard> => page.evaluate(() => (globalThis as unknown as { heard: Heard }).heard);

async function listen(page: Page, url: string): Promise<void> {
  await page.evaluate((from) => {
    const heard: { data: string; moment: number }[] = [];
    Object.assign(globalThis, { heard });
    const source = new EventSource(from);
    source.onmessage = ({ data }) => heard.push({ data, moment: performance.timeOrigin + performance.now() });
  }, url);
}

describe.skipIf(noChromium !== undefined)(`Chromium${noChromium ?? ""}`, () => {
  test("EventSource hears an edge of a simulated line, and reconnects to a server that was killed", async () => {
    const { page, origin } = await emptyPage();
    const address = await freeAddress();
    const first = endedByThisTest(await start(address, { origins: [origin] }));
    await listen(page, `http://${address}/door`);
    await eventually("the first event", async () => (await heardBy(page)).length === 1);
    await move(address, 1);
    const [, second] = await eventually("the edge", async () => {
      const heard = await heardBy(page);
      return heard.length === 2 && heard;
    });
    expect(JSON.parse(second?.data ?? "")).toMatchObject({ open: 1, edges: 1 });
    first.signal("SIGKILL");
    await first.ending();
    forThisTest(await start(address, { origins: [origin] }));
    const again = await eventually("the first event of the second server", async () => (await heardBy(page))[2]);
    expect(JSON.parse(again.data)).toMatchObject({ open: 0, edges: 0 });
  });

  test("20 edges come to the browser's callback one by one, in a median of 100 ms (judged by test:time)", async () => {
    const { page, origin } = await emptyPage();
    const address = await freeAddress();
    forThisTest(await start(address, { origins: [origin] }));
    await listen(page, `http://${address}/door`);
    await eventually("the first event", async () => (await heardBy(page)).length === 1);
    const moved: number[] = [];
    for (let edge = 1; edge <= 20; edge++) {
      moved.push(performance.timeOrigin + performance.now());
      await move(address, edge % 2);
      await eventually(`edge ${edge}`, async () => (await heardBy(page)).length === edge + 1);
    }
    const heard = await heardBy(page);
    const delays = moved.map((moment, index) => (heard[index + 1]?.moment ?? Number.NaN) - moment);
    expectMedian("from the line to the browser's callback", delays, 100);
  });

  test("fetch with a token reads the stream by the function of docs/clients.md", async () => {
    const { page, origin } = await emptyPage();
    const address = await freeAddress();
    const { token, line } = await makeToken("panel");
    forThisTest(await start(address, { origins: [origin], tokens: tokenFile(line) }));
    const guide = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");
    const [, watch = ""] = /```js\n(async function watch[\s\S]*?)```/.exec(guide) ?? [];
    expect(watch).not.toBe("");
    const url = `http://${address}/led`;
    const script = `globalThis.told = []; ${watch}; void watch("${url}", "${token}", (s) => told.push(s));`;
    await page.addScriptTag({ content: script });
    const told = () => page.evaluate(() => (globalThis as unknown as { told: unknown[] }).told);
    expect(await eventually("the first event", async () => (await told()).length === 1 && told())).toEqual([
      { led: 0 },
    ]);
  });
});
