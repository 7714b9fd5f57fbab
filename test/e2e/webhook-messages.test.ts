/** The messages to people of docs/nouns.md: what each service gets is the request that it documents. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { startNound } from "../harness/nound-process.ts";
import { forThisTest } from "../harness/served.ts";

interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request with JSON. */
const json = (line: string, body: string) => ({ line, headers: { "content-type": "application/json" }, body });

/** The requests as the services document them, with what nound chooses itself left out. */
const documented: readonly (readonly [service: string, Received])[] = [
  // docs.ntfy.sh/publish: curl -H "Title: ..." -H "Priority: high" -H "Authorization: Bearer tk_..." -d "..." URL
  [
    "ntfy",
    {
      line: "POST /our-house-5fQ2",
      headers: { title: "House", priority: "high", authorization: "Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2" },
      body: "The door is open",
    },
  ],
  // core.telegram.org/bots/api#making-requests: POST /bot<token>/METHOD_NAME, with application/json
  ["telegram", json("POST /bot123456:AbC-dEf/sendMessage", '{"chat_id":42,"text":"The door is open"}')],
  // home-assistant.io/docs/automation/trigger#webhook-trigger: curl -X POST with application/json
  ["home", json("POST /api/webhook/front-door-Kp4x", '{"door":"open"}')],
  // matrix-org.github.io/matrix-hookshot: POST /webhook/ID, with JSON that has "text"
  ["matrix", json("POST /webhook/9b2d-41", '{"text":"The door is open"}')],
  // github.com/caronc/apprise-api: POST /notify/KEY, with JSON that has "body" and may have "title"
  ["mail", json("POST /notify/house", '{"title":"House","body":"The door is open"}')],
];

test("each service gets the request that it documents, once", async () => {
  const received: Received[] = [];
  const services = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method, url, headers } = request;
      received.push({ line: `${method} ${url}`, headers, body: Buffer.concat(parts).toString() });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => services.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void services.close());
  const address = `http://127.0.0.1:${(services.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), "nound-messages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "ntfy-token"), "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2\n", { mode: 0o600 });

  const page = readFileSync(new URL("../../docs/nouns.md", import.meta.url), "utf8");
  const [, configuration = ""] = /### Messages to people\n.*?```json\n(.*?)```/s.exec(page) ?? [];
  const here = configuration.replaceAll(/https?:\/\/[^/"]+/g, address).replaceAll("/etc/nound", folder);
  const nound = forThisTest(await startNound(JSON.parse(here)));
  const headers = { "Content-Type": "application/json" };
  await fetch(`http://${nound.address}/door`, { method: "PUT", headers, body: '{"open":1}' });
  await eventually("all messages are there", () => received.length >= documented.length);
  const sent = (line: string) => received.filter((one) => one.line === line);
  for (const [service, { line, headers, body }] of documented)
    expect({ service, sent: sent(line) }).toMatchObject({ service, sent: [{ headers, body }] });
  expect(received).toHaveLength(documented.length);
  for (const [service] of documented) {
    const state = async () => await (await fetch(`http://${nound.address}/${service}`)).json();
    await eventually(`${service} has answered`, async () => ((await state()) as { sent: number }).sent === 1);
  }
});
