/** Persistent connections and how they end (RFC 9112, 9). */

import { expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put, request } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const nound = forAllTests(() => startNound({ nouns }));

test("a connection serves request after request", async () => {
  const connection = await RawConnection.open(nound().address);
  for (let index = 0; index < 100; index++) {
    connection.send(put("/note", { index }));
    expectState(await connection.response(), { index });
  }
});

test("each of many connections gets the state that it asked for, whatever the others get meanwhile", async () => {
  const states = { still: stillState, note: { text: "20 °C, 3 €" }, canary: nouns.canary.default };
  const asked = Object.entries(states);
  const writer = await RawConnection.open(nound().address);
  writer.send(put("/note", states.note));
  await writer.response();
  const connections = await Promise.all(Array.from({ length: 24 }, () => RawConnection.open(nound().address)));
  for (let round = 0; round < 20; round++) {
    const expected = connections.map((_, index) => asked[(index + (index >> 2) * round) % asked.length]);
    for (const [index, connection] of connections.entries()) connection.send(get(`/${expected[index]?.[0]}`));
    for (const [index, connection] of connections.entries()) {
      expectState(await connection.response(), expected[index]?.[1] ?? {});
    }
  }
});

test.each([1, 2, 8])(
  "a request that differs from the last one in one byte is not taken for it, whichever byte it is (text of %d bytes)",
  async (size) => {
    const good = put("/note", { text: "x".repeat(size) });
    const last = await RawConnection.open(nound().address);
    for (let place = 0; place < good.length; place++) {
      last.send(good);
      expectState(await last.response(), { text: "x".repeat(size) });
      const other = await RawConnection.open(nound().address);
      other.send(`${good.slice(0, place)}\x01${good.slice(place + 1)}`);
      expect((await other.response()).status, `byte ${place}`).toBeGreaterThanOrEqual(400);
      other.drop();
    }
  },
);

test.each([
  "Connection: close\r\n",
  "connection: Close\r\n",
  "Connection: keep-alive, close\r\n",
  "Connection: x-zqx\r\nConnection: close\r\n",
])("%j is honoured: the answer says so, too, and FIN follows it", async (field) => {
  const connection = await RawConnection.open(nound().address);
  connection.send(request("GET", "/still", field));
  expectState(await connection.response(), stillState, "close");
  await connection.closedInOrder();
});

test.each(["Connection: keep-alive\r\n", "Connection: x-close\r\n", "Connection:\r\n"])(
  "%j keeps the connection",
  async (field) => {
    const connection = await RawConnection.open(nound().address);
    connection.send(request("GET", "/still", field) + get("/still"));
    expectState(await connection.response(), stillState);
    expectState(await connection.response(), stillState);
  },
);

test("what is pipelined behind a request with Connection: close is not executed", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(request("GET", "/still", "Connection: close\r\n") + put("/canary", { executed: true }));
  expectState(await connection.response(), stillState, "close");
  await connection.closedInOrder();
  const other = await RawConnection.open(nound().address);
  other.send(get("/canary"));
  expectState(await other.response(), nouns.canary.default);
});

test("Connection: close on a refused request closes what would have been kept", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(request("GET", "/zqx", "Connection: close\r\n"));
  expectProblem(await connection.response(), 404, "close");
  await connection.closedInOrder();
});

test("a client that half-closes behind its requests still gets all answers, then FIN", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/still") + get("/still"));
  connection.finish();
  expect((await connection.response()).status).toBe(200);
  expect((await connection.response()).status).toBe(200);
  await connection.closedInOrder();
});

test("a client that closes without a request gets FIN and nothing else", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.finish();
  await connection.closedInOrder();
});

test("a client that closes between requests gets FIN and nothing else", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/still"));
  expectState(await connection.response(), stillState);
  connection.finish();
  await connection.closedInOrder();
});

test("a request cut off by the client's FIN is not executed", async () => {
  const before = await RawConnection.open(nound().address);
  before.send(put("/led", { led: 0 }));
  expectState(await before.response(), { led: 0 });
  for (const bytes of [post("/led").slice(0, -1), get("/led").slice(0, -1), put("/led", { led: 1 }).slice(0, 20)]) {
    const connection = await RawConnection.open(nound().address);
    connection.send(bytes);
    connection.finish();
    await connection.gone();
    connection.drop();
  }
  before.send(get("/led"));
  expectState(await before.response(), { led: 0 });
});
