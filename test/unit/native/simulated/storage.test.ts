import { expect, test } from "vitest";
import { SimulatedStorage } from "../../../../ts/native/simulated/storage.ts";

test("a folder keeps its texts for everyone who opens it again", () => {
  const storage = new SimulatedStorage();
  const store = storage.openStore("/a");
  expect(store.read("pump")).toBeUndefined();
  store.write("pump", "1");
  expect(storage.openStore("/a").read("pump")).toBe("1");
  expect(storage.openStore("/b").read("pump")).toBeUndefined();
});

test("a failing folder throws and keeps what it had", () => {
  const store = new SimulatedStorage().openStore("/a");
  store.write("pump", "1");
  store.failure = new Error("No space left on device");
  expect(() => store.write("pump", "0")).toThrow("No space left on device");
  expect(store.read("pump")).toBe("1");
});
