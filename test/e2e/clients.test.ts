/** Clients that nobody changed for this server: curl, Node's fetch and http, and Python's requests. */
import { execFile, execFileSync } from "node:child_process";
import { Agent, request as httpRequest } from "node:http";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { freeAddress } from "./harness/address.ts";
import { nouns } from "./harness/configuration.ts";
import { onBuildServer } from "./harness/environment.ts";
import { startNound, temporaryPath } from "./harness/nound-process.ts";
import { forAllTests } from "./harness/served.ts";
import { stillState } from "./requests/sample.ts";

const run = promisify(execFile);
const socket = temporaryPath("clients.sock");
const nound = forAllTests(async () => {
  return await startNound({ listen: [await freeAddress(), `unix:${socket}`], nouns });
});

/** Why tests with a program are skipped, or undefined when it is there, or has to be. */
function missing(command: string, ...args: string[]): string | undefined {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return undefined;
  } catch {
    return onBuildServer ? undefined : ` (skipped: ${[command, ...args].join(" ")} does not run here)`;
  }
}

const noCurl = missing("curl", "--version");
const noRequests = missing("/usr/bin/python3", "-c", "import requests");

describe.skipIf(noCurl !== undefined)(`curl${noCurl ?? ""}`, () => {
  async function curl(...args: string[]): Promise<string> {
    const { stdout } = await run("curl", ["--silent", "--show-error", "--noproxy", "*", "--max-time", "20", ...args]);
    return stdout;
  }
  const url = (noun: string): string => `http://${nound().address}${noun}`;
  const json = ["--header", "Content-Type: application/json"];

  test("reads, sets, toggles and resets", async () => {
    expect(await curl("--request", "PUT", ...json, "--data", '{"led":1}', url("/led"))).toBe('{"led":1}');
    expect(await curl(url("/led"))).toBe('{"led":1}');
    expect(await curl(...json, "--data", "{}", url("/LED"))).toBe('{"led":0}');
    expect(await curl(...json, "--data", "{}", url("/led"))).toBe('{"led":1}');
    expect(await curl("--request", "DELETE", url("/Led"))).toBe('{"led":0}');
  });

  test("is told in a problem document that an array is no value", async () => {
    const answer = await curl("--include", "--request", "PUT", ...json, "--data", '{"led":[1]}', url("/led"));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json\r\n/i);
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ status: 400 });
  });

  test("is told 415 when it sends a form, as it does unless told otherwise", async () => {
    expect(await curl("--include", "--data", '{"led":1}', url("/led"))).toMatch(/^HTTP\/1\.1 415 /);
  });

  test("does not hang on HEAD", async () => {
    expect(await curl("--head", url("/led"))).toMatch(/^HTTP\/1\.1 405 /);
  });

  test("uses one connection for several requests", async () => {
    const out = await curl("--write-out", "%{num_connects} ", url("/still"), url("/still"), url("/zqx"), url("/still"));
    expect(out.match(/[01] /g)?.join("")).toMatch(/1 0 0 0 $/);
  });

  test("waits for 100 Continue and gets it", async () => {
    const args = [...json, "--header", "Expect: 100-continue", "--expect100-timeout", "15", "--include"];
    const since = performance.now();
    const answer = await curl("--request", "PUT", ...args, "--data", '{"text":"later"}', url("/note"));
    expect(performance.now() - since).toBeLessThan(10_000);
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  test("is told 411 when it sends chunks", async () => {
    const args = ["--include", "--request", "PUT", ...json, "--header", "Transfer-Encoding: chunked"];
    expect(await curl(...args, "--data", '{"led":1}', url("/led"))).toMatch(/^HTTP\/1\.1 411 /);
  });

  test("is told 505 when it speaks HTTP/1.0", async () => {
    expect(await curl("--http1.0", "--include", url("/led"))).toMatch(/^HTTP\/1\.1 505 /);
  });

  test("is told 413 for a body that is too large, and is not cut off before it could read that", async () => {
    const body = JSON.stringify({ text: "x".repeat(100_000) });
    const answer = await curl("--include", "--request", "PUT", ...json, "--data", body, url("/note"));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /m);
  });

  test("speaks over the Unix socket", async () => {
    expect(await curl("--unix-socket", socket, "http://localhost/still")).toBe(JSON.stringify(stillState));
  });

  test("speaks in absolute form when told that the server is its proxy", async () => {
    const args = ["--noproxy", "", "--proxy", `http://${nound().address}`, "http://device.example/still"];
    const { stdout } = await run("curl", ["--silent", "--show-error", "--max-time", "20", ...args]);
    expect(stdout).toBe(JSON.stringify(stillState));
  });
});

