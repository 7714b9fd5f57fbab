/** The messages to people of docs/nouns.md: what each service gets is what its documented command sends, recorded. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { missing, run } from "../harness/client-program.ts";
import { eventually } from "../harness/eventually.ts";
import { privateFile, startNound } from "../harness/nound-process.ts";
import { forThisTest } from "../harness/served.ts";

interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const json = ["-H", "Content-Type: application/json", "-d"] as const;

/**
 * The commands with which the services document themselves, for what the page has. Where each is written: ntfy,
 * docs.ntfy.sh/publish; Telegram, core.telegram.org/bots/api#making-requests; Home Assistant,
 * home-assistant.io/docs/automation/trigger#webhook-trigger; Matrix, matrix-org.github.io/matrix-hookshot; Apprise,
 * github.com/caronc/apprise-api.
 */
const documented: Readonly<Record<string, readonly [path: string, ...words: readonly string[]]>> = {
  ntfy: [
    "/our-house-5fQ2",
    ...["-H", "Title: House", "-H", "Priority: high", "-H", "Authorization: Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"],
    ...["-d", "The door is open"],
  ],
  telegram: ["/bot123456:AbC-dEf/sendMessage", ...json, '{"chat_id":42,"text":"The door is open"}'],
  home: ["/api/webhook/front-door-Kp4x", "-X", "POST", ...json, '{"door":"open"}'],
  matrix: ["/webhook/9b2d-41", "-X", "POST", ...json, '{"text":"The door is open"}'],
  mail: ["/notify/house", "-X", "POST", ...json, '{"title":"House","body":"The door is open"}'],
};
const services = Object.keys(documented);

/** The header fields that a client chooses itself. */
const ownHeaders = ["host", "user-agent", "accept", "connection", "content-length"];

/** @returns a request as a service understands it: that of a text does not read its type, which curl chooses otherwise. */
function meaning({ line, headers, body }: Received): Received {
  const ignored = headers["content-type"] === "application/json" ? ownHeaders : [...ownHeaders, "content-type"];
  const read = Object.entries(headers).filter(([name]) => !ignored.includes(name));
  return { line, headers: Object.fromEntries(read), body };
}

const noCurl = missing("curl", "--version");

test.skipIf(noCurl !== undefined)(`each service gets the request that it documents, once${noCurl ?? ""}`, async () => {
  const received: Received[] = [];
  const recorder = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method, url, headers } = request;
      received.push({ line: `${method} ${url}`, headers, body: Buffer.concat(parts).toString() });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => recorder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void recorder.close());
  const address = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
  const token = privateFile("ntfy-token", "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2\n");

  const page = readFileSync(new URL("../../docs/nouns.md", import.meta.url), "utf8");
  const [, configuration = ""] = /### Messages to people\n.*?```json\n(.*?)```/s.exec(page) ?? [];
  const here = configuration.replaceAll(/https?:\/\/[^/"]+/g, address).replace("/etc/nound/ntfy-token", token);
  const nound = forThisTest(await startNound(JSON.parse(here)));
  const headers = { "Content-Type": "application/json" };
  await fetch(`http://${nound.address}/door`, { method: "PUT", headers, body: '{"open":1}' });
  await eventually("all messages are there", () => received.length >= services.length);
  for (const service of services) {
    const state = async () => await (await fetch(`http://${nound.address}/${service}`)).json();
    await eventually(`${service} has answered`, async () => ((await state()) as { sent: number }).sent === 1);
  }
  const byLine = (one: Received, other: Received) => one.line.localeCompare(other.line);
  const sent = received.splice(0).map(meaning).sort(byLine);
  for (const [path, ...words] of Object.values(documented)) await run("curl", ["-s", ...words, address + path]);
  expect(sent).toEqual(received.map(meaning).sort(byLine));
  expect(sent).toHaveLength(services.length);
});
