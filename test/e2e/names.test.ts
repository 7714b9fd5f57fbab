/**
 * Names of other servers: one address is enough, whatever a name server says of the other family. Each behaviour of it
 * is tried for a broker, a webhook, a mirror and a Modbus server.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { typeOf } from "../broker/honest-resolver.ts";
import { withResolver } from "../broker/resolver.ts";
import { freeAddress, freePort, hasIpv6 } from "../harness/address.ts";
import { commandOf } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { configurationFile, NoundProcess } from "../harness/nound-process.ts";
import { endedByThisTest } from "../harness/served.ts";
import { expectMedian } from "../harness/waiting-time.ts";

const behaviours = [
  "answered",
  "empty",
  "nxdomain",
  "refused",
  "servfail",
  "unanswered",
  "truncated",
  "alias",
] as const;
type Behaviour = (typeof behaviours)[number];

const hasAddress = (behaviour: Behaviour): boolean => ["answered", "truncated", "alias"].includes(behaviour);

/** The lower half of the flags' second byte (RFC 1035, 4.1.1). */
const codes: Partial<Record<Behaviour, number>> = { nxdomain: 3, refused: 5, servfail: 2 };

const addresses = { 1: Buffer.from([127, 0, 0, 1]), 28: Buffer.concat([Buffer.alloc(15), Buffer.from([1])]) };

/** @returns what the labels of a name ask for: `answered.empty.example` has an A record, and no AAAA. */
function behaviourOf(query: Buffer): { readonly type: 1 | 28; readonly behaviour: Behaviour } {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0; at += 1 + (query[at] ?? 0)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  }
  const type = typeOf(query) === 28 ? 28 : 1;
  return { type, behaviour: labels[type === 1 ? 0 : 1] as Behaviour };
}

const record = (name: Buffer, type: number, data: Buffer): Buffer =>
  Buffer.concat([name, Buffer.from([0, type, 0, 1, 0, 0, 0, 9, 0, data.length]), data]);

/** The records that lead to an address: by two other names, or at once. */
function recordsFor(type: 1 | 28, behaviour: Behaviour): readonly Buffer[] {
  const asked = Buffer.from([0xc0, 12]);
  if (behaviour !== "alias") return [record(asked, type, addresses[type])];
  const [one, two] = [Buffer.from("\x03one\x00", "latin1"), Buffer.from("\x03two\x00", "latin1")];
  return [record(asked, 5, one), record(one, 5, two), record(two, type, addresses[type])];
}

function answer(query: Buffer, byStream: boolean): readonly Buffer[] {
  const { type, behaviour } = behaviourOf(query);
  if (behaviour === "unanswered") return [];
  const isTruncated = behaviour === "truncated" && !byStream;
  const found = hasAddress(behaviour) && !isTruncated ? recordsFor(type, behaviour) : [];
  const flags = [isTruncated ? 0x83 : 0x81, 0x80 | (codes[behaviour] ?? 0), 0, 1, 0, found.length, 0, 0, 0, 0];
  return [Buffer.concat([query.subarray(0, 2), Buffer.from(flags), query.subarray(12), ...found])];
}

const byDatagram = (query: Buffer): readonly Buffer[] => answer(query, false);
const byStream = (query: Buffer): readonly Buffer[] => answer(query, true);

/** A server on the addresses of both families, where this machine has both, and how often it was connected to. */
class Counted {
  readonly port: number;
  count = 0;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<Counted> {
    const counted = new Counted(await freePort());
    const open = new Set<Socket>();
    const servers: Server[] = (hasIpv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"]).map((host) =>
      createServer((socket) => {
        counted.count += 1;
        open.add(socket.on("error", () => undefined));
      }).listen(counted.port, host),
    );
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      for (const server of servers) server.close();
    });
    await Promise.all(servers.map((server) => once(server, "listening")));
    return counted;
  }
}

const isNative = commandOf("nound").length === 1;

/** The address of one family is there, and the other family is asked for in vain; or both are alike; or mixed. */
const cases: readonly { readonly a: Behaviour; readonly aaaa: Behaviour }[] = [
  ...behaviours.map((one) => ({ a: one, aaaa: one })),
  ...behaviours.slice(1).flatMap((one) => [
    { a: "answered" as const, aaaa: one },
    { a: one, aaaa: "answered" as const },
  ]),
  { a: "truncated", aaaa: "unanswered" },
  { a: "nxdomain", aaaa: "alias" },
];

/** An address of this machine that needs a zone, such as fe80::1%eth0; undefined without one. */
const zoned = Object.entries(networkInterfaces())
  .flatMap(([name, all = []]) => all.map(({ address }) => `${address}%${name}`))
  .find((address) => address.startsWith("fe80:"));

