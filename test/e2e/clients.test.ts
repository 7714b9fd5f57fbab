/** Clients that nobody changed for this server: curl, BusyBox's wget, Node's fetch and http. */

import { existsSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { missing, run } from "../harness/client-program.ts";
import { allowed } from "../harness/expected-response.ts";
import { startNound, temporaryPath } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const socket = temporaryPath("clients.sock");
const nound = forAllTests(async () => {
  return await startNound({ listen: [await freeAddress(), `unix:${socket}`], nouns });
});

const url = (noun: string): string => `http://${nound().address}${noun}`;
const noCurl = missing("curl", "--version");

describe.skipIf(noCurl !== undefined)(`curl${noCurl ?? ""}`, () => {
  const options = ["--silent", "--show-error", "--noproxy", "*", "--max-time", "20"];
  const curl = async (...args: string[]): Promise<string> => await run("curl", [...options, ...args]);
  const json = ["--header", "Content-Type: application/json"];

  test("reads, sets, toggles and resets", async () => {
    expect(await curl("--request", "PUT", ...json, "--data", '{"led":1}', url("/led"))).toBe('{"led":1}');
    expect(await curl(url("/led"))).toBe('{"led":1}');
    expect(await curl(...json, "--data", "{}", url("/LED"))).toBe('{"led":0}');
    expect(await curl(...json, "--data", "{}", url("/led"))).toBe('{"led":1}');
    expect(await curl("--request", "DELETE", url("/Led"))).toBe('{"led":0}');
  });

  test("gets with -I the fields of GET and no body", async () => {
    const fields = await curl("-I", url("/still"));
    expect(fields).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(fields).toContain(`\r\nContent-Length: ${JSON.stringify(stillState).length}\r\n`);
    expect(fields.endsWith("\r\n\r\n")).toBe(true);
  });

  test("uses one connection for several requests", async () => {
    const out = await curl("--write-out", "%{num_connects} ", url("/still"), url("/still"), url("/zqx"), url("/still"));
    expect(out.match(/[01] /g)?.join("")).toMatch(/1 0 0 0 $/);
  });

  test("waits for 100 Continue and gets it", async () => {
    // Without it, it would wait for longer than it has for all.
    const args = [...json, "--header", "Expect: 100-continue", "--expect100-timeout", "60", "--include"];
    const answer = await curl("--request", "PUT", ...args, "--data", '{"text":"later"}', url("/note"));
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  test("sets a state in chunks", async () => {
    const args = ["--request", "PUT", ...json, "--header", "Transfer-Encoding: chunked", "--data-binary", "@-"];
    const state = `{"text":"${"x".repeat(3_000)}"}`;
    expect(await run("curl", [...options, ...args, url("/note")], state)).toBe(state);
    expect(await curl(url("/note"))).toBe(state);
  });

  test("reads and sets a state when it speaks HTTP/1.0", async () => {
    const answer = await curl("--http1.0", "--include", url("/still"));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*Connection: close\r\n/);
    expect(answer).toContain(`\r\n\r\n${JSON.stringify(stillState)}`);
    const put = ["--request", "PUT", ...json, "--data", '{"led":1}', url("/led")];
    expect(await curl("--http1.0", ...put)).toBe('{"led":1}');
  });

  const checkHttp = "/usr/lib/nagios/plugins/check_http";
  const noCheck = existsSync(checkHttp) ? "" : " (skipped: check_http is not installed)";
  test.skipIf(noCheck !== "")(`check_http finds a state, also without a Host${noCheck}`, async () => {
    const [host = "", port = ""] = nound().address.split(":");
    const args = ["-I", host, "-p", port, "-u", "/still", "-s", "1.5"];
    for (const name of [[], ["-H", "hall.example"]]) {
      expect(await run(checkHttp, [...args, ...name])).toMatch(/^HTTP OK: HTTP\/1.1 200 OK /);
    }
  });

  test("is told 413 for a body that is too large, and is not cut off before it could read that", async () => {
    const body = JSON.stringify({ text: "x".repeat(100_000) });
    const answer = await curl("--include", "--request", "PUT", ...json, "--data", body, url("/note"));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /m);
  });

  test("speaks over the Unix socket", async () => {
    expect(await curl("--unix-socket", socket, "http://localhost/still")).toBe(JSON.stringify(stillState));
  });

  test("gets no tunnel when told that the server is its proxy", async () => {
    const args = ["--noproxy", "", "--proxytunnel", "--proxy", `http://${nound().address}`, "http://device.example/"];
    const code = ["--output", "/dev/null", "--write-out", "%{http_connect}"];
    const refused = curl(...code, ...args).catch((error: { stdout: string }) => error.stdout);
    expect(await refused).toBe("501");
  });
});

const noBusyBox = missing("busybox", "wget", "--help");

describe.skipIf(noBusyBox !== undefined)(`BusyBox's wget${noBusyBox ?? ""}`, () => {
  const wget = async (...args: string[]): Promise<string> => await run("busybox", ["wget", "-q", "-O", "-", ...args]);

  test("reads one noun and all of them", async () => {
    expect(await wget(url("/still"))).toBe(JSON.stringify(stillState));
    expect(JSON.parse(await wget(url("/")))).toMatchObject({ still: stillState });
  });

  test("sets with POST, the one method it has, what the body names", async () => {
    for (const state of ['{"led":1}', '{"led":1}', '{"led":0}']) {
      expect(await wget("--header", "Content-Type: application/json", "--post-data", state, url("/led"))).toBe(state);
    }
  });

  test("learns whether a noun is there without reading it", async () => {
    await wget("--spider", url("/still"));
    await expect(wget("--spider", url("/zqx"))).rejects.toThrow();
  });
});

describe("the bytes of OpenWrt's uclient-fetch, of 2025, which sends all but GET in chunks,", () => {
  /**
   * The whole request, byte for byte. @param data undefined for a request without data, which has no media type either.
   */
  function bytes(method: string, data?: string): string {
    const own = `${method} /led HTTP/1.1\r\nHost: ${nound().address}\r\nUser-Agent: uclient-fetch\r\n`;
    if (method === "GET") return `${own}\r\n`;
    const type = data === undefined ? "" : "Content-Type: application/json\r\n";
    const chunk = data === undefined ? "" : `${data.length.toString(16)}\r\n${data}\r\n`;
    return `${own}${type}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`;
  }

  test("read, set, update and reset", async () => {
    for (const [request, state] of [
      [bytes("PUT", '{"led":1}'), '{"led":1}'], // --method=PUT --body-data
      [bytes("GET"), '{"led":1}'],
      [bytes("POST", "{}"), '{"led":0}'], // --post-data
      [bytes("POST", "{}"), '{"led":1}'],
      [bytes("DELETE"), '{"led":0}'], // --method=DELETE
      [bytes("GET"), '{"led":0}'],
    ] as const) {
      const connection = await RawConnection.open(nound().address);
      connection.send(request);
      const response = await connection.response();
      expect(response.status, request).toBe(200);
      expect(response.body.toString()).toBe(state);
      connection.drop();
    }
  });

  test("reset also where they come one by one, and before other requests", async () => {
    const connection = await RawConnection.open(nound().address);
    await connection.sendApart([...bytes("DELETE")]);
    connection.send(bytes("PUT", '{"led":1}') + bytes("DELETE") + bytes("GET"));
    for (const state of ['{"led":0}', '{"led":1}', '{"led":0}', '{"led":0}']) {
      expect((await connection.response()).body.toString()).toBe(state);
    }
    connection.drop();
  });
});

describe("Node's fetch", () => {
  const headers = { "Content-Type": "application/json" };
  async function ask(noun: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
    const response = await fetch(url(noun), init);
    return { status: response.status, body: await response.json() };
  }

  test("reads, sets, toggles and resets", async () => {
    expect(await ask("/led", { method: "PUT", headers, body: '{"led":1}' })).toEqual({ status: 200, body: { led: 1 } });
    expect(await ask("/LED")).toEqual({ status: 200, body: { led: 1 } });
    expect(await ask("/led", { method: "POST", headers, body: "{}" })).toEqual({ status: 200, body: { led: 0 } });
    expect(await ask("/led", { method: "DELETE" })).toEqual({ status: 200, body: { led: 0 } });
  });

  test("sets a state from a stream", async () => {
    const body = new Blob(['{"text":', '"5 µm', ' 温"}']).stream();
    const init = { method: "PUT", headers, body, duplex: "half" } as RequestInit;
    expect(await ask("/note", init)).toEqual({ status: 200, body: { text: "5 µm 温" } });
  });

  test("gets its answers to HEAD and OPTIONS without a body", async () => {
    const head = await fetch(url("/led"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "9", ""]);
    const options = await fetch(url("/led"), { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow"), await options.text()]).toEqual([204, allowed.noun, ""]);
  });
});

test("Node's http with a keep-alive agent keeps one connection over refusals that keep it", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname: host, port } = new URL(`http://${nound().address}`);
  const ports = new Set<number | undefined>();
  for (const [path, method, chunk] of [
    ["/still", "GET"],
    ["/zqx", "GET"],
    ["/led?zqx", "GET"],
    ["/still", "HEAD"],
    ["/led", "OPTIONS"],
    ["/led", "PUT", "[]"],
    ["/still", "GET"],
  ] as const) {
    await new Promise<void>((resolve, reject) => {
      const headers = chunk === undefined ? {} : { "Content-Type": "application/json" };
      const sent = httpRequest({ agent, host, port, path, method, headers }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().on("end", resolve).on("error", reject);
      });
      sent.on("error", reject);
      // Written before the end, so that it goes in chunks.
      if (chunk !== undefined) sent.write(chunk);
      sent.end();
    });
  }
  agent.destroy();
  expect(ports.size).toBe(1);
});
