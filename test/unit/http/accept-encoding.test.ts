import fc from "fast-check";
import { expect, test } from "vitest";
import { acceptsGzip } from "../../../ts/core/http/representation.ts";

test.each([
  [undefined, true],
  ["gzip", true],
  ["GZip", true],
  ["x-gzip", true],
  ["gzip, deflate, br, zstd", true],
  ["br;q=1.0, gzip;q=0.001", true],
  ["*", true],
  ["br, *;q=0.1", true],
  [" , gzip ;q=1 ,", true],
  ["", false],
  ["identity", false],
  ["deflate, br", false],
  ["gzip;q=0", false],
  ["gzip;q=0.000, *", false],
  ["*;q=0", false],
  ["gzip;q=2", false],
  ["gzip;x=1", true],
  ["gzip gzip", false],
  ["gzip;;q=0.5;", true],
  [`gzip,${" ".repeat(600)}`, false],
])("%j: %s", (field, accepts) => {
  expect(acceptsGzip(field)).toBe(accepts);
});

test("any field is read, however long, without a throw", () => {
  fc.assert(fc.property(fc.string({ maxLength: 2_000 }), (field) => void acceptsGzip(field)));
});
