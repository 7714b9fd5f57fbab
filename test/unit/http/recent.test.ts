import fc from "fast-check";
import { expect, test } from "vitest";
import { Recent } from "../../../ts/http/recent.ts";

test("what was kept is found by exactly its bytes", () => {
  const recent = new Recent<number>(32, 1024);
  recent.add("GET /led", 1);
  expect(recent.get("GET /led")).toBe(1);
  expect(recent.get("GET /LED")).toBeUndefined();
  expect(recent.get("constructor")).toBeUndefined();
});

test("what is asked for stays, and what is not is gone after a while", () => {
  const recent = new Recent<number>(32, 1024);
  recent.add("asked for", 1);
  recent.add("left alone", 2);
  for (let index = 0; index < 200; index++) {
    recent.add(`other ${index}`, index);
    expect(recent.get("asked for")).toBe(1);
  }
  expect(recent.get("left alone")).toBeUndefined();
});

test("it is empty once it has been cleared", () => {
  const recent = new Recent<number>(32, 1024);
  for (let index = 0; index < 50; index++) recent.add(String(index), index);
  recent.clear();
  for (let index = 0; index < 50; index++) expect(recent.get(String(index))).toBeUndefined();
});

test("it is never wrong, and never remembers more than two generations", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(150), { maxLength: 400 }), (keys) => {
      const recent = new Recent<string>(32, 1024);
      for (const key of keys) {
        expect([undefined, `value of ${key}`]).toContain(recent.get(String(key)));
        recent.add(String(key), `value of ${key}`);
        expect(recent.get(String(key))).toBe(`value of ${key}`);
      }
      let found = 0;
      for (let key = 0; key <= 150; key++) if (recent.get(String(key)) !== undefined) found++;
      expect(found).toBeLessThanOrEqual(64);
    }),
  );
});

test("what is too long is not kept", () => {
  const recent = new Recent<number>(32, 1024);
  recent.add("x".repeat(1025), 1);
  expect(recent.get("x".repeat(1025))).toBeUndefined();
});
