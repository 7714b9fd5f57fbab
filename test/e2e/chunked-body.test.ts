/** Bodies in chunks (RFC 9112, 7.1): when they are answered, what they may cost, and what becomes of half of one. */

import { describe, expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { processorTicks } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { del, get } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { ample, drip, times } from "../harness/time-limits.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const nound = forAllTests(() => startNound({ nouns }));

function head(target: string, fields = "", media = "application/json", method = "PUT"): string {
  return (
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n` +
    `Content-Type: ${media}\r\n${fields}Transfer-Encoding: chunked\r\n\r\n`
  );
}

const executed = `${head("/canary")}8\r\n{"execut\r\n9\r\ned":true}\r\n0\r\n\r\n`;

async function expectCanaryAlive(): Promise<void> {
  const connection = await RawConnection.open(nound().address);
  connection.send(get("/canary"));
  expectState(await connection.response(), nouns.canary.default);
  connection.drop();
}

describe("a chunked PUT that ends", () => {
  const everywhere = Array.from({ length: executed.length }, (_, length) => length);

  test("with FIN after any of its bytes changes nothing", async () => {
    await Promise.all(
      everywhere.map(async (length) => {
        const connection = await RawConnection.open(nound().address);
        connection.send(executed.slice(0, length));
        connection.finish();
        await connection.gone();
        expect(connection.unread, `${length} bytes`).not.toContain(" 200 ");
      }),
    );
    await expectCanaryAlive();
  });

  test("with RST after any of its bytes changes nothing", async () => {
    for (const length of everywhere) {
      const connection = await RawConnection.open(nound().address);
      await connection.sendApart([executed.slice(0, length)]);
      connection.reset();
    }
    await expectCanaryAlive();
  });

  test("with its last byte is executed", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(executed + get("/canary") + del("/canary"));
    expectState(await connection.response(), { executed: true });
    expectState(await connection.response(), { executed: true });
    expectState(await connection.response(), nouns.canary.default);
  });
});

test("chunks may come one by one, and the state is set once the last one is there", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(`${head("/note")}6\r\n{"a":"\r\n`);
  const other = await RawConnection.open(nound().address);
  other.send(get("/note"));
  expectState(await other.response(), nouns.note.default);
  connection.send("3\r\n\xe2\x82\xac\r\n");
  connection.send('2\r\n"}\r\n0\r\n\r');
  other.send(get("/note"));
  expectState(await other.response(), nouns.note.default);
  connection.send(`\n${get("/note")}`);
  expectState(await connection.response(), { a: "€" });
  expectState(await connection.response(), { a: "€" });
});

test("100 Continue is sent to a client that waits with its chunks", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(head("/led", "Expect: 100-continue\r\n"));
  await connection.exactly("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send(`9\r\n{"led":1}\r\n0\r\n\r\n${get("/still")}`);
  expectState(await connection.response(), { led: 1 });
  expectState(await connection.response(), stillState);
});

test.each([
  ["an unknown noun", head("/zqx", "Expect: 100-continue\r\n"), 404],
  ["another media type", head("/led", "Expect: 100-continue\r\n", "text/plain"), 415],
])("a client that waits with its chunks for %s gets its final answer, and the end", async (_, bytes, status) => {
  const connection = await RawConnection.open(nound().address);
  connection.send(bytes);
  const response = await connection.response();
  expect(response.interim).toEqual([]);
  expectProblem(response, status, "close");
  await connection.closedInOrder();
});

test.each([
  ["an unknown noun", head("/zqx"), 404],
  ["another media type", head("/led", "", "text/plain"), 415],
  ["a precondition that does not hold", head("/led", "If-None-Match: *\r\n"), 412],
])("%s: the chunks of a refused request are skipped", async (_, bytes, status) => {
  const connection = await RawConnection.open(nound().address);
  connection.send(`${bytes}9\r\n{"led":1}\r\n11\r\nGET /canary HTTP/\r\n0\r\n\r\n${get("/still")}`);
  expectProblem(await connection.response(), status, "keep");
  expectState(await connection.response(), stillState);
});

test("nothing behind a bad chunk of a refused request is executed, and the request has one answer", async () => {
  const connection = await RawConnection.open(nound().address);
  connection.send(`${head("/zqx")}9;\r\n{"led":1}\r\n0\r\n\r\n${executed}`);
  expectProblem(await connection.response(), 404, "open");
  await connection.gone();
  expect(connection.unread).toBe("");
  await expectCanaryAlive();
});

describe("a client that sends a bad byte and then waits is refused at once", () => {
  test.each([
    ["an extension", "9;", 400],
    ["a bare LF behind a size", "9\n", 400],
    ["a letter that is no digit", "9g", 400],
    ["a ninth digit", "000000009", 400],
    ["a chunk that is longer than its size", '8\r\n{"led":1}', 400],
    ["a trailer field", '9\r\n{"led":1}\r\n0\r\nX', 400],
    ["a ninth zero of the last chunk", '9\r\n{"led":1}\r\n000000000', 400],
    ["a size over the limit, by its digits", "1001", 413],
    ["a size over the limit, together with the one before", `800\r\n${" ".repeat(0x800)}\r\n801`, 413],
  ])("%s", async (_, bytes, status) => {
    const connection = await RawConnection.open(nound().address);
    connection.send(head("/led") + bytes);
    expectProblem(await connection.response(), status, "close");
    await connection.closedInOrder();
  });
});

describe("the time for a body", () => {
  const hasty = forAllTests(() =>
    startNound({ nouns, limits: { headersTimeout: ample, bodyTimeout: times.bodyTimeout } }),
  );

  test("is that of all its chunks, and ends in 408", async () => {
    const connection = await RawConnection.open(hasty().address);
    connection.send(head("/note"));
    drip(connection, "1\r\n \r\n");
    expectProblem(await connection.response(), 408, "close");
    await connection.closedInOrder();
  });
});

describe("a body in chunks of one byte", () => {
  const roomy = forAllTests(() => startNound({ nouns, limits: { bodyBytes: 1_048_576, bodyTimeout: ample } }));

  /** Bytes of data whose framing is within its limit: five bytes for each, and as many again and 1 KB are allowed. */
  const data = Math.floor((1_048_576 + 1_024) / 5) - 1;

  async function ticks(bytes: string): Promise<number> {
    const before = processorTicks(roomy().pid);
    const connection = await RawConnection.open(roomy().address);
    connection.send(bytes);
    const { status } = await connection.response();
    expect(status).toBe(200);
    connection.drop();
    return processorTicks(roomy().pid) - before;
  }

  const request = (length: number) => `${head("/note")}${"1\r\n \r\n".repeat(length - 2)}2\r\n{}\r\n0\r\n\r\n`;

  test("costs at most four times as much as one chunk of as many bytes", async () => {
    const bytes = request(data);
    const length = 1_048_000;
    const one = `${head("/note")}${length.toString(16)}\r\n${" ".repeat(length - 2)}{}\r\n0\r\n\r\n`;
    expect(one.length).toBeLessThan(bytes.length);
    expect(await ticks(bytes)).toBeLessThanOrEqual(4 * ((await ticks(one)) + 2));
  });

  test("costs by its length, and not by its square", async () => {
    const small = await ticks(request(Math.floor(data / 8)));
    const large = await ticks(request(data));
    // A hundredth of a second is the least that is counted.
    expect(large).toBeLessThan(20 * (small + 2));
  });
});
