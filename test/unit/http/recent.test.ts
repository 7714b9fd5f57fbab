import fc from "fast-check";
import { expect, test } from "vitest";
import { Recent } from "../../../ts/http/recent.ts";

/** Offers a value twice: only what is seen again is kept. */
function keep<Value>(recent: Recent<Value>, bytes: string, value: Value): void {
  recent.add(bytes, value);
  recent.add(bytes, value);
}

test("what was offered once is not kept yet", () => {
  const recent = new Recent<number>(32, 1024);
  recent.add("GET /led", 1);
  expect(recent.get("GET /led")).toBeUndefined();
  for (let other = 0; other < 31; other++) recent.add(`other ${other}`, other);
  recent.add("GET /led", 2);
  expect(recent.get("GET /led")).toBe(2);
});

test("what ends like something offered before is kept a sight too early, and is still not mixed up with it", () => {
  const recent = new Recent<number>(32, 1024);
  recent.add("GET /led HTTP/1.1", 1);
  recent.add("PUT /led HTTP/1.1", 2);
  expect(recent.get("GET /led HTTP/1.1")).toBeUndefined();
  expect(recent.get("PUT /led HTTP/1.1")).toBe(2);
});

test("what is never offered again within 32 others is never kept", () => {
  const recent = new Recent<number>(32, 1024);
  for (let index = 0; index < 1000; index++) recent.add(`head ${index % 40}`, index);
  for (let index = 0; index < 40; index++) expect(recent.get(`head ${index}`)).toBeUndefined();
});

test("what was kept is found by exactly its bytes", () => {
  const recent = new Recent<number>(32, 1024);
  keep(recent, "GET /led", 1);
  expect(recent.get("GET /led")).toBe(1);
  expect(recent.get("GET /LED")).toBeUndefined();
  expect(recent.get("constructor")).toBeUndefined();
});

test("what is asked for stays, and what is not is gone after a while", () => {
  const recent = new Recent<number>(32, 1024);
  keep(recent, "asked for", 1);
  keep(recent, "left alone", 2);
  for (let index = 0; index < 200; index++) {
    keep(recent, `other ${index}`, index);
    expect(recent.get("asked for")).toBe(1);
  }
  expect(recent.get("left alone")).toBeUndefined();
});

test("it is empty once it has been cleared", () => {
  const recent = new Recent<number>(32, 1024);
  for (let index = 0; index < 50; index++) keep(recent, String(index), index);
  recent.clear();
  for (let index = 0; index < 50; index++) {
    expect(recent.get(String(index))).toBeUndefined();
    recent.add(String(index), index);
    expect(recent.get(String(index))).toBeUndefined();
  }
});

test("it is never wrong, and never remembers more than two generations", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(150), { maxLength: 400 }), (keys) => {
      const recent = new Recent<string>(32, 1024);
      for (const key of keys) {
        expect([undefined, `value of ${key}`]).toContain(recent.get(String(key)));
        keep(recent, String(key), `value of ${key}`);
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
  keep(recent, "x".repeat(1024), 1);
  keep(recent, "x".repeat(1025), 1);
  expect(recent.get("x".repeat(1024))).toBe(1);
  expect(recent.get("x".repeat(1025))).toBeUndefined();
});
