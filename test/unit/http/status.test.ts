import { expect, test } from "vitest";
import { reasonPhrase, type Status } from "../../../ts/core/http/status.ts";
import { reasonOf } from "../../harness/statuses.ts";

test.each<Status>([
  200, 204, 304, 400, 401, 403, 404, 405, 408, 411, 412, 413, 414, 415, 417, 421, 422, 429, 431, 500, 501, 503, 505,
])("%i has the reason phrase of RFC 9110", (status) => {
  expect(reasonPhrase(status)).toBe(reasonOf(status));
});
