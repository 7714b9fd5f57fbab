/** HEAD: the fields of GET's answer, and no body, also where it is refused. */
import { describe, expect, test } from "vitest";
import { Bench, request } from "../bench.ts";
import { readResponses } from "../responses.ts";

describe("HEAD", () => {
  test("of a noun has the fields of GET's answer, and no body", () => {
    const bench = new Bench();
    const received = bench.answer(request("HEAD", "/led") + request("GET", "/led"));
    const [head, get] = readResponses(received, [0]);
    expect(head?.status).toBe(200);
    expect(head?.fields).toEqual(get?.fields);
    expect(get?.status).toBe(200);
  });

  test.each([
    ["If-None-Match: *\r\n", 200],
    ['If-None-Match: "zqx"\r\n', 200],
    ['If-Match: "zqx"\r\n', 412],
    ["Content-Length: 1\r\n", 400],
    ["Transfer-Encoding: chunked\r\n", 400],
    ["Host: b\r\n", 400],
    ["Expect: zqx\r\n", 417],
  ])("of a noun and of / with %j has the fields of GET's answer", (fields, status) => {
    const answer = (method: string, target: string) => {
      const bench = new Bench();
      for (const name of ["slow", "slower"]) bench.server.unregister(name);
      return readResponses(bench.answer(request(method, target, fields)), method === "HEAD" ? [0] : [])[0];
    };
    for (const target of ["/led", "/"]) {
      const [head, get] = [answer("HEAD", target), answer("GET", target)];
      expect([head?.status, get?.status]).toEqual([status, status]);
      expect(head?.fields).toEqual(get?.fields);
    }
  });

  test("that is malformed has no body either", () => {
    const bench = new Bench();
    const [head, ...more] = readResponses(bench.answer("HEAD /led HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n"), [0]);
    expect(head?.status).toBe(400);
    expect(more).toEqual([]);
  });
});
