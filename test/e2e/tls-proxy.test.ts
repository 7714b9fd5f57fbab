/** HTTPS as examples/tls-proxy has it: a real nginx with TLS before nound on a Unix socket, and its configuration. */
import { readFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onBuildServer } from "../harness/environment.ts";
import { within } from "../harness/eventually.ts";
import { certified, nginxMissing, startTlsProxy, type TlsProxy } from "../harness/nginx.ts";
import { configurationFile, NoundProcess, temporaryPath } from "../harness/nound-process.ts";
import { forAllTests } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

const missing = onBuildServer ? undefined : nginxMissing();

interface Asked {
  readonly host?: string;
  readonly token?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

describe.skipIf(missing !== undefined)(`nginx${missing === undefined ? "" : ` (skipped: ${missing})`}`, () => {
  const socket = temporaryPath("nound.sock");
  let started: TlsProxy | undefined;
  const proxy = (): TlsProxy => {
    if (started === undefined) throw new Error("nginx runs only inside tests.");
    return started;
  };
  let token = "";
  let limited = "";

  forAllTests(async () => {
    const [all, panel] = [await makeToken("all"), await makeToken("panel")];
    token = all.token;
    limited = panel.token;
    const example = readFileSync("examples/tls-proxy/nound.json", "utf8");
    expect(example).toContain("unix:/run/nound/nound.sock");
    expect(example).toContain("/etc/nound/tokens");
    const configuration = example
      .replace("/run/nound/nound.sock", socket)
      .replace("/etc/nound/tokens", tokenFile(all.line, panel.line.replace("GET,PUT,POST,DELETE *", "GET led")));
    const running = new NoundProcess(["--config", configurationFile(configuration)], `unix:${socket}`);
    await running.listening();
    return running;
  });
  const agents: Agent[] = [];

  beforeAll(async () => {
    started = await startTlsProxy(socket);
  });
  afterAll(async () => {
    for (const agent of agents) agent.destroy();
    await started?.stop();
  });

  function newAgent(): Agent {
    // The certificate is checked as a client would check it: against the name, and signed by one that it trusts.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: proxy().certificate, servername: certified });
    agents.push(agent);
    return agent;
  }

  async function ask(method: string, path: string, asked: Asked = {}, agent = newAgent()): Promise<Answered> {
    const { host = certified, body, fields = {} } = asked;
    const given = asked.token ?? token;
    const headers = {
      Host: host,
      ...(given === "" ? {} : { Authorization: `Bearer ${given}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
      ...fields,
    };
    const answered = new Promise<Answered>((resolve, reject) => {
      const request = httpsRequest(
        { host: "127.0.0.1", port: proxy().port, method, path, headers, agent },
        (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => {
            text += part;
          });
          response.on("end", () => resolve({ status: response.statusCode ?? 0, fields: response.headers, body: text }));
        },
      );
      request.on("error", reject);
      request.end(body);
    });
    return await within(`${method} ${path} through nginx`, answered);
  }

  test("states are read, set, updated and reset through it, on one connection", async () => {
    const agent = newAgent();
    const step = async (method: string, body?: string) =>
      await ask(method, "/led", body === undefined ? {} : { body }, agent);
    expect((await step("PUT", '{"led":1}')).body).toBe('{"led":1}');
    expect((await step("GET")).body).toBe('{"led":1}');
    expect((await step("POST", "{}")).body).toBe('{"led":0}');
    const { status, fields, body } = await step("DELETE");
    expect({ status, body }).toEqual({ status: 200, body: '{"led":0}' });
    expect(fields["content-type"]).toBe("application/json");
    expect(fields["cache-control"]).toBe("no-store");
  });

  test("tokens are required, accepted and distinguished", async () => {
    const without = await ask("GET", "/led", { token: "" });
    expect(without.status).toBe(401);
    expect(without.fields["www-authenticate"]).toBe('Bearer realm="nound"');
    expect((await ask("GET", "/led", { token: limited })).status).toBe(200);
    const refused = await ask("DELETE", "/led", { token: limited });
    expect(refused.status).toBe(403);
    expect(refused.fields["www-authenticate"]).toBe('Bearer realm="nound", error="insufficient_scope"');
  });

  test("guessing is throttled, all of it as one client, and locks out nobody who has a token", async () => {
    // All at once: ten are answered like any other refusal, and then one a second, however slow this machine is.
    const guesses = Array.from({ length: 30 }, () => ask("GET", "/led", { token: "0".repeat(40) }));
    const permitted = Array.from({ length: 10 }, () => ask("GET", "/led"));
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect(new Set((await Promise.all(permitted)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("the Host that the client sent is the one that is judged", async () => {
    expect((await ask("GET", "/led", { host: `${certified}:8443` })).status).toBe(200);
    expect((await ask("GET", "/led", { host: "evil.example" })).status).toBe(421);
    expect((await ask("GET", "/led", { host: "127.0.0.1" })).status).toBe(421);
  });

  test("a body at the limit passes, one over it gets 413 and changes nothing", async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ text: "x".repeat(bytes - '{"text":""}'.length) });
    expect((await ask("PUT", "/note", { body: bodyOf(4_096) })).status).toBe(200);
    expect((await ask("PUT", "/note", { body: bodyOf(4_097) })).status).toBe(413);
    expect((await ask("GET", "/note")).body).toHaveLength(4_096);
  });

  test("nound's other refusals come through with their problem documents", async () => {
    for (const [status, method, path, asked] of [
      [400, "PUT", "/led", { body: '{"led":[1]}' }],
      [400, "GET", "/led?a=b", {}],
      [404, "GET", "/zqx", {}],
      [404, "GET", "/a/b", {}],
      [405, "PATCH", "/led", { body: "{}" }],
      [414, "GET", `/${"a".repeat(256)}`, {}],
      [422, "PUT", "/led", { body: '{"led":7}' }],
      [431, "GET", "/led", { fields: { "X-Long": "a".repeat(5_000) } }],
    ] as const) {
      const answered = await ask(method, path, asked);
      expect(answered.status, `${method} ${path.slice(0, 40)}`).toBe(status);
      expect(answered.fields["content-type"]).toBe("application/problem+json");
      expect(JSON.parse(answered.body)).toMatchObject({ status });
    }
  });

  test("a chunked body reaches nound with a length, because the proxy reads it whole first", async () => {
    const fields = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" };
    const agent = newAgent();
    const chunked = new Promise<number | undefined>((resolve, reject) => {
      const headers = { Host: certified, Authorization: `Bearer ${token}`, ...fields };
      const target = { host: "127.0.0.1", port: proxy().port, method: "PUT", path: "/led", headers, agent };
      const request = httpsRequest(target, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode));
      });
      request.on("error", reject);
      request.write('{"le');
      request.end('d":1}');
    });
    expect(await within("the answer to a body in chunks", chunked)).toBe(200);
    expect((await ask("DELETE", "/led")).body).toBe('{"led":0}');
  });

  test("a client that does not trust the certificate, or calls another name, gets no connection", async () => {
    const trusting = { ca: proxy().certificate, servername: "other.example" };
    for (const options of [{ servername: certified }, trusting]) {
      const agent = new Agent(options);
      agents.push(agent);
      await expect(ask("GET", "/led", {}, agent)).rejects.toThrow(/certificate|altnames/i);
    }
  });
});
