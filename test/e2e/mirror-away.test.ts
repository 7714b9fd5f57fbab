/** A mirror whose other device reboots, is cut off, or has another certificate: real processes, and a cable to pull. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freeAddress, portOf } from "../harness/address.ts";
import { type Certificate, certificate } from "../harness/certificates.ts";
import { commandOf } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { ask } from "../harness/https-client.ts";
import { Cable, Device, keepAlive, mirrorOf, relay } from "../harness/mirror-device.ts";
import { configurationFile, NoundProcess, privateFile } from "../harness/nound-process.ts";
import { reloadProcess } from "../harness/reloaded-service.ts";
import { endedByThisTest } from "../harness/served.ts";

const isNative = commandOf("nound").length === 1;

/** The changes of the noun `bell` that a device has listed. */
async function changesOf(device: Device): Promise<readonly { readonly state: object; readonly by: string }[]> {
  const text = await (await fetch(`http://${device.address}/changes`)).text();
  const lines = text
    .trim()
    .split("\n")
    .filter((line) => line !== "");
  return lines
    .map((line) => JSON.parse(line) as { noun: string; state: object; by: string })
    .filter(({ noun, by }) => noun === "bell" && by.startsWith("client"));
}

/** Figures for people: a clock judges no test here. */
function report(what: string, begin: number): void {
  console.info(`${what}: ${Math.round(performance.now() - begin)} ms`);
}

/** A porch, a hall that mirrors its bell, and the cable between them. */
async function house(): Promise<{ readonly porch: Device; readonly hall: Device; readonly cable: Cable }> {
  const porch = await Device.start({
    nouns: { bell: relay },
    limits: { streamInterval: 500 },
    documents: ["description", "changes 64"],
  });
  const cable = await Cable.to(porch);
  const hall = await Device.start({ nouns: { bell: mirrorOf(cable, "bell") } });
  await hall.has("/bell", { on: 0 });
  return { porch, hall, cable };
}

test("after a power cut and a new boot, the mirror is right again, and no command comes late", async () => {
  const { porch, hall, cable } = await house();
  expect((await hall.ask("PUT", "/bell", { on: 1 })).status).toBe(200);
  let begin = performance.now();
  cable.pull();
  const refused = await hall.ask("POST", "/bell", {});
  expect(refused).toMatchObject({ status: 503, detail: expect.stringMatching(/^The other device .* not sent/) });
  await hall.loses("/bell");
  report("null after", begin);
  porch.process.signal("SIGKILL");
  await porch.process.ending();
  await porch.again();
  begin = performance.now();
  cable.plug(false);
  await hall.has("/bell", { on: 0 });
  report("right again after", begin);
  expect(await changesOf(porch)).toEqual([]);
  expect(await hall.ask("POST", "/bell", {})).toMatchObject({ status: 200, state: { on: 1 } });
  expect(await changesOf(porch)).toMatchObject([{ state: { on: 1 } }]);
});

test("while the other device is away, a reload works, and so does one when it is back", async () => {
  const { porch, hall, cable } = await house();
  cable.pull();
  await hall.loses("/bell");
  const nouns = { bell: mirrorOf(cable, "bell"), lamp: relay };
  writeFileSync(hall.file, JSON.stringify({ listen: hall.address, nouns }));
  expect(await reloadProcess(hall.process.keeper)).toMatchObject({ status: 0 });
  await hall.has("/lamp", { on: 0 });
  cable.plug(false);
  await hall.has("/bell", { on: 0 });
  // A reload changes nothing on the other device.
  expect(await changesOf(porch)).toEqual([]);
});

test("a command that arrives once the cable is back is not executed", async () => {
  const { porch, hall, cable } = await house();
  cable.pull();
  const commands = [hall.ask("POST", "/bell", {}), hall.ask("PUT", "/bell", { on: 1 })];
  for (const command of commands) expect((await command).status).toBe(503);
  await hall.loses("/bell");
  const begin = performance.now();
  cable.plug(true);
  await hall.has("/bell", { on: 0 });
  report("right again after", begin);
  expect(await hall.ask("PUT", "/bell", { on: 1 })).toMatchObject({ status: 200 });
  expect(await changesOf(porch)).toMatchObject([{ state: { on: 1 } }]);
});

test("a command whose answer is lost was executed once, and is not sent again", async () => {
  const { porch, hall, cable } = await house();
  cable.pullsBehind = '{"on":1}';
  expect(await hall.ask("PUT", "/bell", { on: 1 })).toMatchObject({
    status: 503,
    detail: expect.stringContaining("obody knows whether the command was executed"),
  });
  await hall.loses("/bell");
  await porch.ask("PUT", "/bell", { on: 0 });
  cable.pullsBehind = undefined;
  cable.plug(true);
  await hall.has("/bell", { on: 0 });
  expect(await changesOf(porch)).toMatchObject([{ state: { on: 1 } }, { state: { on: 0 } }]);
});

const authority = certificate({ name: "House", isAuthority: true });
const hosts = ["127.0.0.1"];
const right = certificate({ name: "porch", hosts, issuer: authority });
const strange = certificate({ name: "porch", hosts, issuer: certificate({ name: "Stranger", isAuthority: true }) });
const pinned = certificate({ name: "porch", hosts });

for (const [what, first, tls] of [
  ["an authority signs", right, { authorities: privateFile("authority.pem", authority.pem) }],
  ["the configuration names", pinned, { keys: [pinned.keyHash] }],
] as const) {
  test.skipIf(!isNative)(
    `with another certificate than one that ${what}, the mirror is null, and gets right again`,
    async () => {
      const address = await freeAddress();
      const listen = `https://${address}`;
      const files = { certificate: privateFile("certificate.pem", ""), key: privateFile("key.pem", "") };
      const porch = configurationFile(JSON.stringify({ listen, https: files, nouns: { bell: relay } }));
      /** Starts the porch with a certificate. */
      const begin = async (one: Certificate): Promise<NoundProcess> => {
        writeFileSync(files.certificate, one.pem);
        writeFileSync(files.key, one.key);
        const started = endedByThisTest(new NoundProcess(["--simulate", "--config", porch], address));
        await started.listening([listen]);
        return started;
      };
      const stateOf = async () => {
        return (await ask({ port: portOf(address), path: "/bell", rejectUnauthorized: false })).body;
      };
      let running = await begin(first);
      const mirror = { kind: "mirror", url: `${listen}/bell`, tls, keepAlive };
      const hall = await Device.start({ nouns: { bell: mirror } });
      await hall.has("/bell", { on: 0 });
      expect((await hall.ask("PUT", "/bell", { on: 1 })).status).toBe(200);
      expect(await stateOf()).toBe('{"on":1}');
      running.signal("SIGKILL");
      await running.ending();
      running = await begin(strange);
      let moment = performance.now();
      await hall.loses("/bell");
      report("null after", moment);
      await eventually("the reason is the certificate", async () => {
        return /certificate|key has changed/.test((await hall.ask("GET", "/bell")).detail);
      });
      expect((await hall.ask("PUT", "/bell", { on: 1 })).status).toBe(503);
      expect(await stateOf()).toBe('{"on":0}');
      running.signal("SIGKILL");
      await running.ending();
      await begin(first);
      moment = performance.now();
      await hall.has("/bell", { on: 0 });
      report("right again after", moment);
      expect((await hall.ask("PUT", "/bell", { on: 1 })).status).toBe(200);
      expect(await stateOf()).toBe('{"on":1}');
    },
  );
}