describe("Node's fetch", () => {
  const headers = { "Content-Type": "application/json" };
  async function ask(noun: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`http://${nound().address}${noun}`, init);
    return { status: response.status, body: await response.json() };
  }

  test("reads, sets, toggles and resets", async () => {
    expect(await ask("/led", { method: "PUT", headers, body: '{"led":1}' })).toEqual({ status: 200, body: { led: 1 } });
    expect(await ask("/LED")).toEqual({ status: 200, body: { led: 1 } });
    expect(await ask("/led", { method: "POST", headers, body: "{}" })).toEqual({ status: 200, body: { led: 0 } });
    expect(await ask("/led", { method: "DELETE" })).toEqual({ status: 200, body: { led: 0 } });
  });

  test("carries text beyond ASCII there and back", async () => {
    const state = { text: "5 µm, 温度, 🌡" };
    expect(await ask("/note", { method: "PUT", headers, body: JSON.stringify(state) })).toEqual({
      status: 200,
      body: state,
    });
  });

  test("gets problem documents", async () => {
    const { status, body } = await ask("/zqx");
    expect(status).toBe(404);
    expect(body).toMatchObject({ status: 404, title: "Not Found" });
  });

  test("gets all of five hundred answers, asked fifty at a time", async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask("/still")));
      expect(answers).toEqual(Array.from({ length: 50 }, () => ({ status: 200, body: stillState })));
    }
  });

  test("gets its answer to HEAD without a body", async () => {
    const response = await fetch(`http://${nound().address}/led`, { method: "HEAD" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, PUT, POST, DELETE");
    expect(await response.text()).toBe("");
  });
});

test("Node's http with a keep-alive agent keeps one connection over refusals that keep it", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname: host, port } = new URL(`http://${nound().address}`);
  const ports = new Set<number | undefined>();
  for (const path of ["/still", "/zqx", "/led?zqx", "/still"]) {
    await new Promise<void>((resolve, reject) => {
      const sent = httpRequest({ agent, host, port, path }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().on("end", resolve).on("error", reject);
      });
      sent.on("error", reject).end();
    });
  }
  agent.destroy();
  expect(ports.size).toBe(1);
});

const script = `
import json, sys, requests
base = sys.argv[1]
session = requests.Session()
session.trust_env = False
def ask(method, noun, **more):
    answer = session.request(method, base + noun, timeout=20, **more)
    return [answer.status_code, answer.headers["Content-Type"], answer.json()]
print(json.dumps([
    ask("PUT", "/led", json={"led": 1}),
    ask("GET", "/LED"),
    ask("POST", "/led", json={}),
    ask("DELETE", "/led"),
    ask("PUT", "/note", json={"text": "5 \\u00b5m \\u6e29"}),
    ask("PUT", "/led", json={"led": [1]})[:2],
    ask("PUT", "/led", data={"led": 1})[:2],
    ask("GET", "/zqx")[:2],
]))
`;

test.skipIf(noRequests !== undefined)(
  `Python's requests reads, sets, toggles and resets${noRequests ?? ""}`,
  async () => {
    const { stdout } = await run("/usr/bin/python3", ["-c", script, `http://${nound().address}`]);
    const [json, problem] = ["application/json", "application/problem+json"];
    expect(JSON.parse(stdout)).toEqual([
      [200, json, { led: 1 }],
      [200, json, { led: 1 }],
      [200, json, { led: 0 }],
      [200, json, { led: 0 }],
      [200, json, { text: "5 µm 温" }],
      [400, problem],
      [415, problem],
      [404, problem],
    ]);
  },
);
