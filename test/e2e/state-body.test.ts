/** The body of PUT and POST. */

import { describe, expect, test } from "vitest";
import { slowness } from "../harness/environment.ts";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { processorTicks } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put, requestWithBody } from "../harness/request.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";
import { nouns } from "../wire/nouns.ts";

test("the refusal of a state names the key and what it may hold", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  connection.send(put("/led", { led: 7 }));
  expect(expectProblem(await connection.response(), 422, "keep")).toContain("led");
});

test("a state that was refused leaves the earlier state in place", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  connection.send(put("/led", { led: 1 }));
  expectState(await connection.response(), { led: 1 });
  connection.send(put("/led", { led: 7 }) + get("/led"));
  expectProblem(await connection.response(), 422, "keep");
  expectState(await connection.response(), { led: 1 });
});

test("a state comes back in UTF-8 with its length in bytes", async () => {
  const nound = forThisTest(await startNound({ nouns }));
  const connection = await RawConnection.open(nound.address);
  connection.send(put("/note", { t: "5 µm 温 🌡" }));
  const response = await connection.response();
  expectState(response, { t: "5 µm 温 🌡" });
  expect(response.fields.get("content-length")).toBe(String(Buffer.byteLength('{"t":"5 µm 温 🌡"}')));
});

describe("a body of a megabyte", () => {
  const limits = { bodyBytes: 1_048_576, bodyTimeout: 60_000 * slowness };
  const nound = forAllTests(() => startNound({ nouns, limits }));

  /** @returns hundredths of a second of the processor for a PUT of a text. @param behind the body's end. */
  async function ticks(text: string, behind: string, status: number): Promise<number> {
    const before = processorTicks(nound().pid);
    const connection = await RawConnection.open(nound().address);
    const body = `{"text":"${text.repeat(1_048_000 / text.length)}${behind}`;
    connection.send(requestWithBody("PUT", "/note", body));
    expect((await connection.response()).status).toBe(status);
    connection.drop();
    return processorTicks(nound().pid) - before;
  }

  test.each([
    ["escaped quotation marks", '\\"', '"}', 200],
    ["escaped letters", "\\u0041", '"}', 200],
    ["escaped quotation marks that are no state", '\\"', '"', 400],
    ["escapes that JSON does not have", "\\x", '"}', 400],
  ])("of %s costs at most four times as much as one of letters", async (_, text, behind, status) => {
    const letters = await ticks("x", '"}', 200);
    expect(await ticks(text, behind, status)).toBeLessThanOrEqual(4 * (letters + 2));
  });
});
