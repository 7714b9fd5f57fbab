/** The limits on a request's parts: their defaults, and that each is an option. */

import { describe, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put, request } from "../harness/request.ts";
import { forAllTests } from "../harness/served.ts";
import { nouns, stillState } from "../wire/nouns.ts";

describe("configured limits", () => {
  const limits = { targetBytes: 16, headerBytes: 256, headerFields: 4, bodyBytes: 20, statePairs: 2 };
  const nound = forAllTests(() => startNound({ nouns, limits }));

  async function expectRefused(bytes: string, status: number, fate: "keep" | "close"): Promise<void> {
    const connection = await RawConnection.open(nound().address);
    connection.send(bytes);
    expectProblem(await connection.response(), status, fate);
    if (fate === "close") {
      await connection.closedInOrder();
    }
  }

  test("allow a target of 16 bytes and refuse one of 17", async () => {
    await expectRefused(get(`/${"a".repeat(15)}`), 404, "keep");
    await expectRefused(get(`/${"a".repeat(16)}`), 414, "close");
  });

  test("allow a header section of 256 bytes and refuse one of 257", async () => {
    const padding = "a".repeat(256 - "Host: localhost\r\nX: \r\n".length);
    const connection = await RawConnection.open(nound().address);
    connection.send(request("GET", "/still", `X: ${padding}\r\n`));
    expectState(await connection.response(), stillState);
    await expectRefused(request("GET", "/still", `X: ${padding}a\r\n`), 431, "close");
  });

  test("allow 4 fields and refuse 5", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(request("GET", "/still", "A: a\r\nB: b\r\nC: c\r\n"));
    expectState(await connection.response(), stillState);
    await expectRefused(request("GET", "/still", "A: a\r\nB: b\r\nC: c\r\nD: d\r\n"), 431, "close");
  });

  test("allow a body of 20 bytes and refuse one of 21", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(put("/note", { a: "b".repeat(12) }));
    expectState(await connection.response(), { a: "b".repeat(12) });
    await expectRefused(put("/note", { a: "b".repeat(13) }), 413, "close");
  });

  test("allow 2 pairs and refuse 3", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(put("/note", { a: 1, b: 2 }));
    expectState(await connection.response(), { a: 1, b: 2 });
    await expectRefused(put("/note", { a: 1, b: 2, c: 3 }), 400, "keep");
    await expectRefused(post("/led", { a: 1, b: 2, c: 3 }), 400, "keep");
  });
});

describe("a body over its limit", () => {
  const nound = forAllTests(() => startNound({ nouns }));

  test("is refused before a byte of it was sent", async () => {
    const connection = await RawConnection.open(nound().address);
    const fields = "Content-Type: application/json\r\nContent-Length: 4097\r\n";
    connection.send(request("PUT", "/note", fields));
    expectProblem(await connection.response(), 413, "close");
    await connection.closedInOrder();
  });

  test("is refused in order also while the client still sends it", async () => {
    const connection = await RawConnection.open(nound().address);
    const fields = "Content-Type: application/json\r\nContent-Length: 1000000\r\n";
    connection.send(request("PUT", "/note", fields));
    // Bytes on their way when the answer is sent must not turn its FIN into an RST, which would destroy the answer.
    for (let sent = 0; sent < 200_000 && !connection.closed; sent += 10_000) {
      await connection.sendApart(["x".repeat(10_000)]);
    }
    expectProblem(await connection.response(), 413, "close");
    await connection.closedInOrder();
  });
});
