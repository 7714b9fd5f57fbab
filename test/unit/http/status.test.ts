import { STATUS_CODES } from "node:http";
import { expect, test } from "vitest";
import { reasonPhrase, type Status } from "../../../ts/http/status.ts";

// Node still calls two of them as the RFCs before 9110 did.
const renamed = new Map([
  [413, "Content Too Large"],
  [422, "Unprocessable Content"],
]);

test.each<Status>([
  200, 204, 400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 417, 421, 422, 429, 431, 500, 501, 503, 505,
])("%i has the reason phrase of RFC 9110", (status) => {
  expect(reasonPhrase(status)).toBe(renamed.get(status) ?? STATUS_CODES[status]);
});
