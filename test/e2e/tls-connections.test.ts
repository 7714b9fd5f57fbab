/** A device whose broker, webhook and application's servers have TLS: mosquitto, and Node's server. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { freeAddress, freePort } from "../harness/address.ts";
import { BrokerSite } from "../harness/broker-site.ts";
import { bundleApplication } from "../harness/bundled-application.ts";
import { type Certificate, certificate } from "../harness/certificates.ts";
import { missing as programMissing, run } from "../harness/client-program.ts";
import { eventually } from "../harness/eventually.ts";
import { type Mosquitto, mosquittoMissing, OtherClient } from "../harness/mosquitto.ts";
import {
  configurationFile,
  NoundProcess,
  privateFile,
  runNound,
  startNound,
  temporaryPath,
} from "../harness/nound-process.ts";
import { forThisTest } from "../harness/served.ts";

const missing = mosquittoMissing();

const authority = certificate({ name: "House", isAuthority: true });
const server = certificate({ name: "server", hosts: ["127.0.0.1", "localhost"], issuer: authority });
const authorities = privateFile("authority.pem", authority.pem);
const nouns = { led: { kind: "switch", key: "led", values: [0, 1], default: 0 } } as const;

const files = (name: string, { pem, key }: Certificate) => ({
  certificate: privateFile(`${name}.pem`, pem),
  key: privateFile(`${name}-key.pem`, key),
});

/** A broker with a port for TLS, where a client certificate is its user, and a device there. */
class SealedSite extends BrokerSite {
  readonly port: number;

  private constructor(context: TestContext, port: number) {
    super(context);
    this.port = port;
  }

  static async make(context: TestContext): Promise<SealedSite> {
    return new SealedSite(context, await freePort());
  }

  sealedBroker(lines: readonly string[] = []): Promise<Mosquitto> {
    const { certificate: certfile, key } = files("server", server);
    return this.broker([
      `listener ${this.port} 127.0.0.1`,
      `cafile ${authorities}`,
      `certfile ${certfile}`,
      `keyfile ${key}`,
      "require_certificate true",
      "use_identity_as_username true",
      ...lines,
    ]);
  }

  async client(broker: Mosquitto): Promise<OtherClient> {
    const client = await OtherClient.connect(broker.port);
    this.context.onTestFinished(() => client.end());
    return client;
  }

  device(broker: Mosquitto, configuration: object, tls: object): Promise<NoundProcess> {
    const address = `mqtts://localhost:${this.port}`;
    return this.start(broker, { nouns, ...configuration }, { server: address, tls });
  }
}

/** Makes the authority's list of revoked certificates, as docs/security.md does. @returns its path. */
async function listOf(revoked: Certificate): Promise<string> {
  const database = privateFile("index.txt", "");
  const list = temporaryPath("revoked.pem");
  const settings = ["[ca]", "default_ca = own", "[own]", `database = ${database}`, "default_md = sha256"];
  const config = privateFile("ca.cnf", [...settings, "default_crl_days = 30", ""].join("\n"));
  const { certificate: cert, key } = files("authority", authority);
  const ca = ["ca", "-config", config, "-cert", cert, "-keyfile", key];
  await run("openssl", [...ca, "-revoke", files("revoked", revoked).certificate]);
  await run("openssl", [...ca, "-gencrl", "-out", list]);
  return list;
}

/** What a device says of a broker that refuses its certificate: it depends on how far the handshake had come. */
const wordsOfRefusal = /the connection is broken|closed the connection|broke off the TLS handshake/;

describe.skipIf(missing !== undefined)(`a broker with TLS (skipped: ${missing ?? "never here"})`, () => {
  const own = certificate({ name: "hall", issuer: authority, usages: ["client"] });

  test("knows a device by its certificate, which takes commands, says goodbye and keeps the date", async (context) => {
    const site = await SealedSite.make(context);
    const broker = await site.sealedBroker();
    const client = await site.client(broker);
    const stateDirectory = temporaryPath("states");
    mkdirSync(stateDirectory, { mode: 0o700 });
    const device = await site.device(broker, { stateDirectory }, { authorities, ...files("hall", own) });
    await client.hears("nound/hall", "online");
    await client.publish("nound/hall/led/put", '{"led":1}');
    await client.hears("nound/hall/led", '{"led":1}');
    const date = Number(readFileSync(join(stateDirectory, "tls-date"), "utf8"));
    expect(Math.abs(date - Date.now() / 1_000)).toBeLessThan(3_600);
    expect(await device.stop()).toMatchObject({ status: 0 });
    await client.hears("nound/hall", "offline");
  });

  test("is trusted again by a device whose clock was once in 2099", async (context) => {
    const site = await SealedSite.make(context);
    const broker = await site.sealedBroker();
    const client = await site.client(broker);
    const stateDirectory = temporaryPath("states");
    mkdirSync(stateDirectory, { mode: 0o700 });
    writeFileSync(join(stateDirectory, "tls-date"), "4102444800\n", { mode: 0o600 });
    await site.device(broker, { stateDirectory }, { authorities, ...files("hall", own) });
    await client.hears("nound/hall", "online");
    const date = Number(readFileSync(join(stateDirectory, "tls-date"), "utf8"));
    expect(Math.abs(date - Date.now() / 1_000)).toBeLessThan(3_600);
  });

  test("whose name is another one gets no packet, and the log says what to write", async (context) => {
    const site = await SealedSite.make(context);
    const broker = await site.sealedBroker();
    const device = await site.device(broker, { tls: { authorities: "/none.pem" } }, { authorities, server: "cellar" });
    const sentence = `mqtts://localhost:${site.port}: the certificate is for 127.0.0.1, localhost, not cellar`;
    await eventually("it is logged", () => device.printed.includes(sentence));
  });

  const noOpenssl = programMissing("openssl", "version");
  test.skipIf(noOpenssl !== undefined)(
    `refuses a device whose certificate is on its list of revoked ones, and no other${noOpenssl ?? ""}`,
    async (context) => {
      const site = await SealedSite.make(context);
      const withdrawn = certificate({ name: "attic", issuer: authority, usages: ["client"] });
      const broker = await site.sealedBroker([`crlfile ${await listOf(withdrawn)}`]);
      const client = await site.client(broker);
      const refused = await site.device(broker, {}, { authorities, ...files("attic", withdrawn) });
      await eventually("it is logged", () => wordsOfRefusal.test(refused.printed));
      await refused.stop();
      await site.device(broker, {}, { authorities, ...files("hall", own) });
      await client.hears("nound/hall", "online");
    },
  );

  test("gets its connection again after it was away", async (context) => {
    const site = await SealedSite.make(context);
    const broker = await site.sealedBroker();
    const client = await site.client(broker);
    await site.device(broker, {}, { authorities, ...files("hall", own) });
    await client.hears("nound/hall", "online");
    const { certificate: certfile, key } = files("server", server);
    await broker.stop();
    await broker.start([
      `listener ${site.port} 127.0.0.1`,
      `cafile ${authorities}`,
      `certfile ${certfile}`,
      `keyfile ${key}`,
      "require_certificate true",
      "use_identity_as_username true",
    ]);
    const after = await site.client(broker);
    await after.hears("nound/hall", "online");
  });
});

