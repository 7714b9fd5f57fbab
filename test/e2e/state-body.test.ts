/** The body of PUT and POST. */

import { expect, test } from "vitest";
import { expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, put } from "../harness/request.ts";
import { forThisTest } from "../harness/served.ts";
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
