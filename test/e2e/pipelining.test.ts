/** Pipelined requests: answered each, in order, however their bytes are cut (RFC 9112, 9.3.2). */

import { expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put, request } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { cuts } from "../wire/cuts.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const nound = forAllTests(() => startNound({ nouns }));

test.each([1, 15, 16, 17, 100, 1_000])("%d requests in one send are answered in order", async (count) => {
  const connection = await RawConnection.open(nound().address);
  const numbers = Array.from({ length: count }, (_, index) => index);
  connection.send(numbers.map((index) => put("/note", { index })).join(""));
  for (const index of numbers) {
    expectState(await connection.response(), { index });
  }
});

test("a refused request is refused again when the same bytes come again, with the next request behind it", async () => {
  const connection = await RawConnection.open(nound().address);
  for (let round = 0; round < 4; round++) {
    connection.send(get("/zqx") + get("/still"));
    expectProblem(await connection.response(), 404, "keep");
    expectState(await connection.response(), stillState);
  }
});

test("a DELETE that was served behind one empty line is refused behind two, and not executed", async () => {
  const { address } = nound();
  const remove = request("DELETE", "/led");
  const first = await RawConnection.open(address);
  for (let round = 0; round < 3; round++) {
    first.send(`\r\n${remove}`);
    expectState(await first.response(), { led: 0 });
  }
  first.send(put("/led", { led: 1 }));
  expectState(await first.response(), { led: 1 });
  const second = await RawConnection.open(address);
  second.send(`\r\n\r\n${remove}`);
  expectProblem(await second.response(), 400, "close");
  await second.closedInOrder();
  first.send(get("/led"));
  expectState(await first.response(), { led: 1 });
});

test.each(cuts)("requests of every kind keep their order, sent $how", async ({ cut }) => {
  const connection = await RawConnection.open(nound().address);
  const sent = connection.sendApart(
    cut(
      put("/led", { led: 0 }) +
        `\r\n${post("/led")}` +
        get("/zqx") +
        request("HEAD", "/led") +
        put("/led", { led: 2 }) +
        get("/LED") +
        request("GET", "http://localhost/still") +
        "DELETE /led HTTP/1.1\r\nHost: localhost\r\n\r\n" +
        request("GET", "/still", "Connection: close\r\n"),
    ),
  );
  expectState(await connection.response(), { led: 0 });
  expectState(await connection.response(), { led: 1 });
  expectProblem(await connection.response(), 404, "keep");
  const head = await connection.response("HEAD");
  expect(head.status).toBe(200);
  expect(head.fields.get("content-length")).toBe("9");
  expectProblem(await connection.response(), 422, "keep");
  expectState(await connection.response(), { led: 1 });
  expectState(await connection.response(), stillState);
  expectState(await connection.response(), { led: 0 });
  expectState(await connection.response(), stillState, "close");
  await sent;
  await connection.closedInOrder();
});

test("what came before a malformed request is answered first, what comes behind it never", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(`${put("/note", { a: 1 })}${get("/note")}zqx\r\n\r\n${put("/canary", { executed: true })}`);
  expectState(await connection.response(), { a: 1 });
  expectState(await connection.response(), { a: 1 });
  expectProblem(await connection.response(), 400, "close");
  await connection.closedInOrder();
  const other = await RawConnection.open(nound().address);
  other.send(get("/canary"));
  expectState(await other.response(), nouns.canary.default);
});

test("a request smuggled as the body of a refused one is not executed", async () => {
  const smuggled = put("/canary", { executed: true });
  const fields = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${smuggled.length}\r\n`;
  const rows: [head: string, status: number, fate: "keep" | "close"][] = [
    [`PUT /led HTTP/1.1\r\n${fields}\r\n`, 400, "keep"],
    [`PUT /zqx HTTP/1.1\r\n${fields}\r\n`, 404, "keep"],
    [`PUT /led HTTP/1.1\r\n${fields.replace("application/json", "text/plain")}\r\n`, 415, "keep"],
    [`GET /led HTTP/1.1\r\n${fields}\r\n`, 400, "close"],
    [`PATCH /led HTTP/1.1\r\n${fields}\r\n`, 405, "close"],
    [`PUT /led HTTP/1.1\r\n${fields}Transfer-Encoding: chunked\r\n\r\n`, 400, "close"],
    [`PUT /led HTTP/1.1\r\n${fields}Expect: zqx\r\n\r\n`, 417, "close"],
  ];
  for (const [head, status, fate] of rows) {
    const connection = await RawConnection.open(nound().address);
    connection.send(head + smuggled);
    expectProblem(await connection.response(), status, fate);
    connection.send(get("/canary"));
    if (fate === "keep") {
      expectState(await connection.response(), nouns.canary.default);
    } else {
      await connection.closedInOrder();
    }
  }
  const other = await RawConnection.open(nound().address);
  other.send(get("/canary"));
  expectState(await other.response(), nouns.canary.default);
});

test("two clients that pipeline at once get their own answers", async () => {
  const one = await RawConnection.open(nound().address);
  const other = await RawConnection.open(nound().address);
  const sent = Promise.all([
    one.sendApart(Array.from({ length: 50 }, () => get("/still"))),
    other.sendApart(Array.from({ length: 50 }, () => get("/empty"))),
  ]);
  for (let index = 0; index < 50; index++) {
    expectState(await one.response(), stillState);
    expectState(await other.response(), {});
  }
  await sent;
  expect(one.unread + other.unread).toBe("");
});
