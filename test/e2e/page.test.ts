/** The page that browsers get at `/`, as it is on the wire: who gets it, how it may be kept, and what it may do. */

import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { missing, python, run } from "../harness/client-program.ts";
import { memoryNotJudged } from "../harness/environment.ts";
import { startConfigured } from "../harness/nound-process.ts";
import { ownMemory } from "../harness/process-status.ts";
import { RawConnection } from "../harness/raw-connection.ts";
import { request, requestWithBody } from "../harness/request.ts";
import type { Response } from "../harness/response.ts";
import { forAllTests, forThisTest } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";
import { nouns } from "../wire/nouns.ts";

const html = "Accept: text/html\r\n";
/** As a browser has it. */
const browser =
  "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n" +
  "Accept-Encoding: gzip, deflate, br, zstd\r\n";

async function ask(address: string, bytes: string): Promise<Response> {
  const connection = await RawConnection.open(address);
  connection.send(bytes);
  return await connection.response(bytes.slice(0, bytes.indexOf(" ")));
}

async function start(rest: object) {
  const listen = await freeAddress();
  return startConfigured({ listen, nouns, ...rest }, listen);
}

describe("by default", () => {
  const nound = forAllTests(() => start({}));
  const get = (fields: string, method = "GET", target = "/") => ask(nound().address, request(method, target, fields));

  test("a browser gets one HTML document, which asks for nothing from elsewhere", async () => {
    const { status, fields, body } = await get(browser);
    expect(status).toBe(200);
    expect(fields.get("content-type")).toBe("text/html; charset=utf-8");
    expect(fields.get("content-encoding")).toBe("gzip");
    expect(fields.get("cache-control")).toBe("private, no-cache");
    expect(fields.get("vary")).toBe("Accept, Accept-Encoding");
    expect(fields.get("x-content-type-options")).toBe("nosniff");
    expect(fields.get("referrer-policy")).toBe("no-referrer");
    const document = gunzipSync(body).toString("utf8");
    expect(document).toMatch(/^<!doctype html>/);
    // A person reads it before the script runs.
    expect(document).toContain('<p class="status connecting" role="status">Connecting</p>');
    // What is left of addresses are the names of XML namespaces.
    expect(document.replaceAll(/http:\/\/www\.w3\.org\/[A-Za-z0-9/]+/g, "")).not.toMatch(/https?:|\/\/[a-z]/);
  });

  test("the document is at most 34 KB", async () => {
    const { body } = await get(browser);
    console.log(`the page has ${body.length} bytes compressed`);
    expect(body.length).toBeLessThanOrEqual(34_000);
  });

  test.each(["de", "es", "fr", "zh"])(
    "the words of %s are at most 2.8 KB, for a browser that wants them",
    async (language) => {
      const { status, fields, body } = await get("", "GET", `/page/${language}`);
      expect([status, fields.get("content-type"), body.length <= 2_800]).toEqual([200, "application/json", true]);
      expect(JSON.parse(gunzipSync(body).toString("utf8"))[0]).toHaveProperty("status.409");
      const tag = fields.get("etag") ?? "";
      const again = await get(`If-None-Match: ${tag}\r\n`, "GET", `/page/${language}`);
      expect([again.status, again.body.length]).toEqual([304, 0]);
    },
  );

  test("its policy names its script and its style by their hashes, and allows no other source", async () => {
    const { fields } = await get(browser);
    const hash = "'sha256-[A-Za-z0-9+/]{43}='";
    expect(fields.get("content-security-policy")).toMatch(
      new RegExp(
        `^default-src 'none'; script-src ${hash}; style-src ${hash}; img-src data:; manifest-src data:; ` +
          `connect-src 'self'; base-uri 'none'; ` +
          "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$",
      ),
    );
  });

  test.each([
    ["text/html", true],
    ["text/html;q=0.5, */*;q=0.1", true],
    ["text/html, */*", false],
    ["*/*", false],
    ["text/html, text/event-stream", false],
    [`text/html${" ,".repeat(251)}`, true],
    [`text/html${" ,".repeat(252)}`, false],
  ])("Accept: %s gets the page: %s", async (accept, isPage) => {
    const { fields } = await get(`Accept: ${accept}\r\n`);
    expect(fields.get("content-type")).toBe(isPage ? "text/html; charset=utf-8" : "application/json");
  });

  test("JSON has one Vary field, which names Accept", async () => {
    expect((await get("")).fields.get("vary")).toBe("Accept");
  });

  test("a noun has no page", async () => {
    expect((await get(html, "GET", "/led")).fields.get("content-type")).toBe("application/json");
  });

  test("HEAD has the same fields, without the body", async () => {
    const whole = await get(browser);
    const head = await get(browser, "HEAD");
    expect([...head.fields]).toEqual([...whole.fields]);
    expect(head.body.length).toBe(0);
  });

  test.each(["identity", "gzip;q=0, *", "br", "", "*;q=0", "gzip;q=x"])(
    "a client that accepts the coding `%s` gets a short page that says so",
    async (codings) => {
      const { status, fields, body } = await get(`${html}Accept-Encoding: ${codings}\r\n`);
      expect(status).toBe(200);
      expect(fields.get("content-encoding")).toBeUndefined();
      expect(fields.get("content-security-policy")).toMatch(/^default-src 'none'; /);
      expect(body.toString("utf8")).toContain("compressed by gzip, which this browser does not accept");
    },
  );

  test("each coding has its tag, and a client that has the page already gets 304", async () => {
    const tags = await Promise.all(
      ["gzip", "identity"].map(async (coding) => {
        const encoding = `${html}Accept-Encoding: ${coding}\r\n`;
        const tag = (await get(encoding)).fields.get("etag") ?? "";
        const { status, fields, body } = await get(`${encoding}If-None-Match: "x", ${tag}\r\n`);
        expect([status, fields.get("etag"), body.length]).toEqual([304, tag, 0]);
        expect(fields.get("vary")).toBe("Accept, Accept-Encoding");
        expect((await get(`${encoding}If-Match: "x"\r\n`)).status).toBe(412);
        expect((await get(`${encoding}If-Match: ${tag}\r\n`)).status).toBe(200);
        return tag;
      }),
    );
    expect(tags[0]).toMatch(/^"[0-9a-f]{32}-gzip"$/);
    expect(tags[1]).toMatch(/^"[0-9a-f]{32}"$/);
  });

  test("the connection ends with the page, and only with the page", async () => {
    const connection = await RawConnection.open(nound().address);
    const tag = (await get(browser)).fields.get("etag") ?? "";
    connection.send(request("GET", "/led") + request("GET", "/", `${browser}If-None-Match: ${tag}\r\n`));
    expect((await connection.response()).status).toBe(200);
    expect((await connection.response()).status).toBe(304);
    connection.send(request("GET", "/", browser));
    const { fields } = await connection.response();
    expect(fields.get("connection")).toBe("close");
    await connection.closedInOrder();
  });

  const noPython = missing(python, "-c", "import socket");

  test.skipIf(noPython !== undefined).each(["/", "/openapi.json"])(
    `%s reaches a slow reader whole, also if it sends a byte behind its request${noPython ?? ""}`,
    async (target) => {
      const bytes = request("GET", target, `${browser}Connection: close\r\n`);
      const whole = await ask(nound().address, bytes);
      const script = join(import.meta.dirname, "python/slow_reader.py");
      const printed = await run(python, [script, nound().address], bytes);
      expect(printed).toBe(`${whole.length} FIN\n`);
    },
  );

  test.skipIf(memoryNotJudged !== undefined)("it costs under 16 KB of memory while nobody asks for it", async () => {
    // The memory of one start depends on what happens to fit into its last pages, so several devices are compared.
    const devices = [0, 3, 6, 9, 12, 15];
    const sizes = async (page: boolean) => {
      let sum = 0;
      for (const count of devices) {
        const more = Array.from({ length: count }, (_, index) => [`more${index}`, { kind: "switch", key: "on" }]);
        const of = { nouns: { ...nouns, ...Object.fromEntries(more) } };
        const { address, pid, stop } = await bare(page ? of : { ...of, documents: ["description", "changes"] });
        await ask(address, request("GET", "/led"));
        sum += ownMemory(pid);
        await stop();
      }
      return Math.round(sum / devices.length);
    };
    const [on, off] = [await sizes(true), await sizes(false)];
    console.log(`own memory with the page ${on} KB, without ${off} KB`);
    expect(on - off).toBeLessThan(16);
  });

  async function bare(rest: object) {
    const running = await start(rest);
    return { address: running.address, pid: running.pid, stop: () => running.stop() };
  }
});