/** Notes the requests of a device, and answers them with a text. */
async function httpsServer(answer: string): Promise<{ readonly port: number; readonly requests: string[] }> {
  const requests: string[] = [];
  const one = createServer({ key: server.key, cert: server.pem }, (request, response) => {
    let body = "";
    request.on("data", (bytes) => (body += String(bytes)));
    request.on("end", () => {
      requests.push(`${request.method} ${request.url} ${request.headers.host} ${body}`);
      response.end(answer);
    });
  });
  onTestFinished(() => void one.close());
  const port = await freePort();
  await new Promise<void>((resolve) => one.listen(port, "127.0.0.1", resolve));
  return { port, requests };
}

test("a webhook is sent over TLS, as the settings of all connections say", async () => {
  const { port, requests } = await httpsServer("ok");
  const webhook = { kind: "webhook", url: `https://localhost:${port}/door` } as const;
  const configuration = { nouns: { door: webhook }, tls: { authorities } };
  const nound = forThisTest(await startNound(configuration));
  const headers = { "content-type": "application/json" };
  let posts = 0;
  await eventually("it is sent", async () => {
    const { sent, failed } = JSON.parse(await (await fetch(`http://${nound.address}/door`)).text());
    // A busy machine takes longer for a handshake than a webhook waits: then it is sent again.
    if (sent === 0 && failed === posts) {
      posts += 1;
      await fetch(`http://${nound.address}/door`, { method: "POST", body: '{"open":1}', headers });
    }
    return sent === 1;
  });
  expect(new Set(requests)).toEqual(new Set([`POST /door localhost:${port} {"open":1}`]));
});

test("an application that has given up its rights gets a long answer over TLS whole", async () => {
  const { port, requests } = await httpsServer("0123456789".repeat(6_000));
  const address = await freeAddress();
  const application = privateFile(
    "application.ts",
    `import { defineNoun, fetch, serve } from "nound";
     const server = "https://127.0.0.1:${port}";
     const asked = defineNoun({
       shape: { length: { type: "integer" } },
       get: async () => ({ length: (await (await fetch(server + "/long")).text()).length }),
     });
     serve({
       name: "asking", version: "1", listen: ${JSON.stringify(address)}, nouns: () => ({ asked }),
       reach: { connect: [server], tls: { authorities: ${JSON.stringify(authorities)} } },
     });`,
  );
  const nound = forThisTest(new NoundProcess([], address, { application: await bundleApplication(application) }));
  await nound.listening();
  let text = "";
  await eventually("it answers in time, which a busy machine may not do", async () => {
    const response = await fetch(`http://${nound.address}/asked`);
    text = await response.text();
    return response.status !== 503;
  });
  expect(text).toBe('{"length":60000}');
  expect(new Set(requests)).toEqual(new Set([`GET /long 127.0.0.1:${port} `]));
});

test("--check names a file that TLS cannot use, and warns of no password that is encrypted", async () => {
  const listen = await freeAddress();
  const mqtt = {
    server: "mqtts://broker.example",
    id: "hall",
    user: "hall",
    password: privateFile("password", "secret"),
  };
  const check = async (tls: object) =>
    await runNound("--check", "--config", configurationFile(JSON.stringify({ listen, nouns, mqtt, tls })));
  expect(await check({ authorities })).toMatchObject({ status: 0, stderr: "" });
  expect((await check({ authorities })).stdout).not.toContain("unencrypted");
  const wrong = await check({ authorities: privateFile("none.pem", "none") });
  expect(wrong).toMatchObject({ status: 0 });
  expect(wrong.stdout).toContain('the file of "authorities" has no certificate in PEM');
});
