/** HEAD, OPTIONS and `Allow` (RFC 9110, 9.3.2, 9.3.7 and 10.2.1), and the methods that a noun does not take. */

import { describe, expect, test } from "vitest";
import { allowed, expectProblem, expectState } from "../harness/expected-response.ts";
import { startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put, request } from "../harness/request.ts";
import type { Response } from "../harness/response.ts";
import { forAllTests } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { nouns, stillState } from "../wire/nouns.ts";

const button = { kind: "gpio-input", chip: "gpiochip0", offset: 19, key: "pressed" } as const;
const nound = forAllTests(() => startNound({ nouns: { ...nouns, button } }, ["--simulate"]));

/** Sends requests at once on one connection: a body where none belongs would be taken for the next status line. */
async function ask(...requests: readonly string[]): Promise<Response[]> {
  const connection = await RawConnection.open(nound().address);
  connection.send(requests.join(""));
  const responses: Response[] = [];
  for (const bytes of requests) responses.push(await connection.response(bytes.split(" ")[0]));
  connection.send(get("/still"));
  expectState(await connection.response(), stillState);
  connection.drop();
  return responses;
}

function fieldsOf({ fields }: Response): { [name: string]: string } {
  return Object.fromEntries(fields);
}

describe("HEAD", () => {
  test.each(["/still", "/led", "/LED", "/note", "/button", "/", "http://localhost/still"])(
    "of %s is answered as GET is, with its fields and without its body",
    async (target) => {
      const [head, whole] = await ask(request("HEAD", target), get(target));
      expect(head?.status).toBe(200);
      expect(head?.reason).toBe("OK");
      expect(head && fieldsOf(head)).toEqual(whole && fieldsOf(whole));
      expect(head?.fields.get("content-length")).toBe(String(whole?.body.length));
      expect(head?.body.length).toBe(0);
    },
  );

  test("changes nothing", async () => {
    const [, , after] = await ask(put("/led", { led: 1 }), request("HEAD", "/led").repeat(1), get("/led"));
    expectState(after as Response, { led: 1 });
  });

  test("ends with its head whatever its status, and has the fields of the refusal that GET would get", async () => {
    for (const [target, status] of [
      ["/zqx", 404],
      ["/led?zqx", 400],
      ["/led%6", 400],
      ["/led/zqx", 404],
    ] as const) {
      const [head, whole] = await ask(request("HEAD", target), get(target));
      expectProblem(head as Response, status, "keep", "HEAD");
      expect(head && fieldsOf(head)).toEqual(whole && fieldsOf(whole));
    }
    const connection = await RawConnection.open(nound().address);
    connection.send("HEAD /led HTTP/1.1\r\nHost: zqx@\r\n\r\n");
    expectProblem(await connection.response("HEAD"), 400, "close", "HEAD");
    await connection.closedInOrder();
  });

  test("honours Connection: close", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(request("HEAD", "/still", "Connection: close\r\n"));
    const response = await connection.response("HEAD");
    expect(response.fields.get("connection")).toBe("close");
    await connection.closedInOrder();
  });
});

describe("OPTIONS", () => {
  test.each([
    ["/led", allowed.noun],
    ["/LED", allowed.noun],
    ["/note", allowed.noun],
    ["/button", allowed.readOnlyNoun],
    ["/", allowed.all],
  ])("of %s is answered with 204 and what is allowed there", async (target, allow) => {
    const [response] = await ask(request("OPTIONS", target));
    expect(response?.status).toBe(204);
    expect(response && fieldsOf(response)).toEqual({ allow, "cache-control": "no-store" });
  });

  test("of * is answered with 204 and what the server knows", async () => {
    const [response] = await ask(request("OPTIONS", "*"));
    expect(response?.status).toBe(204);
    expect(response?.fields.get("allow")).toBe(allowed.noun);
  });

  test("of an unknown noun is answered with 404", async () => {
    const [response] = await ask(request("OPTIONS", "/zqx"));
    expectProblem(response as Response, 404, "keep");
  });

  test("with the fields of a preflight grants nothing where no origin is listed", async () => {
    const fields = "Origin: http://example.com\r\nAccess-Control-Request-Method: PUT\r\n";
    const [response] = await ask(request("OPTIONS", "/led", fields));
    expect(response?.status).toBe(204);
    expect(response && fieldsOf(response)).toEqual({ allow: allowed.noun, "cache-control": "no-store" });
  });

  test("may have a Content-Length of nothing", async () => {
    const [response] = await ask(request("OPTIONS", "/led", "Content-Length: 0\r\n"));
    expect(response?.status).toBe(204);
  });
});

