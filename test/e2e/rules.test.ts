/**
 * The recipes of docs/rules.md, each as it is on the page, on simulated lines; its times are a hundredth of them.
 */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import type { Json } from "../../ts/settings/json.ts";
import { freeAddress } from "../harness/address.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess, runNound } from "../harness/nound-process.ts";
import { forThisTest } from "../harness/served.ts";

const page = readFileSync("docs/rules.md", "utf8");

/** The recipes' configurations, by their headings. */
const recipes = new Map(
  page.split(/^##+ /m).flatMap((section) => {
    const [heading = ""] = section.split("\n");
    const [, json] = /```json\n(.*?)```/s.exec(section) ?? [];
    return json === undefined ? [] : [[heading, json]];
  }),
);

const shortened = ["for", "every", "lease", "rest", "settle", "poll"];

/** @returns the configuration with times of seconds as a hundredth of them. */
function quickened(text: string): string {
  return JSON.stringify(JSON.parse(text), (key, value: Json) =>
    shortened.includes(key) && typeof value === "number" ? Math.max(100, value / 100) : value,
  );
}

/** Serves what the recipe's webhook tells. @param told gets each request. @returns its address. */
async function otherServer(told: string[]): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.once("end", () => {
      told.push(`${request.method} ${request.url} ${body}`);
      response.end("ok");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

class Device {
  /** The requests that another server has got from it, with their bodies. */
  readonly told: readonly string[];
  private readonly nound: NoundProcess;

  private constructor(nound: NoundProcess, told: readonly string[]) {
    this.nound = nound;
    this.told = told;
  }

  static async start(recipe: string): Promise<Device> {
    const told: string[] = [];
    const other = await otherServer(told);
    const text = recipes.get(recipe)?.replace("192.0.2.5:1880", other);
    if (text === undefined) throw new Error(`The page has no recipe "${recipe}".`);
    const address = await freeAddress();
    const folder = mkdtempSync("/tmp/nound-rules-");
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = configurationFile(quickened(text.replace("/var/lib/nound", folder)));
    const nound = forThisTest(new NoundProcess(["--simulate", "--config", file, "--listen", address], address));
    await nound.listening();
    return new Device(nound, told);
  }

  async ask(method: string, noun: string, body?: State): Promise<State> {
    const headers = { "content-type": "application/json" };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`http://${this.nound.address}/${noun}`, init);
    expect(response.status, `${method} ${noun}`).toBe(200);
    return (await response.json()) as State;
  }

  /** @returns the sentence with which a PUT is refused by a guard. */
  async refusal(noun: string, state: State): Promise<unknown> {
    const init = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(state) };
    const response = await fetch(`http://${this.nound.address}/${noun}`, init);
    expect(response.status).toBe(409);
    return ((await response.json()) as { readonly detail: unknown }).detail;
  }

  set(noun: string, state: State): Promise<State> {
    return this.ask("PUT", noun, state);
  }

  /** Waits until a noun has these keys. */
  async becomes(noun: string, state: State): Promise<void> {
    await eventually(`${noun} becomes ${JSON.stringify(state)}`, async () => {
      const now = await this.ask("GET", noun);
      return Object.entries(state).every(([key, value]) => now[key] === value);
    });
  }

  /** Presses a simulated button, and waits until it has counted. */
  async press(noun: string, key: string, kind: "short" | "long"): Promise<void> {
    const { [kind]: before } = await this.ask("GET", noun);
    const counted = { [kind]: Number(before) + 1 };
    await this.set(`simulated.${noun}`, { [key]: 1 });
    if (kind === "long") await this.becomes(noun, counted);
    await this.set(`simulated.${noun}`, { [key]: 0 });
    await this.becomes(noun, counted);
  }
}

