/** The four verbs of the one endpoint shape, `/<noun>`. */

import { describe, expect, test } from "vitest";
import { expectState, stateOf } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get, post, put } from "../harness/request.ts";
import type { Response } from "../harness/response.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

describe("a switch", () => {
  const nound = forAllTests(() => startNound({ nouns }));

  async function ask(...requests: string[]): Promise<Response[]> {
    const connection = await RawConnection.open(nound().address);
    const responses: Response[] = [];
    for (const bytes of requests) {
      connection.send(bytes);
      responses.push(await connection.response());
    }
    connection.drop();
    return responses;
  }

  async function expectStates(...rows: [bytes: string, state: { led: number }][]): Promise<void> {
    const responses = await ask(...rows.map(([bytes]) => bytes));
    for (const [index, [, state]] of rows.entries()) {
      expectState(responses[index] as Response, state);
    }
  }

  test("answers GET with its current state", async () => {
    await expectStates([del("/led"), { led: 0 }], [get("/led"), { led: 0 }]);
  });

  test("answers GET in the bytes of the contract", async () => {
    const [, response] = await ask(del("/led"), "GET /led HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [head = "", body] = response?.bytes.split("\r\n\r\n") ?? [];
    const [status, ...fields] = head.split("\r\n");
    expect(status).toBe("HTTP/1.1 200 OK");
    // A server with a clock may add Date (RFC 9110, 6.6.1).
    expect(fields.filter((line) => !line.startsWith("Date: ")).sort()).toEqual([
      "Cache-Control: no-store",
      "Content-Length: 9",
      "Content-Type: application/json",
      "X-Content-Type-Options: nosniff",
    ]);
    expect(body).toBe('{"led":0}');
  });

  test("answers PUT with the resulting state, which the next GET shows", async () => {
    await expectStates(
      [put("/led", { led: 1 }), { led: 1 }],
      [get("/led"), { led: 1 }],
      [put("/led", { led: 0 }), { led: 0 }],
      [get("/led"), { led: 0 }],
    );
  });

  test("answers the same PUT sent twice in the same way", async () => {
    await expectStates([put("/led", { led: 1 }), { led: 1 }], [put("/led", { led: 1 }), { led: 1 }]);
  });

  test("flips at each POST", async () => {
    await expectStates(
      [del("/led"), { led: 0 }],
      [post("/led"), { led: 1 }],
      [get("/led"), { led: 1 }],
      [post("/led"), { led: 0 }],
      [post("/led"), { led: 1 }],
    );
  });

  test("answers DELETE with its default state and stays registered", async () => {
    await expectStates(
      [put("/led", { led: 1 }), { led: 1 }],
      [del("/led"), { led: 0 }],
      [del("/led"), { led: 0 }],
      [get("/led"), { led: 0 }],
    );
  });

  test("is one noun under every case of its name", async () => {
    await expectStates(
      [put("/led", { led: 1 }), { led: 1 }],
      [get("/LED"), { led: 1 }],
      [post("/Led"), { led: 0 }],
      [get("/%6ced"), { led: 0 }],
      [put("/lE%44", { led: 1 }), { led: 1 }],
      [del("/LED"), { led: 0 }],
      [get("/led"), { led: 0 }],
    );
  });

  test("shows one client what another one has set", async () => {
    const [one, other] = [await RawConnection.open(nound().address), await RawConnection.open(nound().address)];
    one.send(put("/led", { led: 1 }));
    expectState(await one.response(), { led: 1 });
    other.send(get("/led"));
    expectState(await other.response(), { led: 1 });
  });
});

describe("a value", () => {
  const nound = forAllTests(() => startNound({ nouns: { note: nouns.note, Case: { kind: "value", default: {} } } }));

  async function ask(bytes: string): Promise<Response> {
    const connection = await RawConnection.open(nound().address);
    connection.send(bytes);
    const response = await connection.response();
    connection.drop();
    return response;
  }

  test("holds exactly what was PUT", async () => {
    expectState(await ask(put("/note", { size: 3, on: true })), { size: 3, on: true });
    expectState(await ask(get("/note")), { size: 3, on: true });
    expectState(await ask(put("/note", {})), {});
    expectState(await ask(get("/note")), {});
  });

  test("answers POST with the state the next GET shows", async () => {
    await ask(put("/note", { text: "a" }));
    const updated = stateOf(await ask(post("/note", { size: 3 })));
    expect(updated).toMatchObject({ size: 3 });
    expectState(await ask(get("/note")), updated);
  });

  test("returns to its default state at DELETE", async () => {
    await ask(put("/note", { text: "other" }));
    expectState(await ask(del("/note")), { text: "hello" });
    expectState(await ask(get("/note")), { text: "hello" });
  });

  test("configured under a name in upper case answers in lower case", async () => {
    expectState(await ask(get("/case")), {});
  });
});
