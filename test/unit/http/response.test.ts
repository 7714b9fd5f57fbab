import { describe, expect, test } from "vitest";
import { continueResponse, noContentResponse, problemResponse, stateResponse } from "../../../ts/core/http/response.ts";

const keep = { close: false, headOnly: false, fields: "" };

test("100 Continue is one line and an empty line", () => {
  expect(continueResponse).toBe("HTTP/1.1 100 Continue\r\n\r\n");
});

describe("a state's answer", () => {
  test("is these bytes", () => {
    expect(stateResponse('{"led":1}', keep)).toBe(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n" +
        "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n" +
        '{"led":1}',
    );
  });

  test("says when the connection ends with it", () => {
    expect(stateResponse("{}", { ...keep, close: true })).toBe(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n" +
        "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n" +
        "Connection: close\r\n\r\n{}",
    );
  });

  test("has its length in bytes of UTF-8", () => {
    expect(stateResponse('{"a":"é€💡"}', keep)).toContain("\r\nContent-Length: 17\r\n");
  });
});

describe("a problem's answer", () => {
  test("is these bytes", () => {
    expect(problemResponse(404, "It is missing.", { ...keep, close: true })).toBe(
      "HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: 60\r\n" +
        "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n" +
        '{"status":404,"title":"Not Found","detail":"It is missing."}',
    );
  });

  test("to HEAD has the length of the body it does not have", () => {
    const whole = problemResponse(404, "Not so.", keep);
    const bare = problemResponse(404, "Not so.", { ...keep, headOnly: true });
    expect(bare.endsWith("\r\n\r\n")).toBe(true);
    expect(whole.startsWith(bare)).toBe(true);
    expect(whole.length).toBeGreaterThan(bare.length);
  });
});

test("further field lines stand before Connection, in a state's answer and in a problem's", () => {
  const delivery = { close: true, headOnly: false, fields: "Vary: Origin\r\n" };
  for (const answer of [stateResponse("{}", delivery), problemResponse(404, "It is missing.", delivery)]) {
    expect(answer).toContain("\r\nCache-Control: no-store\r\nVary: Origin\r\nConnection: close\r\n\r\n{");
  }
});

test("an answer without content has neither a body nor a length", () => {
  expect(noContentResponse({ close: false, fields: "Vary: Origin\r\n" })).toBe(
    "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\nVary: Origin\r\n\r\n",
  );
  expect(noContentResponse({ close: true, fields: "" })).toBe(
    "HTTP/1.1 204 No Content\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
  );
});
