import { expect, test } from "vitest";
import { isJson } from "../../../ts/core/http/media-type.ts";
import { parseHead } from "../../../ts/core/http/parse-head.ts";
import { defaultLimits } from "../../../ts/core/server/options.ts";

test("a head comes out with what its fields say", () => {
  const head = parseHead(
    "PUT /led HTTP/1.1\r\nHost: a\r\ncontent-type:\tapplication/json \r\nContent-Length: 2\r\n" +
      "Expect: 100-continue\r\nConnection: close\r\n\r\n",
    defaultLimits,
  );
  expect(head?.fields.values["content-type"]).toBe("application/json");
  expect(head).toMatchObject({ method: "PUT", target: "/led", contentLength: 2, expectsContinue: true, close: true });
});

test("a head with two media types has none that is JSON", () => {
  const type = "Content-Type: application/json\r\n";
  const head = parseHead(`GET / HTTP/1.1\r\nHost: a\r\n${type}${type}\r\n`, defaultLimits);
  expect(isJson(head?.fields.values["content-type"] ?? "")).toBe(false);
});
