/** The page in Chromium: what a person sees, does and is told, with the built binary behind it. */
import { readFileSync } from "node:fs";
import { request as connect, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { localName, noChromium, startChromium } from "../harness/chromium.ts";
import { isLong, onBuildServer } from "../harness/environment.ts";
import { EventClient } from "../harness/event-client.ts";
import { eventually } from "../harness/eventually.ts";
import { certified, nginxMissing, startTlsProxy } from "../harness/nginx.ts";
import { configurationFile, NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { patience } from "../harness/patience.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { endedByThisTest, forAllTests, forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { Visit } from "../harness/visit.ts";
import { expectMedian, judgesTime } from "../harness/waiting-time.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { stateDirectory: _, nouns: board } = JSON.parse(readFileSync(`${root}examples/relay-board/nound.json`, "utf8"));
const nginx = onBuildServer ? undefined : nginxMissing();
const lamp = { kind: "gpio-output", chip: "gpiochip0", offset: 1, key: "lamp" };

async function start(configuration: object, address: string): Promise<NoundProcess> {
  const file = configurationFile(JSON.stringify({ listen: address, ...configuration }));
  const nound = new NoundProcess(["--simulate", "--config", file], address);
  await nound.listening();
  return nound;
}

async function serve(configuration: object): Promise<string> {
  const address = await freeAddress();
  return forThisTest(await start(configuration, address)).address;
}

/** Sends a request beside the page. @returns the state that it is answered with. */
async function send(address: string, bytes: string): Promise<unknown> {
  const connection = await RawConnection.open(address);
  connection.send(bytes);
  const { body } = await connection.response();
  connection.drop();
  return JSON.parse(body.toString("utf8"));
}

describe.skipIf(noChromium !== undefined)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  describe("at the relay board", () => {
    const nound = forAllTests(async () => {
      const address = await freeAddress();
      return await start({ title: "Cellar", nouns: { ...board, lamp: { ...board.lamp, boot: "default" } } }, address);
    });

    async function visit(options = {}): Promise<Visit> {
      const begun = await Visit.begin(browser, nound().address, options);
      await begun.live();
      return begun;
    }

    test("a switch moves its relay, and shows what others do to it", async () => {
      const begun = await visit();
      const { page } = begun;
      expect(await page.title()).toBe("Cellar");
      const lampSwitch = page.getByRole("switch", { name: "Lamp", exact: true });
      await lampSwitch.check();
      await eventually(
        "the relay is on",
        async () => JSON.stringify(await send(nound().address, get("/lamp"))) === '{"lamp":1}',
      );
      await send(nound().address, put("/lamp", { lamp: 0 }));
      await eventually("the switch is off", async () => !(await lampSwitch.isChecked()));
      await begun.expectQuiet();
    });

    test("it works below a path of a proxy that knows its visitors by a cookie", async () => {
      const proxy = createServer((request, response) => {
        const path = request.url?.replace(/^\/devices\/hall\//, "/") ?? "";
        const isPage = request.url === "/devices/hall/" && request.headers.accept?.startsWith("text/html");
        if (path === request.url || !(isPage || request.headers.cookie === "guest=yes")) {
          response.writeHead(404).end();
          return;
        }
        const [host, port] = nound().address.split(":");
        const { method = "GET", headers } = request;
        const onward = connect({ host, port: Number(port), path, method, headers }, (answer) => {
          const cookie = isPage ? { "Set-Cookie": "guest=yes; HttpOnly; SameSite=Strict; Path=/devices/" } : {};
          response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...cookie });
          answer.pipe(response);
        });
        onward.on("error", () => response.destroy());
        response.on("close", () => onward.destroy());
        request.pipe(onward);
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void proxy.close().closeAllConnections());
      const { port } = proxy.address() as AddressInfo;
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      context.setDefaultTimeout(patience);
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${port}/devices/hall/`);
      await page.getByRole("switch", { name: "Lamp", exact: true }).check();
      await eventually(
        "the relay is on",
        async () => JSON.stringify(await send(nound().address, get("/lamp"))) === '{"lamp":1}',
      );
      await send(nound().address, put("/lamp", { lamp: 0 }));
      const lampSwitch = page.getByRole("switch", { name: "Lamp", exact: true });
      await eventually("the switch is off", async () => !(await lampSwitch.isChecked()));
    });

    test("a change by others shows, even if the answer to an earlier click arrives after it", async () => {
      const begun = await visit();
      const { page } = begun;
      const { address } = nound();
      const events = new EventClient(address, "/lamp");
      await events.count(1);
      await page.route("**/lamp", async (route) => {
        if (route.request().method() !== "PUT") return await route.continue();
        const response = await route.fetch();
        await events.says({ lamp: 1 });
        await send(address, put("/lamp", { lamp: 0 }));
        await events.says({ lamp: 0 });
        await route.fulfill({ response });
      });
      const answered = page.waitForResponse("**/lamp");
      await page.getByRole("switch", { name: "Lamp" }).click();
      await answered;
      await page.getByRole("switch", { name: "Lamp", checked: false }).waitFor();
      await begun.expectQuiet();
    });

    test("an edge from outside shows, with the count of edges and its growing age", async () => {
      const begun = await visit({ hasClock: true });
      const tile = begun.tile("Button");
      await tile.getByText("Pressed: No").waitFor();
      await send(nound().address, put("/simulated.button", { pressed: 1 }));
      await tile.getByText("Pressed: Yes").waitFor();
      await tile.getByText(/^Changed (?:just now|\d+\ss ago)$/).waitFor();
      await begun.pass(7_000);
      await tile.getByText(/^Changed (?:[7-9]|[1-9]\d+)\ss ago$/).waitFor();
      const detail = await begun.more("Button");
      expect(await detail.getByText("Edges").locator("xpath=..").textContent()).toContain("1");
      await detail.getByRole("button", { name: "Reset counters: Button" }).click();
      await detail.getByText("Edges").locator("xpath=..").filter({ hasText: "0" }).waitFor();
      await begun.close();
      await send(nound().address, put("/simulated.button", { pressed: 0 }));
      await begun.expectQuiet();
    });

    test("a wrong value stays, with the device's sentence beside it, until a right one or Escape comes", async () => {
      const begun = await visit();
      const percent = begun.page.getByRole("spinbutton", { name: "Percent, as a number" });
      await percent.fill("500");
      await percent.press("Enter");
      const sentence = begun.page.getByText("The value of “Percent” must be a number from 0 to 100.");
      await sentence.waitFor();
      expect([await percent.inputValue(), await percent.getAttribute("aria-invalid")]).toEqual(["500", "true"]);
      const described = await percent.getAttribute("aria-describedby");
      expect(await sentence.getAttribute("id")).toBe(described);
      await begun.expectAccessible();
      await percent.press("Escape");
      await sentence.waitFor({ state: "detached" });
      expect(await percent.inputValue()).toBe("30");
      await percent.fill("");
      await percent.press("Tab");
      await begun.page.getByText("Enter a number.").waitFor();
      await percent.fill("55");
      await percent.press("Enter");
      await eventually(
        "the fan turns faster",
        async () => JSON.stringify(await send(nound().address, get("/fan"))) === '{"percent":55,"enabled":true}',
      );
      await eventually(
        "nothing is said of it any more",
        async () => (await percent.getAttribute("aria-invalid")) === null,
      );
      await begun.reset("Fan");
      await eventually("the default is back", async () => (await percent.inputValue()) === "30");
      await begun.expectQuiet();
    });

    test.each([
      [320, "light"],
      [3_840, "dark"],
      ...(isLong ? [[320, "dark"] as const, [1_280, "dark"] as const, [3_840, "light"] as const] : []),
    ] as const)("at %i pixels, %s, all is accessible and nothing is cut off", async (width, colorScheme) => {
      const begun = await visit({ width, colorScheme });
      const right = await begun.page.evaluate("document.documentElement.scrollWidth");
      expect(right).toBe(width);
      await begun.expectAccessible();
      await begun.expectQuiet();
    });

    test("every control is reached and used by the keyboard alone", async () => {
      const begun = await visit();
      const { page } = begun;
      // The first picture has few tiles.
      const all = Object.keys((await send(nound().address, get("/"))) as object).length;
      await eventually("all tiles", async () => (await page.locator(".tile").count()) === all);
      const reached: string[] = [];
      const focused = () =>
        page.evaluate<string>(`(() => {
          const { activeElement: at } = document;
          const ids = (at.getAttribute("aria-labelledby") ?? "").split(" ");
          const names = ids.map((id) => (id === "" ? at : document.getElementById(id))?.textContent);
          return at === document.body ? "" : (at.type ?? "") + " " + (at.getAttribute("aria-label") ?? names.join(" "));
        })()`);
      const pressed: { readonly [name: string]: string } = {
        "checkbox Pump": " ",
        "range Fan Percent": "ArrowRight",
        "number Brightness, as a number": "7Enter",
        "select-one Status Trigger": "n",
        "text Note Text": "hiEnter",
        "submit Press: Door": "Enter",
      };
      for (;;) {
        await page.keyboard.press("Tab");
        const name = (await focused()).replace("button ", "submit ");
        if (name === "" || reached.includes(name)) break;
        reached.push(name);
        expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), name).not.toBe("none");
        const keys = pressed[name] ?? "";
        await page.keyboard.type(keys.replace("Enter", "").replace("ArrowRight", ""));
        for (const key of ["Enter", "ArrowRight"]) if (keys.includes(key)) await page.keyboard.press(key);
      }
      const there = await page.locator("input, select, button, summary").count();
      expect(reached).toHaveLength(there);
      expect(reached).toEqual(expect.arrayContaining(Object.keys(pressed)));
      await eventually("all of it has been done", async () => {
        const { pump, fan, status, note } = (await send(nound().address, get("/"))) as { [noun: string]: object };
        const expected = [
          { pump: 1 },
          { percent: 31, enabled: true },
          { brightness: 7, trigger: "none" },
          { text: "hi" },
        ];
        return JSON.stringify([pump, fan, status, note]) === JSON.stringify(expected);
      });
      for (const noun of ["Pump", "Fan", "Status", "Note"]) {
        await page.getByRole("button", { name: `More: ${noun}`, exact: true }).press("Enter");
        // What goes off needs no question.
        if (noun === "Pump") await page.getByRole("button", { name: "Switch off: Pump" }).press("Enter");
        else {
          await page.getByRole("button", { name: `Back to default: ${noun}` }).press("Enter");
          await page.getByRole("button", { name: "Yes, reset" }).press("Enter");
        }
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await begun.expectQuiet();
    });
  });

  test("a server that is killed and started again is missed and found", async () => {
    const address = await freeAddress();
    const first = endedByThisTest(await start({ nouns: { lamp } }, address));
    const begun = await Visit.begin(browser, address, { hasClock: true });
    await begun.live();
    first.signal("SIGKILL");
    await first.ending();
    await begun.status("Connection lost");
    await begun.expectAccessible();
    // Nothing can be set, and the detail opens still.
    expect(await begun.page.getByRole("switch").isDisabled()).toBe(true);
    const { address: again } = forThisTest(await start({ title: "Another", nouns: { lamp, lid: lamp2 } }, address));
    await begun.pass(20_000);
    await begun.live();
    await begun.page.getByRole("switch", { name: "Lid" }).check();
    await eventually("the relay is on", async () => JSON.stringify(await send(again, get("/lid"))) === '{"lid":1}');
    expect(await begun.page.title()).toBe("Another");
    await begun.expectQuiet();
  });
  const lamp2 = { ...lamp, offset: 2, key: "lid" };

  test("the page asks for a token, reports a wrong one, keeps a right one for the tab, in no address", async () => {
    const { token, line } = await makeToken("panel");
    const address = await serve({ title: "Hall", access: { tokens: tokenFile(line) }, nouns: { lamp } });
    const begun = await Visit.begin(browser, address);
    const { page } = begun;
    await page.getByRole("heading", { name: "This device requires a token." }).waitFor();
    await begun.expectAccessible();
    await page.keyboard.insertText("\u{1f511} 0123456789");
    await page.keyboard.press("Enter");
    await page.getByText("This server does not know the token.").waitFor();
    await begun.expectAccessible();
    await page.getByLabel("Token", { exact: true }).fill(token);
    await page.getByRole("button", { name: "Open" }).click();
    await begun.live();
    const answered = page.waitForResponse("**/lamp");
    await page.getByRole("switch", { name: "Lamp" }).check();
    // The device does not begin the change of a client that has left.
    await answered;
    await page.reload();
    await begun.live();
    expect(await page.getByRole("switch", { name: "Lamp" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Forget token" }).click();
    await page.getByLabel("Token", { exact: true }).waitFor();
    // The browser has kept the title, which the device tells nobody without a token.
    await page.getByRole("heading", { name: "Hall", level: 1 }).waitFor();
    await page.reload();
    await page.getByLabel("Token", { exact: true }).waitFor();
    expect(begun.addresses.filter((url) => url.includes(token))).toEqual([]);
    await begun.expectQuiet();
  });

  test("a token that may only read gets no controls", async () => {
    const { token, line } = await makeToken("reader");
    const address = await serve({
      access: { tokens: tokenFile(line.replace("GET,PUT,POST,DELETE", "GET")) },
      nouns: { lamp },
    });
    const begun = await Visit.begin(browser, address);
    await begun.page.getByLabel("Token", { exact: true }).fill(token);
    await begun.page.keyboard.press("Enter");
    await begun.live();
    expect(await begun.tile("Lamp").locator("input").count()).toBe(0);
    await begun.tile("Lamp").getByText("Off").waitFor();
    const detail = await begun.more("Lamp");
    expect(await detail.locator("fieldset").locator("input, button").count()).toBe(0);
    await begun.close();
    await begun.expectQuiet();
  });

  test("by a name, and with another page's origin listed, it works as ever", async () => {
    const address = await serve({ access: { origins: ["https://panel.example"] }, nouns: { lamp } });
    const begun = await Visit.begin(browser, `${localName}:${address.split(":")[1]}`);
    await begun.live();
    await begun.page.getByRole("switch", { name: "Lamp" }).check();
    await eventually("the relay is on", async () => JSON.stringify(await send(address, get("/lamp"))) === '{"lamp":1}');
    await begun.expectQuiet();
  });

  test.skipIf(nginx !== undefined)(
    "behind a TLS proxy it works as ever, with another page's origin listed",
    async () => {
      const socket = temporaryPath("nound.sock");
      const access = { hosts: [certified], origins: ["https://panel.example"] };
      forThisTest(await start({ access, nouns: { lamp } }, `unix:${socket}`));
      const proxy = await startTlsProxy(socket);
      onTestFinished(() => proxy.stop());
      const begun = await Visit.begin(browser, `${localName}:${proxy.port}`, { scheme: "https" });
      await begun.live();
      await begun.page.getByRole("switch", { name: "Lamp" }).check();
      await eventually(
        "the relay is on",
        async () =>
          JSON.stringify(await send(`unix:${socket}`, get("/lamp").replace("localhost", certified))) === '{"lamp":1}',
      );
      await begun.expectQuiet();
    },
  );

  test("while there is no place for a stream, it polls, and then it streams", async () => {
    const address = await serve({ limits: { maxStreams: 1 }, nouns: { lamp } });
    const other = new EventClient(address, "/lamp");
    await other.says({ lamp: 0 });
    const begun = await Visit.begin(browser, address, { hasClock: true });
    await begun.status("Live, every 2 seconds");
    await begun.expectAccessible();
    await send(address, put("/lamp", { lamp: 1 }));
    await eventually("the switch is on", () => begun.page.getByRole("switch").isChecked());
    other.drop();
    await begun.pass(15_000);
    await begun.status(/^Live$/);
    await begun.expectQuiet();
  });

  test("the browser asks the device for nothing but its page, its description and its stream", async () => {
    const address = await freeAddress();
    const file = configurationFile(JSON.stringify({ listen: address, log: "requests", nouns: { lamp } }));
    const nound = endedByThisTest(new NoundProcess(["--config", file, "--simulate"], address));
    await nound.listening();
    const begun = await Visit.begin(browser, address);
    await begun.live();
    const asking = () => nound.printed.match(/(?<= )(?:GET|PUT|POST|DELETE|HEAD|OPTIONS) \S+/g);
    await eventually("three requests", () => (asking()?.length ?? 0) >= 3);
    // What the page does behind its first picture comes before it has nothing to do.
    await begun.page.evaluate("new Promise(requestIdleCallback)");
    await send(address, get("/lamp"));
    await eventually("the test's own request", () => asking()?.includes("GET /lamp"));
    expect(asking()).toEqual(["GET /", "GET /", "GET /.well-known/wot", "GET /lamp"]);
  });

  test("hostile titles and values are shown as text", async () => {
    const evil = [
      `<img src=x onerror="document.title='broken'">`,
      "</script><script>document.title='broken'</script>",
      "\u202egnp.exe \u2067right to left\u2069",
      "&amp;<b>bold</b>{{7*7}}<svg onload=alert(1)>",
      "x".repeat(4_000),
    ];
    const nouns = Object.fromEntries(
      evil.map((text, index) => [
        `evil${index}`,
        {
          kind: "value",
          title: text,
          description: text,
          default: { text },
          shape: { text: { type: "string", title: text, description: text, unit: text.slice(0, 20) } },
        },
      ]),
    );
    const free = { kind: "value", default: { __proto__x: "1", constructor: "<i>", ["</script>"]: evil[1] } };
    const address = await serve({ title: evil[0], nouns: { ...nouns, free } });
    const begun = await Visit.begin(browser, address, { width: 320 });
    await begun.live();
    expect(await begun.page.title()).toBe(evil[0]);
    // The first picture has few tiles.
    const headings = begun.page.getByRole("heading", { level: 2 });
    await eventually("all tiles", async () => (await headings.count()) === evil.length + 1);
    expect((await headings.allTextContents()).toSorted()).toEqual([...evil, "Free"].toSorted());
    const fields = begun.page.getByRole("textbox");
    for (const [index, text] of evil.entries()) expect(await fields.nth(index).inputValue()).toBe(text);
    // What is long in a tile is whole in its detail.
    for (const text of [...evil.slice(0, 2), "Free"]) {
      const detail = await begun.more(text);
      expect(await detail.getByRole("heading").textContent()).toBe(text);
      await begun.expectAccessible();
      await begun.close();
    }
    expect(await begun.page.locator("img, b, i, script[src]").count()).toBe(0);
    expect(await begun.page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await begun.expectAccessible();
    await begun.expectQuiet();
  });

  test("60 nouns change, each shows, none is read aloud, and no task takes 50 ms (judged by test:time)", async () => {
    const nouns = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`n${index}`, { kind: "value", default: { level: index, lit: false } }]),
    );
    const address = await serve({ nouns });
    const begun = await Visit.begin(browser, address);
    await begun.live();
    await begun.page.getByRole("heading", { name: "N 59" }).waitFor();
    const longest: number[] = [];
    await begun.longTasks();
    await begun.hearSpeech();
    for (let round = 0; round < (judgesTime ? 5 : 1); round++) {
      for (let change = 1; change <= 5; change++) {
        const level = round * 100 + change;
        await Promise.all(
          Object.keys(nouns).map((name) => send(address, put(`/${name}`, { level, lit: change % 2 === 0 }))),
        );
        await eventually(
          "the last noun shows it",
          async () =>
            (await begun.page.getByRole("region", { name: "N 59" }).getByRole("spinbutton").inputValue()) ===
            String(level),
        );
      }
      longest.push(Math.max(0, ...(await begun.longTasks())));
    }
    expectMedian("the page's longest task in a round, 0 for less than 50", longest, 50);
    // A screen reader would read each change of these aloud.
    expect(await begun.speech()).toEqual([]);
    await begun.expectQuiet();
  });
});
