/** Programs that are no part of this project, over HTTPS: curl, OpenSSL, Python's requests and aiohttp, Chromium. */
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress, portOf } from "../harness/address.ts";
import { certificate } from "../harness/certificates.ts";
import { newPage, noChromium, startChromium } from "../harness/chromium.ts";
import { missing, python, run } from "../harness/client-program.ts";
import { eventually } from "../harness/eventually.ts";
import { ask } from "../harness/https-client.ts";
import { privateFile, startNound } from "../harness/nound-process.ts";
import { forAllTests } from "../harness/served.ts";

const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;
const authority = certificate({ name: "House", isAuthority: true });
const own = certificate({ name: "hall", hosts: ["127.0.0.1", "localhost"], issuer: authority });

const trusted = privateFile("authority.pem", authority.pem);
let sealed = "";
forAllTests(async () => {
  sealed = `https://${await freeAddress()}`;
  const https = { certificate: privateFile("certificate.pem", own.pem), key: privateFile("key.pem", own.key) };
  return startNound({ nouns, listen: [sealed], https });
});

const noCurl = missing("curl", "--version");
const noOpenssl = missing("openssl", "version");

describe.each([["1.2"], ["1.3"]])("TLS %s", (version) => {
  test.skipIf(noCurl !== undefined)(`curl sets and reads a state${noCurl ?? ""}`, async () => {
    const words = ["-s", "--cacert", trusted, `--tlsv${version}`, "--tls-max", version];
    const put = ["-X", "PUT", "-H", "Content-Type: application/json", "-d", '{"led":1}', `${sealed}/led`];
    // Both requests are sent on one connection.
    expect(await run("curl", [...words, ...put, "--next", ...words, `${sealed}/led`])).toBe('{"led":1}{"led":1}');
    expect(await run("curl", [...words, "-I", `${sealed}/led`])).toContain("HTTP/1.1 200 OK");
  });

  test.skipIf(noOpenssl !== undefined)(`openssl verifies the chain and the name${noOpenssl ?? ""}`, async () => {
    const words = ["s_client", "-connect", sealed.replace("https://", ""), "-CAfile", trusted, "-verify_return_error"];
    const option = version === "1.2" ? "-tls1_2" : "-tls1_3";
    const printed = await run(
      "openssl",
      [...words, option, "-verify_ip", "127.0.0.1", "-ign_eof"],
      "GET /led HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(printed).toContain("Verify return code: 0 (ok)");
    expect(printed).toContain('{"led":');
  });
});

test.skipIf(noOpenssl !== undefined)(
  `older versions and weak ciphers get no connection${noOpenssl ?? ""}`,
  async () => {
    const address = sealed.replace("https://", "");
    const weak = [
      ["-tls1_1"],
      ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"],
      ["-tls1_2", "-cipher", "AES128-SHA"],
    ];
    for (const options of weak) {
      await expect(run("openssl", ["s_client", "-connect", address, ...options])).rejects.toThrow();
    }
  },
);

const steps = JSON.stringify([
  ["PUT", "/led", { json: { led: 1 } }],
  ["PUT", "/led", { chunks: ['{"l', 'ed":', "0}"], headers: { "Content-Type": "application/json" } }],
  ["GET", "/led", {}],
]);

describe.each([
  ["requests", "requests_client.py", missing(python, "-c", "import requests")],
  ["aiohttp", "aiohttp_client.py", missing(python, "-c", "import aiohttp")],
])("Python's %s", (_, script, reason) => {
  test.skipIf(reason !== undefined)(`sets a state whole and in chunks${reason ?? ""}`, async () => {
    const path = join(import.meta.dirname, "python", script);
    // requests takes the authority from the first variable, aiohttp from the second.
    const environment = { REQUESTS_CA_BUNDLE: trusted, SSL_CERT_FILE: trusted };
    const answers = JSON.parse(await run(python, [path, sealed], steps, environment)) as [number, object, string][];
    expect(answers.map(([status, , text]) => [status, text])).toEqual([
      [200, '{"led":1}'],
      [200, '{"led":0}'],
      [200, '{"led":0}'],
    ]);
  });
});

test.skipIf(noChromium !== undefined)(`Chromium shows the page, and changes a state${noChromium ?? ""}`, async () => {
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  const page = await newPage(browser, { ignoreHTTPSErrors: true });
  const led = { port: portOf(sealed), path: "/led", ca: authority.pem };
  // Whatever the tests of other programs have left.
  await ask({ ...led, method: "PUT", headers: { "content-type": "application/json" } }, '{"led":0}');
  await page.goto(`${sealed}/`);
  await page.getByText("led").first().waitFor();
  await page.getByText("Live").first().waitFor();
  await page.getByRole("switch").first().click();
  await eventually("the state is changed", async () => (await ask(led)).body === '{"led":1}');
  expect(await ask(led)).toMatchObject({ status: 200, body: '{"led":1}' });
});