/** What is tried of each recipe. */
const trials: { readonly [recipe: string]: (device: Device) => Promise<void> } = {
  async "A thermostat with a set-point for each hand"(device) {
    await device.set("simulated.room", { celsius: 21 });
    await device.becomes("room", { celsius: 21 });
    await device.becomes("heater", { on: 0 });
    await device.set("wish", { celsius: 23 });
    await device.becomes("heater", { on: 1 });
    await device.set("wish", { celsius: 20 });
    await device.becomes("heater", { on: 0 });
  },

  async "A light that stays on as long as you say"(device) {
    await device.set("simulated.motion", { motion: 1 });
    await device.becomes("light", { on: 1 });
    await device.set("simulated.motion", { motion: 0 });
    await device.becomes("light-off", { holds: true });
    expect(await device.ask("GET", "light")).toEqual({ on: 1 });
    await device.set("stay", { minutes: 0 });
    await device.becomes("light", { on: 0 });
  },

  async "A motion light, only in the evening"(device) {
    await device.set("evening", { enabled: true, from: "00:00", to: "00:00" });
    await device.set("simulated.motion", { motion: 1 });
    await device.becomes("light", { on: 1 });
    await device.set("evening", { enabled: false, from: "00:00", to: "00:00" });
    await device.becomes("light", { on: 0 });
  },

  async "A message in words about a cold cellar"(device) {
    await device.set("simulated.cellar", { celsius: 3.5 });
    await eventually("the message", () => device.told.includes("POST /house Cellar is at 3.5 °C"));
  },

  async "A compressor that rests"(device) {
    await device.set("simulated.room", { celsius: 30 });
    await device.becomes("cool", { holds: true });
    await device.becomes("compressor", { on: 1 });
    await device.set("compressor", { on: 0 });
    expect(await device.refusal("compressor", { on: 1 })).toMatch(/^on rests for another [12] s\.$/);
  },

  async "A leak in either room, or a lost sensor"(device) {
    await device.set("simulated.bath", { leak: 1 });
    await device.becomes("valve", { closed: 1 });
    await device.becomes("alarm", { on: 0 });
    await device.set("simulated.tub", { celsius: null });
    await device.becomes("alarm", { on: 1 });
    await device.set("simulated.tub", { celsius: 36 });
    await device.becomes("alarm", { on: 0 });
  },

  async "Hold a button to dim"(device) {
    await device.set("simulated.button", { held: 1 });
    await device.becomes("light", { percent: 100 });
    await device.set("simulated.button", { held: 0 });
  },

  async "A button toggles a relay"(device) {
    await device.press("button", "button", "short");
    await device.becomes("relay", { relay: 1 });
    await device.press("button", "button", "short");
    await device.becomes("relay", { relay: 0 });
    await device.becomes("bell", { runs: 2, failed: 0 });
  },
  async "A long press switches everything off"(device) {
    await device.set("hall", { on: 1 });
    await device.set("kitchen", { on: 1 });
    await device.press("button", "button", "long");
    await device.becomes("hall", { on: 0 });
    await device.becomes("kitchen", { on: 0 });
  },
  async "A light goes on with motion, and off two minutes later"(device) {
    await device.set("simulated.motion", { motion: 1 });
    await device.becomes("light", { on: 1 });
    await device.set("simulated.motion", { motion: 0 });
    await device.becomes("light", { on: 0 });
    await device.becomes("light-off", { holds: true });
  },
  async "Frost protection, also when the sensor dies"(device) {
    await device.becomes("frost", { holds: false });
    await device.set("simulated.cellar", { celsius: 3 });
    await device.becomes("heater", { on: 1 });
    // Longer than the lease, which the rule renews.
    await eventually(
      "the rule has renewed the lease",
      async () => Number((await device.ask("GET", "frost"))["runs"]) > 8,
    );
    expect(await device.ask("GET", "heater")).toEqual({ on: 1 });
    await device.set("simulated.cellar", { celsius: null });
    await device.becomes("heater", { on: 0 });
    expect(await device.ask("GET", "frost")).toMatchObject({ holds: true, failed: 0 });
    await device.set("simulated.cellar", { celsius: 5 });
    await device.becomes("heater", { on: 1 });
    await device.set("simulated.cellar", { celsius: 6 });
    await device.becomes("heater", { on: 0 });
  },
  async "A fan cools what a Modbus unit measures"(device) {
    await device.becomes("fan", { on: 0 });
    await device.set("simulated.inverter", { celsius: 55 });
    await device.becomes("fan", { on: 1 });
    await device.set("simulated.inverter", { celsius: 52.5 });
    await device.becomes("inverter", { celsius: 52.5 });
    expect(await device.ask("GET", "fan")).toEqual({ on: 1 });
    await device.set("simulated.inverter", { celsius: 49.9 });
    await device.becomes("fan", { on: 0 });
  },
  async "A pulse opens the garage door"(device) {
    await device.press("key-switch", "pressed", "short");
    await device.becomes("open", { runs: 1, failed: 0 });
    await device.becomes("door", { door: 0 });
  },
  async "Lights off at night"(device) {
    // test/unit/rules/schedule.test.ts waits for the time of day.
    await device.set("porch", { on: 1 });
    await device.ask("POST", "evening", {});
    await device.becomes("porch", { on: 0 });
  },
  async "Lights by the sun"(device) {
    // test/unit/rules/sun.test.ts waits for the sun.
    await device.ask("POST", "evening", {});
    await device.becomes("porch", { on: 1 });
    await device.ask("POST", "morning", {});
    await device.becomes("porch", { on: 0 });
  },
  async "A shutter with one button, which closes at sunset"(device) {
    for (const moving of ["opening", "stopped", "closing", "stopped"]) {
      await device.press("button", "button", "short");
      await device.becomes("blind", { moving });
    }
    await device.ask("POST", "evening", {});
    await device.becomes("blind", { moving: "closing" });
  },
  async "A heater that never runs without its pump"(device) {
    await device.set("simulated.cellar", { celsius: 20 });
    await device.becomes("cellar", { celsius: 20 });
    const sentence = 'heater is guarded: pump must be {"on":1}; it is {"on":0}.';
    expect(await device.refusal("heater", { on: 1 })).toBe(sentence);
    await device.set("pump", { on: 1 });
    await eventually("the guard has read the sensor", async () => (await device.set("heater", { on: 1 }))["on"] === 1);
    await device.set("pump", { on: 0 });
    expect(await device.ask("GET", "heater")).toEqual({ on: 0 });
  },
  async "Two pumps that never run together"(device) {
    await eventually("the other pump was off long enough", () =>
      device.set("tank", { on: 1 }).then(
        () => true,
        () => false,
      ),
    );
    await device.set("well", { on: 1 });
    expect(await device.ask("GET", "tank")).toEqual({ on: 0 });
    expect(await device.refusal("tank", { on: 1 })).toMatch(/^tank is guarded: well must be/);
  },
  async "A pool's valve that opens only while the filter stands still"(device) {
    await device.set("simulated.level", { full: 1 });
    await device.becomes("level", { full: 1 });
    await device.set("filter", { on: 1 });
    await device.ask("POST", "backwash", {});
    await device.becomes("valve", { open: 1 });
    expect(await device.ask("GET", "filter")).toEqual({ on: 0 });
    await device.set("simulated.level", { full: 0 });
    await device.becomes("valve", { open: 0 });
    await device.ask("POST", "backwash", {});
    await device.becomes("backwash", { failed: 1 });
  },
  async "A knob dims a fan"(device) {
    await device.set("simulated.knob", { percent: 25 });
    await device.becomes("fan", { percent: 25 });
  },
  async "A webhook reports that a door is open too long"(device) {
    await device.becomes("notify", { status: 200, sent: 1 });
    await device.set("simulated.door", { open: 1 });
    await device.set("night", { on: 1 });
    await device.becomes("notify", { status: 200, sent: 2 });
    await device.set("simulated.door", { open: 0 });
    await device.becomes("notify", { status: 200, sent: 3, failed: 0 });
    const { actions } = (await device.ask("GET", ".well-known/wot")) as unknown as {
      actions?: Record<string, { input: object }>;
    };
    expect(actions?.["notify.update"]?.input).toMatchObject({ type: "object" });
    expect(device.told).toEqual(["closed", "open", "closed"].map((door) => `POST /door ${JSON.stringify({ door })}`));
  },
  async "The device acts alone while its broker is gone"(device) {
    await device.press("button", "button", "short");
    await device.becomes("relay", { relay: 1 });
  },
};

