/** The one endpoint shape: four verbs on a noun, byte for byte. */
import { describe, expect, test } from "vitest";
import { SwitchNoun } from "../../../../ts/hardware/nouns/switch-noun.ts";
import { Bench, request, withBody } from "../bench.ts";
import { RecordingNoun } from "../recording-noun.ts";
import { expectState, readResponse, readResponses } from "../responses.ts";

const ledIs0 =
  "HTTP/1.1 200 OK\r\n" +
  "Content-Type: application/json\r\n" +
  "Content-Length: 9\r\n" +
  "X-Content-Type-Options: nosniff\r\n" +
  "Cache-Control: no-store\r\n" +
  "\r\n" +
  '{"led":0}';
const ledIs1 = ledIs0.replace('"led":0', '"led":1');

test("GET answers the current state", () => {
  expect(new Bench().answer("GET /led HTTP/1.1\r\nHost: a\r\n\r\n")).toBe(ledIs0);
});

test("PUT answers the resulting state", () => {
  const bench = new Bench();
  const put =
    "PUT /led HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n" + '{ "led": 1}';
  expect(bench.answer(put)).toBe(ledIs1);
  expect(bench.led.calls).toEqual(['PUT {"led":1}']);
});

test("POST hands the change to the noun's own rule and answers what came of it", () => {
  const bench = new Bench();
  bench.server.register("toggle", new SwitchNoun({ key: "led" }));
  const post = "POST /toggle HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
  expect(bench.answer(post + post + post)).toBe(ledIs1 + ledIs0 + ledIs1);
});

test("DELETE answers the default state and the noun stays registered", () => {
  const bench = new Bench();
  const bytes =
    `${withBody("PUT", "/led", '{"led":1}')}DELETE /led HTTP/1.1\r\nHost: a\r\n` + `\r\n${request("GET", "/led")}`;
  expect(bench.answer(bytes)).toBe(ledIs1 + ledIs0 + ledIs0);
});

test("the empty object is a state", () => {
  const bench = new Bench();
  const [put, get] = readResponses(bench.answer(withBody("PUT", "/led", "{}") + request("GET", "/led")));
  expect(put?.content).toBe("{}");
  expect(get?.content).toBe("{}");
});

test("Content-Length counts bytes of UTF-8, in both directions", () => {
  const bench = new Bench();
  const body = '{"a":"\xc3\xa9\xe2\x82\xac\xf0\x9f\x92\xa1"}';
  const response = readResponse(bench.answer(withBody("PUT", "/other", body)));
  expect(response.fields.get("content-length")).toBe("17");
  expect(response.content).toBe(body);
  expectState(response, { a: "é€💡" });
});

describe("names", () => {
  test("every unreserved character can stand in a name", () => {
    const bench = new Bench();
    bench.server.register("Az09._~-", new RecordingNoun({ x: 1 }));
    expectState(readResponse(bench.answer(request("GET", "/aZ09._~-"))), { x: 1 });
    expectState(readResponse(bench.answer(request("GET", "/az09%2E%5F%7e%2d"))), { x: 1 });
  });

  test("a name of 64 characters is found", () => {
    const bench = new Bench();
    bench.server.register("n".repeat(64), new RecordingNoun({ x: 1 }));
    expectState(readResponse(bench.answer(request("GET", `/${"N".repeat(64)}`))), { x: 1 });
  });

  test.each(["", "a/b", "a b", "é", "\u212a", "a%41", "n".repeat(65), "a\n"])("registering %j throws", (name) => {
    expect(() => new Bench().server.register(name, new RecordingNoun())).toThrow(TypeError);
  });
});

test("field values may hold tabs and opaque bytes", () => {
  const bench = new Bench();
  expect(bench.answer(request("GET", "/led", "X-A:\t a\tb \x80\xff \r\nX-Empty:\r\n"))).toBe(ledIs0);
});