describe("a noun that cannot be set", () => {
  test("refuses PUT and POST with 405, and says what it allows", async () => {
    const answers = await ask(put("/button", { pressed: 1 }), post("/button"), request("PATCH", "/button"));
    for (const answer of answers) {
      expectProblem(answer, 405, "keep");
      expect(answer.fields.get("allow")).toBe(allowed.readOnlyNoun);
    }
  });

  test("refuses them before it looks at their media type or their body", async () => {
    const plain = put("/button", { pressed: 1 }).replace("application/json", "text/plain");
    for (const answer of await ask(plain, put("/button", {}).replace("{}", "{]"))) expectProblem(answer, 405, "keep");
  });

  test("is still reset by DELETE", async () => {
    const [response] = await ask(request("DELETE", "/button"));
    expectState(response as Response, { pressed: 0 });
  });
});

test("a refused method says what is allowed where it was tried", async () => {
  const [noun, all] = await ask(request("PATCH", "/led"), request("DELETE", "/"));
  expectProblem(noun as Response, 405, "keep");
  expect(noun?.fields.get("allow")).toBe(allowed.noun);
  expectProblem(all as Response, 405, "keep");
  expect(all?.fields.get("allow")).toBe(allowed.all);
});

test("CONNECT is refused before a field of it has come", async () => {
  for (const [target, status] of [
    ["localhost:80", 501],
    ["/led", 400],
  ] as const) {
    const connection = await RawConnection.open(nound().address);
    connection.send(`CONNECT ${target} HTTP/1.1\r\n`);
    expectProblem(await connection.response(), status, "close");
    await connection.closedInOrder();
  }
});

test("a POST that names a switch's state sets it, as often as it is sent", async () => {
  const answers = await ask(post("/led", { led: 1 }), post("/led", { led: 1 }), post("/led", { led: 0 }));
  expect(answers.map(({ body }) => body.toString())).toEqual(['{"led":1}', '{"led":1}', '{"led":0}']);
});

describe("with tokens", () => {
  const made = { reader: "", writer: "" };
  const guarded = forAllTests(async () => {
    const reader = await makeToken("reader");
    const writer = await makeToken("writer");
    Object.assign(made, { reader: reader.token, writer: writer.token });
    const lines = [
      reader.line.replace("GET,PUT,POST,DELETE *", "GET still"),
      writer.line.replace("GET,PUT,POST,DELETE *", "PUT led"),
    ];
    return await startNound({ access: { tokens: tokenFile(...lines) }, nouns });
  });

  async function statusOf(method: string, target: string, token: string): Promise<number> {
    const connection = await RawConnection.open(guarded().address);
    connection.send(request(method, target, token === "" ? "" : `Authorization: Bearer ${token}\r\n`));
    const { status } = await connection.response(method);
    connection.drop();
    return status;
  }

  test("HEAD needs the token's GET", async () => {
    expect(await statusOf("HEAD", "/still", made.reader)).toBe(200);
    expect(await statusOf("HEAD", "/led", made.reader)).toBe(403);
    expect(await statusOf("HEAD", "/led", made.writer)).toBe(403);
    expect(await statusOf("HEAD", "/still", "")).toBe(401);
  });

  test("OPTIONS needs a token that may do anything with that noun; / and * need any token", async () => {
    expect(await statusOf("OPTIONS", "/still", made.reader)).toBe(204);
    expect(await statusOf("OPTIONS", "/led", made.writer)).toBe(204);
    expect(await statusOf("OPTIONS", "/led", made.reader)).toBe(403);
    expect(await statusOf("OPTIONS", "/zqx", made.reader)).toBe(403);
    for (const target of ["/", "*"]) {
      expect(await statusOf("OPTIONS", target, made.writer)).toBe(204);
      expect(await statusOf("OPTIONS", target, "")).toBe(401);
    }
  });
});