test.skipIf(!isNative || process.getuid?.() !== 0 || zoned === undefined)(
  "a name server whose address has a zone is asked (skipped under a runner, without root and without fe80::)",
  async () => {
    const broker = await Counted.start();
    const address = await freeAddress();
    const mqtt = { server: `answered.empty.example:${broker.port}`, id: "hall", startDelay: 0 };
    const file = configurationFile(JSON.stringify({ listen: [address], mqtt, nouns: { led: { kind: "value" } } }));
    const act = async (wrapper: readonly string[]): Promise<void> => {
      const device = endedByThisTest(new NoundProcess(["--config", file], address, { wrapper }));
      await eventually("the broker is connected to", () => broker.count > 0);
      device.kill();
    };
    await withResolver(byDatagram, act, undefined, undefined, zoned);
  },
);

test.skipIf(!isNative || process.getuid?.() !== 0)(
  "the log and the check say why a name in .local is not found (skipped under a runner and without root)",
  async () => {
    const address = await freeAddress();
    const name = "nxdomain.nxdomain.local";
    const config = {
      mqtt: { server: `${name}:1883`, id: "hall", startDelay: 0 },
      nouns: {
        hook: { kind: "webhook", url: `http://${name}:81/` },
        mirrored: { kind: "mirror", url: `http://${name}:82/lamp` },
        meter: { kind: "modbus", server: `${name}:83`, keys: { volts: { at: "input 0" } } },
      },
    };
    const file = configurationFile(JSON.stringify({ listen: [address], log: "errors", ...config }));
    const asked = "nound asks the name server and /etc/hosts, and does no multicast DNS";
    await withResolver(byDatagram, async (wrapper) => {
      const device = endedByThisTest(new NoundProcess(["--config", file], address, { wrapper }));
      await eventually("the log says so", () =>
        new RegExp(`mqtt: .*its name cannot be resolved: [^;]*; ${asked}: write the address`).test(device.printed),
      );
      device.kill();
    });
    const checked = endedByThisTest(new NoundProcess(["--check", "--config", file], ""));
    const { status, stdout } = await checked.ending();
    expect(status).toBe(0);
    for (const port of [1883, 81, 82]) {
      const line = `${name}:${port} may not be found: ${asked}; if they do not know the name, write the address\n`;
      expect(stdout).toContain(line);
    }
  },
);

describe.skipIf(!isNative || process.getuid?.() !== 0)(
  "a broker, a webhook, a mirror and a Modbus server, within 5 s (judged by test:time; skipped without root)",
  () => {
    const title = ({ a, aaaa }: (typeof cases)[number]): string => `A is ${a}, AAAA is ${aaaa}`;
    const needsIpv6 = ({ a, aaaa }: (typeof cases)[number]): boolean => hasAddress(aaaa) && !hasAddress(a);
    const skipped = cases.filter((one) => !hasIpv6 && needsIpv6(one));
    if (skipped.length > 0) test.skip.each(skipped.map(title))("%s (skipped where there is no ::1)", () => undefined);
    const tried = cases.filter((one) => !skipped.includes(one));
    test.each(tried.map((one) => [title(one), one] as const))("%s", async (_, { a, aaaa }) => {
      const [broker, hook, mirrored, units] = [
        await Counted.start(),
        await Counted.start(),
        await Counted.start(),
        await Counted.start(),
      ];
      const address = await freeAddress();
      const name = `${a}.${aaaa}.example`;
      const config = {
        mqtt: { server: `${name}:${broker.port}`, id: "hall", startDelay: 0 },
        nouns: {
          hook: { kind: "webhook", url: `http://${name}:${hook.port}/` },
          mirrored: { kind: "mirror", url: `http://${name}:${mirrored.port}/lamp` },
          meter: { kind: "modbus", server: `${name}:${units.port}`, keys: { volts: { at: "input 0" } } },
        },
      };
      await withResolver(
        byDatagram,
        async (wrapper) => {
          const file = configurationFile(JSON.stringify({ listen: [address], ...config }));
          const device = endedByThisTest(new NoundProcess(["--config", file], address, { wrapper }));
          await device.listening();
          const began = performance.now();
          const ask = async (noun: string, body?: string): Promise<string> => {
            const headers = { "content-type": "application/json" };
            const init = body === undefined ? {} : { method: "POST", body, headers };
            return await (await fetch(`http://${address}/${noun}`, init)).text();
          };
          await ask("hook", "{}");
          if (hasAddress(a) || hasAddress(aaaa)) {
            const isConnected = async (): Promise<boolean> => {
              await ask("meter");
              return [broker, hook, mirrored, units].every(({ count }) => count > 0);
            };
            await eventually("all of them are connected to", isConnected);
            expectMedian(`ms until all are connected to, ${title({ a, aaaa })}`, [performance.now() - began], 5_000);
          } else {
            await eventually("the webhook has failed", async () => (await ask("hook")).includes('"failed":1'));
            expect([broker, hook, mirrored, units].map(({ count }) => count)).toEqual([0, 0, 0, 0]);
          }
          device.kill();
        },
        undefined,
        byStream,
      );
    });
  },
);
