/** Bearer tokens, from the command that makes one to the bytes on the wire. */

import { createHash } from "node:crypto";
import { chmodSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { configurationFile, runNound, startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import type { Response } from "../harness/response.ts";
import { endedByThisTest, forAllTests } from "../harness/served.ts";
import { ample } from "../harness/time-limits.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { nouns } from "../wire/nouns.ts";

const made = { all: "", panel: "" };
const wrong = "0123456789abcdef0123456789abcdef01234567";

const nound = forAllTests(async () => {
  const all = await makeToken("all");
  const panel = await makeToken("panel");
  Object.assign(made, { all: all.token, panel: panel.token });
  const limited = panel.line.replace("GET,PUT,POST,DELETE *", "GET,PUT led,a.*");
  const file = tokenFile("# the hall", all.line, "", limited);
  // One of them arrives byte by byte.
  return await startNound({ access: { tokens: file }, limits: { headersTimeout: ample }, nouns });
});

/** A request spelled out. @param token none for none. */
function bytes(method: string, target: string, token = "", body?: string): string {
  const authorization = token === "" ? "" : `Authorization: Bearer ${token}\r\n`;
  const content = body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${authorization}${content}\r\n${body ?? ""}`;
}

async function answer(request: string): Promise<Response> {
  const connection = await RawConnection.open(nound().address);
  connection.send(request);
  return await connection.response();
}

test("a request without a token gets exactly these bytes, whatever it asks for", async () => {
  const detail = "This server requires a token, in the field Authorization: Bearer TOKEN.";
  const body = `{"status":401,"title":"Unauthorized","detail":"${detail}"}`;
  for (const request of [bytes("GET", "/led"), bytes("GET", "/zqx"), bytes("PUT", "/led", "", '{"led":1}')]) {
    const connection = await RawConnection.open(nound().address);
    connection.send(request);
    await connection.exactly(
      "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/problem+json\r\n" +
        `Content-Length: ${body.length}\r\nX-Content-Type-Options: nosniff\r\n` +
        `Cache-Control: no-store\r\nWWW-Authenticate: Bearer ` +
        `realm="nound"\r\n\r\n${body}`,
    );
    // The connection goes on, and nothing has been done.
    connection.send(bytes("GET", "/led", made.all));
    expectState(await connection.response(), { led: 0 });
  }
});

test("a token does what its line says and nothing else", async () => {
  expectState(await answer(bytes("PUT", "/led", made.panel, '{"led":1}')), { led: 1 });
  expectState(await answer(bytes("GET", "/A.b_c~d-1", made.panel)), { odd: "name" });
  for (const request of [
    bytes("DELETE", "/led", made.panel),
    bytes("POST", "/led", made.panel, "{}"),
    bytes("GET", "/note", made.panel),
    bytes("GET", "/zqx", made.panel),
  ]) {
    const refused = await answer(request);
    expectProblem(refused, 403, "keep");
    expect(refused.fields.get("www-authenticate")).toBe('Bearer realm="nound", error="insufficient_scope"');
  }
  expectState(await answer(bytes("GET", "/led", made.panel)), { led: 1 });
  expectState(await answer(bytes("DELETE", "/led", made.all)), { led: 0 });
  expectProblem(await answer(bytes("GET", "/zqx", made.all)), 404, "keep");
});

test("wrong tokens get 401, then 429 and the end of their connection; the right one stays accepted", async () => {
  let throttled = 0;
  for (let attempt = 0; attempt < 30; attempt++) {
    const response = await answer(bytes("GET", "/led", wrong));
    expectProblem(response, [401, 429], response.status === 429 ? "close" : "keep");
    if (response.status === 401) {
      expect(response.fields.get("www-authenticate")).toBe('Bearer realm="nound", error="invalid_token"');
      continue;
    }
    throttled += 1;
    expect(response.fields.get("retry-after")).toMatch(/^[1-9]$/);
    expectState(await answer(bytes("GET", "/led", made.all)), { led: 0 });
  }
  expect(throttled).toBeGreaterThan(0);
});

test("the hash that the binary prints is the one that others compute", async () => {
  const { token, line } = await makeToken("panel");
  expect(line).toBe(`panel GET,PUT,POST,DELETE * ${createHash("sha256").update(token).digest("hex")}`);
});

test("the debug log names the token and holds neither it nor its hash", async () => {
  const { token, line } = await makeToken("panel");
  const running = endedByThisTest(await startNound({ access: { tokens: tokenFile(line) }, log: "requests", nouns }));
  const connection = await RawConnection.open(running.address);
  for (const request of [bytes("GET", "/led", token), bytes("GET", `/led?access_token=${token}`)]) {
    connection.send(request);
    await connection.response();
  }
  connection.send(bytes("GET", "/led", `${token}0`));
  await connection.response();
  const { stderr } = await running.stop();
  expect(stderr).toContain("GET /led 200 (token panel)");
  expect(stderr).toContain("GET /led?... 401");
  for (const secret of [token, token.slice(4, 20), line.slice(-64)]) expect(stderr).not.toContain(secret);
});

describe("the token file", () => {
  async function check(path: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const configuration = { listen: [await freeAddress()], access: { tokens: path }, nouns };
    return await runNound("--check", "--config", configurationFile(configuration));
  }

  test("that everyone may write to is refused", async () => {
    const file = tokenFile((await makeToken("panel")).line);
    chmodSync(file, 0o666);
    const { status, stdout, stderr } = await check(file);
    expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
    expect(stderr).toMatch(/^nound: cannot trust [^\n]+\n$/);
    chmodSync(file, 0o644);
    expect(await check(file)).toMatchObject({ status: 0 });
  });
});
