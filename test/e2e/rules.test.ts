/**
 * Two recipes of docs/rules.md as they are on the page, on simulated lines; their times are a hundredth of the page's.
 * The unit tests play all of them (test/unit/recipes/).
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
}

/** What is tried of each recipe. */
const trials: { readonly [recipe: string]: (device: Device) => Promise<void> } = {
  async "A message in words about a cold cellar"(device) {
    await device.set("simulated.cellar", { celsius: 3.5 });
    await eventually("the message", () => device.told.includes("POST /house Cellar is at 3.5 °C"));
  },
  async "A light goes on with motion, and off two minutes later"(device) {
    await device.set("simulated.motion", { motion: 1 });
    await device.becomes("light", { on: 1 });
    await device.set("simulated.motion", { motion: 0 });
    await device.becomes("light", { on: 0 });
    await device.becomes("light-off", { holds: true });
  },
};

describe("the recipe", () => {
  test.each(Object.entries(trials))("%s", async (recipe, act) => {
    await act(await Device.start(recipe));
  });
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
