import { expect, test } from "vitest";
import { StateError } from "../../../ts/core/noun/state-error.ts";

test("a refused state names its key where one can be named", () => {
  const error = new StateError("Too fast.", "speed");
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "StateError", message: "Too fast.", key: "speed" });
  expect(new StateError("Not now.").key).toBeUndefined();
});
