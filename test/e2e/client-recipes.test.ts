/** docs/clients.md and examples/clients: each recipe does what the page says, with tokens and without. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { missing, python, run } from "../harness/client-program.ts";
import type { Configuration } from "../harness/configuration.ts";
import { startNound, temporaryPath } from "../harness/nound-process.ts";
import { patience } from "../harness/patience.ts";
import { forAllTests } from "../harness/served.ts";
import { tokenFile } from "../harness/token-file.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/clients.md"), "utf8");
const token = "3f0c5d1e9a7b42886f1de0c9b2a45d7733e1f09c";
const printedDevice = "192.168.1.1:8080";

/**
 * The code blocks of a language in a section, in the order of the page. @param heading "" for what precedes the first
 * section.
 */
function blocks(heading: string, language: string): readonly string[] {
  const section =
    heading === "" ? page.split(/^## /m)[0] : page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const found = [...(section ?? "").matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  expect(found.length, `${language} below ${heading}`).toBeGreaterThan(0);
  return found.map(([, , text = ""]) => text);
}

function example(name: string): string {
  return readFileSync(join(import.meta.dirname, "../../examples/clients", name), "utf8");
}

const printedConfiguration = JSON.parse(blocks("", "json")[0] ?? "") as Configuration;

/** A page of an origin other than the device's: the recipe's, and the same with a click behind it. */
const panel = createServer(({ url }, response) => {
  const click = url === "/click" ? '<script type="module">document.querySelector("button").click();</script>' : "";
  response.setHeader("Content-Type", "text/html");
  response.end(panelPage + click);
});
let panelPage = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => panel.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  panel.closeAllConnections();
  panel.close();
});

function panelOrigin(): string {
  return `http://127.0.0.1:${(panel.address() as AddressInfo).port}`;
}

const hash = createHash("sha256").update(token).digest("hex");
const accesses: readonly (readonly [string, () => NonNullable<Configuration["access"]>])[] = [
  [
    "a device that asks for tokens",
    () => ({
      ...printedConfiguration.access,
      tokens: tokenFile(`panel GET,PUT,POST,DELETE * ${hash}`),
      origins: [panelOrigin()],
    }),
  ],
  ["a device that asks for nothing", () => ({ origins: [panelOrigin()] })],
];

