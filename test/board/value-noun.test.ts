import { expect, test } from "vitest";
import { forAllTests } from "./harness/running-board.ts";
import { virt } from "./harness/virt.ts";

const board = forAllTests(virt);

test("nound serves on an ARMv7 board", async () => {
  const nound = await board().startNound({ nouns: { note: { kind: "value", default: { text: "hello" } } } });
  expect(await nound.put("/note", { text: "there" })).toEqual({ status: 200, state: { text: "there" } });
  expect(await nound.get("/note")).toEqual({ status: 200, state: { text: "there" } });
});
