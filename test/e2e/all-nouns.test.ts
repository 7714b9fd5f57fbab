/** `GET /`: the states of all nouns in one answer. */

import { describe, expect, test } from "vitest";
import { slowness } from "../harness/environment.ts";
import { allowed, expectProblem } from "../harness/expected-response.ts";
import { startApplication, startNound } from "../harness/nound-process.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { get, post, put, request } from "../harness/request.ts";
import type { Response } from "../harness/response.ts";
import { forAllTests } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { nouns } from "../wire/nouns.ts";

async function answer(address: string, bytes: string): Promise<Response> {
  const connection = await RawConnection.open(address);
  connection.send(bytes);
  const response = await connection.response(bytes.split(" ")[0]);
  connection.drop();
  return response;
}

function objectOf(response: Response): { [name: string]: unknown } {
  expect(response.status, response.bytes).toBe(200);
  expect(response.fields.get("content-type")).toBe("application/json");
  expect(response.fields.get("cache-control")).toBe("no-store");
  return JSON.parse(response.body.toString("utf8")) as { [name: string]: unknown };
}

describe("the stock program", () => {
  const nound = forAllTests(() => startNound({ nouns }));

  test("answers GET / with each noun's state under its name, in the order of the configuration", async () => {
    const connection = await RawConnection.open(nound().address);
    connection.send(put("/led", { led: 1 }));
    await connection.response();
    const response = await answer(nound().address, get("/"));
    expect(Object.keys(objectOf(response))).toEqual(Object.keys(nouns));
    expect(response.fields.get("vary")).toBe("Accept");
    for (const [name, state] of Object.entries(objectOf(response))) {
      expect(state, name).toEqual(objectOf(await answer(nound().address, get(`/${name}`))));
    }
    connection.send(request("DELETE", "/led"));
    await connection.response();
    expect(objectOf(await answer(nound().address, get("/")))).toMatchObject({ led: { led: 0 } });
  });

  test.each(["http://localhost/", "http://localhost:80/"])("answers it in the absolute form %s", async (target) => {
    expect(Object.keys(objectOf(await answer(nound().address, get(target))))).toEqual(Object.keys(nouns));
  });

  test.each([
    ["anything", "*/*"],
    ["any text", "text/*"],
    ["JSON", "application/json"],
    ["something else", "image/png"],
    ["what nobody can read", ";;;q=zqx"],
    ["JSON with no weight", "application/json;q=0"],
    ["nothing", ""],
  ])("answers a client that accepts %s with JSON", async (_, accept) => {
    const response = await answer(nound().address, request("GET", "/", `Accept: ${accept}\r\n`));
    expect(Object.keys(objectOf(response))).toEqual(Object.keys(nouns));
  });

  test("refuses PUT, POST and DELETE of all nouns with 405, and changes none", async () => {
    for (const bytes of [put("/", {}), post("/"), request("DELETE", "/")]) {
      const response = await answer(nound().address, bytes);
      expectProblem(response, 405, "keep");
      expect(response.fields.get("allow")).toBe(allowed.all);
    }
    expect(objectOf(await answer(nound().address, get("/")))).toMatchObject({ led: { led: 0 } });
  });

  test("refuses a query there, as anywhere", async () => {
    expectProblem(await answer(nound().address, get("/?zqx=1")), 400, "keep");
  });
});

describe("with tokens", () => {
  const made = { led: "", several: "", writer: "" };
  const nound = forAllTests(async () => {
    const [led, several, writer] = [await makeToken("led"), await makeToken("several"), await makeToken("writer")];
    Object.assign(made, { led: led.token, several: several.token, writer: writer.token });
    const everything = "GET,PUT,POST,DELETE *";
    const lines = [
      led.line.replace(everything, "GET led"),
      several.line.replace(everything, "GET still,a.*"),
      several.line.replace(everything, "PUT note"),
      writer.line.replace(everything, "PUT *"),
    ];
    return await startNound({ access: { tokens: tokenFile(...lines) }, nouns });
  });
  const seen = async (token: string) =>
    objectOf(await answer(nound().address, request("GET", "/", `Authorization: Bearer ${token}\r\n`)));

  test("a token for one noun sees that noun alone", async () => {
    expect(await seen(made.led)).toEqual({ led: { led: 0 } });
  });

  test("a token sees the nouns that it may GET, and no other", async () => {
    expect(await seen(made.several)).toEqual({ still: nouns.still.default, "a.b_c~d-1": { odd: "name" } });
    expect(await seen(made.writer)).toEqual({});
  });

  test("a client without a token sees nothing", async () => {
    expectProblem(await answer(nound().address, get("/")), 401, "keep");
  });
});

describe("an application whose nouns fail, talk nonsense and never answer", () => {
  const nounTimeout = 400 * slowness;
  const application = forAllTests(() =>
    startApplication({ nounTimeout, shutdownTimeout: 300, nounBusyTime: 200 * slowness }),
  );

  test("answers GET / with null for those and with the states of all others", async () => {
    const all = objectOf(await answer(application().address, get("/")));
    expect(all).toMatchObject({ never: null, still: { n: 1.5, s: "x", b: true, z: null }, plain: { plain: true } });
    expect(Object.keys(all).filter((name) => name.startsWith("number-"))).toHaveLength(1_000);
    expect(all["number-999"]).toEqual({ number: 999 });
    expect(Object.values(all).filter((state) => state === null).length).toBeGreaterThan(5);
  });

  test("goes on answering others meanwhile", async () => {
    const waiting = answer(application().address, get("/"));
    expect((await answer(application().address, get("/still"))).status).toBe(200);
    expect((await waiting).status).toBe(200);
  });
});