test("switched off, a browser gets JSON", async () => {
  const { address } = forThisTest(
    await start({ documents: ["description", "openapi", "metrics", "changes", "history"] }),
  );
  const { fields } = await ask(address, request("GET", "/", browser));
  expect(fields.get("content-type")).toBe("application/json");
});

test("the page needs no token, whatever comes instead of one; all that it asks for does", async () => {
  const { token, line } = await makeToken("panel");
  const { address } = forThisTest(await start({ access: { tokens: tokenFile(line) } }));
  for (const fields of ["", "Authorization: Bearer 0\r\n", `Authorization: Bearer ${token}\r\n`]) {
    const { status, fields: answered } = await ask(address, request("GET", "/", browser + fields));
    expect([status, answered.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  }
  expect((await ask(address, request("GET", "/"))).status).toBe(401);
  expect((await ask(address, request("GET", "/.well-known/wot"))).status).toBe(401);
});

test("a host that is not listed gets no page", async () => {
  const { address } = forThisTest(await start({ access: { hosts: ["hall.example"] } }));
  expect((await ask(address, request("GET", "/", browser))).status).toBe(421);
});

describe("with origins listed", () => {
  const access = { origins: ["https://panel.example"] };
  const nound = forAllTests(() => start({ access }));
  const off = forAllTests(() =>
    start({ access, documents: ["description", "openapi", "metrics", "changes", "history"] }),
  );
  const change = (address: string, origin: string, target = "/led") =>
    ask(address, requestWithBody("PUT", target, '{"led":1}', `Origin: ${origin}\r\n`));

  test("the page's own origin may change a noun, over http and behind a proxy", async () => {
    for (const origin of ["http://localhost", "https://localhost"]) {
      const { status, fields } = await change(nound().address, origin);
      expect([status, fields.get("access-control-allow-origin")]).toEqual([200, undefined]);
    }
    expect((await change(nound().address, "http://other:81", "http://other:81/led")).status).toBe(200);
  });

  test.each([
    "http://localhost:81",
    "http://localhost.example",
    "http://LOCALHOST",
    "ftp://localhost",
    "localhost",
    "null",
  ])("%s is not the page's own", async (origin) => {
    expect((await change(nound().address, origin)).status).toBe(403);
  });

  test("without the page, only the listed ones may", async () => {
    expect((await change(off().address, "http://localhost")).status).toBe(403);
  });
});
