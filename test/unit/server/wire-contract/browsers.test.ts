/** A refusal to a browser that asks for `/` and for HTML first is a page of one sentence, for the person who reads it. */
import { expect, test } from "vitest";
import { HttpError } from "../../../../ts/core/http/http-error.ts";
import { plainPolicy, problemResponse } from "../../../../ts/core/http/response.ts";
import { RefusalAnswer } from "../../../../ts/core/operations/answer.ts";
import { Bench, request } from "../bench.ts";
import { readResponse } from "../responses.ts";

const html = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n";

function bench(): Bench {
  return new Bench({}, false, { hosts: ["hall.example"] });
}

test.each(["/", "http://b/", "http://b"])("of the host: %s", (target) => {
  const response = readResponse(bench().answer(request("GET", target, html)));
  expect(response.status).toBe(421);
  expect(response.fields.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.fields.get("content-security-policy")).toBe(plainPolicy);
  expect(response.fields.get("cache-control")).toBe("no-store");
  expect(response.content).toContain("<title>421 Misdirected Request</title><p>This server does not answer for ");
  expect(response.content).not.toMatch(/script|\{/);
  expect(response.content.length).toBeLessThan(400);
});

test("HEAD gets the fields of the page, and no body", () => {
  const [page, head] = ["GET", "HEAD"].map((method) => bench().answer(request(method, "/", html)));
  expect(head).toBe(page?.slice(0, page.indexOf("\r\n\r\n") + 4));
});

test.each([
  ["another path", "/led", html],
  ["JSON first", "/", "Accept: application/json, text/html;q=0.9\r\n"],
  ["anything", "/", "Accept: */*\r\n"],
  ["nothing in particular", "/", ""],
])("a client that asks for %s gets a problem document", (_, target, fields) => {
  const response = readResponse(bench().answer(request("GET", target, fields)));
  expect(response.fields.get("content-type")).toBe("application/problem+json");
});

test("what HTML would take for markup is text", () => {
  const delivery = { close: false, headOnly: false, fields: "", isForBrowser: true };
  expect(problemResponse(400, "a <b> & c", delivery)).toContain("<p>a &lt;b> &amp; c</html>");
  const refusal = RefusalAnswer.of(HttpError.keeping(429, "Later.", "Retry-After: 5\r\n"));
  expect(refusal.write({ ...delivery, fields: "Vary: Origin\r\n" })).toContain(
    "\r\nVary: Origin\r\nRetry-After: 5\r\n",
  );
});