describe.each(accesses)("on %s", (_, access) => {
  const nound = forAllTests(() => startNound({ nouns: printedConfiguration.nouns, access: access() }));
  const adapted = (text: string): string => text.replaceAll(printedDevice, nound().address);
  const environment = { NO_PROXY: "*", no_proxy: "*" };

  function file(name: string, text: string): string {
    const path = temporaryPath(name);
    writeFileSync(path, adapted(text));
    return path;
  }

  /** One request of this test's own, for what a recipe has left behind. */
  async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    return await (await fetch(`http://${nound().address}${path}`, { ...init, headers })).json();
  }

  const noCurl = missing("curl", "--version");
  test.skipIf(noCurl !== undefined)(`the curl commands print what the page shows${noCurl ?? ""}`, async () => {
    await ask("/led", { method: "DELETE" });
    const commands = blocks("curl", "console").join("").split(/^\$ /m).slice(1);
    const mark = "--- the next command ---";
    const script = commands.map((command) => `${command.split("\n")[0]}; printf '\\n%s\\n' '${mark}'\n`).join("");
    const printed = await run("bash", [file("curl.sh", script)], "", environment);
    const outputs = printed.replaceAll("\r", "").split(mark);
    for (const [index, command] of commands.entries()) {
      const [line = "", ...shown] = command.trimEnd().split("\n");
      expect(outputs[index]?.trim(), line).toBe(shown.join("\n"));
    }
    expect(commands.length).toBeGreaterThan(8);
  });

  const noBusyBox = missing("busybox", "wget", "--help");
  test.skipIf(noBusyBox !== undefined)(`the shell script does what its usage says${noBusyBox ?? ""}`, async () => {
    const programs = temporaryPath("programs");
    mkdirSync(programs);
    const [, busybox = ""] = /^busybox: (\S+)/.exec(await run("whereis", ["-b", "busybox"])) ?? [];
    symlinkSync(busybox, join(programs, "wget"));
    const script = file("led.sh", blocks("A shell script on OpenWrt", "sh")[0] ?? "");
    const path = { ...environment, PATH: `${programs}:${process.env["PATH"] ?? ""}` };
    const led = async (word: string) => await run("busybox", ["sh", script, word], "", path);
    expect(await led("on")).toBe('{"led":1}');
    expect(await led("on")).toBe('{"led":1}');
    expect(await led("toggle")).toBe('{"led":0}');
    expect(await led("toggle")).toBe('{"led":1}');
    expect(await led("off")).toBe('{"led":0}');
    expect(await led("show")).toBe('{"led":0}');
    await expect(led("other")).rejects.toThrow("usage: led.sh");
  });

  const noPython = missing(python, "-c", "import aiohttp, jinja2, requests, yaml");
  test.skipIf(noPython !== undefined)(`the Python programs print what the page shows${noPython ?? ""}`, async () => {
    const programs = blocks("Python", "python");
    expect(programs.length).toBe(2);
    for (const program of programs) {
      await ask("/led", { method: "DELETE" });
      const shown = [...program.matchAll(/^ *print\(.*\) {2}# (.*)$/gm)].map(([, text]) => text);
      const printed = await run(python, [file("program.py", program)], "", environment);
      expect(printed.trimEnd().split("\n")).toEqual(shown);
    }
  });

  const noChromium = missing("chromium", "--version");
  test.skipIf(noChromium !== undefined)(`the web page shows the LED and changes it${noChromium ?? ""}`, async () => {
    panelPage = adapted(blocks("A web page", "html")[0] ?? "");
    const browse = async (path: string): Promise<string> => {
      const profile = `--user-data-dir=${temporaryPath("chromium")}`;
      const flags = ["--headless", "--no-sandbox", "--disable-gpu", profile, "--virtual-time-budget=10000"];
      return await run("chromium", [...flags, "--dump-dom", `${panelOrigin()}${path}`], "", environment);
    };
    await ask("/led", { method: "DELETE" });
    expect(await browse("/")).toContain("<p>off</p>");
    await browse("/click");
    expect(await ask("/led")).toEqual({ led: 1 });
    expect(await browse("/")).toContain("<p>on</p>");
  });

  test.skipIf(noPython !== undefined)(`Home Assistant's configuration works${noPython ?? ""}`, async () => {
    const configuration = file("configuration.yaml", example("home-assistant.yaml"));
    const secret = `nound_token: Bearer ${token}`;
    const script = join(import.meta.dirname, "python", "home_assistant.py");
    const steps = [
      ["switch", "LED", "turn_on"],
      ["switch", "LED", "turn_on"],
      ["switch", "LED", "update"],
      ["rest", "Hall LED"],
      ["rest", "Hall temperature"],
      ["rest", "Bell edges"],
      ["switch", "LED", "turn_off"],
      ["switch", "LED", "update"],
      ["rest_command", "set_led", { value: 1 }],
      ["switch", "LED", "update"],
    ];
    const args = [script, configuration, file("secrets.yaml", secret)];
    expect(JSON.parse(await run(python, args, JSON.stringify(steps), environment))).toMatchObject([
      { status: 200 },
      { status: 200 },
      { status: 200, is_on: true },
      { status: 200, state: "1" },
      { status: 200, state: "21.5", unit: "°C" },
      { status: 200, state: "12" },
      { status: 200 },
      { status: 200, is_on: false },
      { status: 200 },
      { status: 200, is_on: true },
    ]);
    const body = '{"celsius":null}';
    await ask("/temperature", { method: "PUT", body });
    const reads = JSON.stringify([["rest", "Hall temperature"]]);
    const missed = JSON.parse(await run(python, args, reads, environment)) as { state: string }[];
    expect(missed.map(({ state }) => state)).toEqual(["unavailable"]);
    await ask("/temperature", { method: "DELETE" });
  });

  test("Node-RED's flow sets the LED and reads all nouns, by the requests that its nodes make", async () => {
    const flow = JSON.parse(adapted(example("node-red.json"))) as readonly FlowNode[];
    expect(await inject(flow, "on")).toEqual({ led: 1 });
    expect(await inject(flow, "read")).toEqual({
      led: { led: 1 },
      temperature: { celsius: 21.5 },
      bell: { edges: 12 },
    });
    expect(await inject(flow, "off")).toEqual({ led: 0 });
  });
});

/** A node of a flow, with the properties that this test understands. */
interface FlowNode {
  readonly id: string;
  readonly type: "inject" | "http request" | "debug" | "http in" | "http response";
  readonly name: string;
  readonly props?: readonly { readonly p: "payload"; readonly v: string; readonly vt: "json" }[];
  readonly method?: string;
  readonly url?: string;
  readonly headers?: readonly { readonly keyType: "other"; readonly keyValue: string; readonly valueValue: string }[];
  readonly wires: readonly (readonly string[])[];
}

/**
 * Presses an inject node's button and makes the request of the node behind it: the payload goes as JSON where it is an
 * object, and the answer's JSON is what the debug node behind shows.
 */
async function inject(flow: readonly FlowNode[], name: string): Promise<unknown> {
  const next = ({ wires }: FlowNode) => flow.find(({ id }) => id === wires[0]?.[0]);
  const button = flow.find((node) => node.type === "inject" && node.name === name);
  const request = button && next(button);
  if (request?.type !== "http request" || request.url === undefined) throw new Error(`No request behind ${name}.`);
  expect(next(request)?.type).toBe("debug");
  const payload = button?.props?.find(({ p, vt }) => p === "payload" && vt === "json")?.v;
  const fields = (request.headers ?? []).map(({ keyValue, valueValue }) => [keyValue, valueValue] as const);
  const json = payload === undefined ? [] : [["Content-Type", "application/json"] as const];
  const response = await fetch(request.url, {
    method: request.method ?? "GET",
    headers: [...fields, ...json].map(([key, value]): [string, string] => [key, value]),
    ...(payload === undefined ? {} : { body: payload }),
  });
  expect(response.status).toBe(200);
  return await response.json();
}

const noBusyBox = missing("busybox", "wget", "--help");
test.skipIf(noBusyBox !== undefined)(`the script that waits for a press logs it${noBusyBox ?? ""}`, async () => {
  const [, noun = ""] = /^`("wps": .*)`:$/m.exec(page) ?? [];
  const nound = await startNound({ nouns: JSON.parse(`{${noun}}`) as Configuration["nouns"] }, ["--simulate"]);
  const folder = temporaryPath("press");
  mkdirSync(folder);
  const [, busybox = ""] = /^busybox: (\S+)/.exec(await run("whereis", ["-b", "busybox"])) ?? [];
  symlinkSync(busybox, join(folder, "wget"));
  const logged = join(folder, "log");
  writeFileSync(join(folder, "logger"), `#!/bin/sh\necho "$1" >> ${logged}\n`, { mode: 0o755 });
  const text = blocks("A shell script on OpenWrt", "sh")[1] ?? "";
  writeFileSync(join(folder, "press.sh"), text.replaceAll(printedDevice, nound.address));
  const path = `${folder}:${process.env["PATH"] ?? ""}`;
  const env = { ...process.env, NO_PROXY: "*", no_proxy: "*", PATH: path };
  const script = spawn("busybox", ["sh", join(folder, "press.sh")], { detached: true, env, stdio: "ignore" });
  try {
    const push = async (pressed: number) =>
      await fetch(`http://${nound.address}/simulated.wps`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ pressed }),
      });
    let pressed = 0;
    await vi.waitUntil(
      async () => {
        pressed = 1 - pressed;
        await push(pressed);
        // The shell makes the file before it writes to it.
        return existsSync(logged) && readFileSync(logged, "utf8").endsWith("\n");
      },
      { timeout: patience, interval: 200 },
    );
    expect(readFileSync(logged, "utf8")).toMatch(/^(WPS was pressed\n)+$/);
  } finally {
    if (script.pid !== undefined) process.kill(-script.pid, "SIGKILL");
    await nound.stop();
  }
});
