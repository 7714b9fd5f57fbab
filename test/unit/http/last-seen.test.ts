import { expect, test } from "vitest";
import { LastSeen } from "../../../ts/http/last-seen.ts";

test("a text is seen again as long as no more others have come by than are remembered", () => {
  const seen = new LastSeen(3);
  expect(["a", "b", "c", "a", "d", "a", "b"].map((text) => seen.again(text))).toEqual([
    ...[false, false, false, true],
    ...[false, false, false],
  ]);
});

test("nothing is seen again once it has been cleared", () => {
  const seen = new LastSeen(3);
  seen.again("a");
  seen.again("b");
  seen.clear();
  expect([seen.again("a"), seen.again("b"), seen.again("a")]).toEqual([false, false, true]);
});