/** With another device, in mirror.test.ts and mirror-interlock.test.ts. */
const elsewhere = ["A second button on another device", "A heater whose pump is on another device"];

test("each recipe is tried", () => {
  expect([...recipes.keys()].toSorted()).toEqual([...Object.keys(trials), ...elsewhere].toSorted());
});

describe("the recipe", () => {
  test.each(Object.entries(trials))("%s", async (recipe, act) => {
    await act(await Device.start(recipe));
  });
});

test.each([...recipes])("--check accepts the recipe %s", async (_, text) => {
  expect(await runNound("--check", "--simulate", "--config", configurationFile(text))).toMatchObject({ status: 0 });
});

test("--check and a start name each mistake of a rule, and nothing is served", async () => {
  const nouns = {
    lamp: { kind: "switch", key: "on" },
    rule: { kind: "rule", when: { lmp: { on: 1 } }, then: { "PUT lamp": { on: 2 }, "PUT rule": {} } },
  };
  const file = configurationFile(JSON.stringify({ nouns }));
  const mistakes = [
    `$.nouns.rule.when.lmp: expected the name of a noun, found "lmp"; did you mean "lamp"?`,
    `$.nouns.rule.then["PUT lamp"].on: expected a body for the noun. The value of "on" must be 0 or 1.`,
    `$.nouns.rule.then["PUT rule"].enabled: expected a body for the noun. ` +
      `The key "enabled" is missing; it takes true or false.`,
  ];
  const stderr = mistakes.map((mistake) => `nound: ${file}: ${mistake}\n`).join("");
  for (const option of [["--check"], ["--listen", "127.0.0.1:0"]]) {
    expect(await runNound(...option, "--config", file)).toEqual({ status: 78, signal: null, stdout: "", stderr });
  }
});
