import { describe, expect, test } from "vitest";
import { requestHead } from "../../../ts/core/http/message-framing.ts";
import { fieldsOf } from "./field-lines.ts";

function framing(method: string, ...lines: string[]): ReturnType<typeof requestHead> {
  return requestHead({ method, target: "/", fields: fieldsOf(["Host: a", ...lines]), isOld: false }, 100);
}

test("a request without framing fields has no body and keeps its connection", () => {
  expect(framing("GET")).toMatchObject({ contentLength: 0, chunked: false, expectsContinue: false, close: false });
});

test("the length, the expectation and the end of the connection are read", () => {
  expect(framing("PUT", "Content-Length: 12", "Expect: 100-Continue", "Connection: x, Close")).toMatchObject({
    contentLength: 12,
    chunked: false,
    expectsContinue: true,
    close: true,
  });
});

test("a body in chunks has no length", () => {
  expect(framing("PUT", "Transfer-Encoding: CHUNKed")).toMatchObject({ contentLength: 0, chunked: true });
  expect(framing("PATCH", "Transfer-Encoding: chunked").chunked).toBe(true);
});

describe("a request of HTTP/1.0", () => {
  const old = (method: string, ...lines: string[]) =>
    requestHead({ method, target: "/", fields: fieldsOf(["Host: a", ...lines]), isOld: true }, 100);

  test("ends its connection, whatever it asks for, and no 100 Continue is expected", () => {
    for (const lines of [[], ["Connection: keep-alive"], ["Connection: close"]]) {
      expect(old("GET", ...lines)).toMatchObject({ close: true, isOld: true });
    }
    const put = old("PUT", "Content-Length: 2", "Expect: 100-continue");
    expect(put).toMatchObject({ contentLength: 2, expectsContinue: false });
  });

  test("needs no Host, and a wrong one is refused", () => {
    const without =
      (isOld: boolean, ...lines: string[]) =>
      () =>
        requestHead({ method: "GET", target: "/", fields: fieldsOf(lines), isOld }, 100);
    expect(without(true)()).toMatchObject({ close: true });
    for (const refused of [without(false), without(true, "Host: a b"), without(true, "Host: a", "Host: a")]) {
      expect(refused).toThrow(expect.objectContaining({ status: 400 }));
    }
  });

  test.each<[number, string[]]>([
    [400, ["Transfer-Encoding: chunked"]],
    [400, ["Transfer-Encoding: gzip"]],
    [411, []],
    [417, ["Content-Length: 2", "Expect: x"]],
  ])("is refused with %i for %j", (status, lines) => {
    expect(() => old("PUT", ...lines)).toThrow(expect.objectContaining({ status, close: true }));
  });
});

test("a zone of the client's network is dropped from Host", () => {
  const hostOf = (host: string) =>
    requestHead({ method: "GET", target: "/", fields: fieldsOf([`Host: ${host}`]), isOld: false }, 100).fields.values[
      "host"
    ];
  expect(hostOf("[fe80::1%25eth0]:8080")).toBe("[fe80::1]:8080");
  expect(hostOf("[fe80::1%eth0]")).toBe("[fe80::1]");
});

test("a POST without a body is told how curl sends one", () => {
  expect(() => framing("POST")).toThrow("--json '{}'");
});
