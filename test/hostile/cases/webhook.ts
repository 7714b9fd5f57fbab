/** Servers that do not want to be told: each answer of theirs is counted, nothing of it is kept, and nothing waits. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { slowness } from "../../harness/environment.ts";
import { eventually, within } from "../../harness/eventually.ts";
import { says } from "../../harness/hostile-device.ts";
import { type NoundProcess, startNound } from "../../harness/nound-process.ts";
import { openDescriptors, residentMemory } from "../../harness/process-status.ts";
import { nouns } from "../../wire/nouns.ts";
import { malformedResponses } from "../../wire/response.ts";
import { type HostileCase, type Outcome, type Toll, warmUp, withstand } from "../case.ts";
import { ordinaryRequests } from "../ordinary-requests.ts";
import { judgesTime } from "../time.ts";
import { cutsOf, endless, type NamedTrick, saysEndlessly, saysSlowly } from "../tricks.ts";

/** A trick, and the status that the webhook has behind it; null if that was no response. */
interface Treatment extends NamedTrick {
  readonly status: number | null;
  /** Whether it begins without the request. */
  readonly early?: boolean;
}

const head = "HTTP/1.1 200 OK\r\n";
const ok = `${head}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nok`;

/** A trick that is no response. */
const failing = (one: NamedTrick): Treatment => ({ ...one, status: null });

const whole: readonly Treatment[] = [
  { name: "an answer", trick: says(ok), status: 200 },
  { name: "an answer before the request", trick: says(ok), status: 200, early: true },
  { name: "an answer behind a hint", trick: says(`HTTP/1.1 103 E\r\n\r\n${ok}`), status: 200 },
  { name: "an answer that ends with its connection", trick: (socket) => socket.end(`${head}\r\nok`), status: 200 },
  {
    name: "endless rubbish behind an answer that was taken",
    trick: (socket) => {
      socket.on("end", () => saysEndlessly("", ok)(socket));
      socket.write(ok);
    },
    status: 200,
  },
  { name: "an error", trick: says("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"), status: 500 },
];

const cut: readonly Treatment[] = [
  { name: "an end before the request", trick: (socket) => socket.end(), status: null, early: true },
  { name: "RST before the request", trick: (socket) => socket.resetAndDestroy(), status: null, early: true },
  ...cutsOf(ok).map(failing),
];

const malformed = malformedResponses.map(({ name, bytes }) => failing({ name, trick: says(bytes) }));

/** @param address of the server itself: nobody follows it there. */
function redirects(address: string): readonly Treatment[] {
  return [301, 302, 303, 307, 308].map((status) => ({
    name: `a redirect by ${status}`,
    trick: says(`HTTP/1.1 ${status} F\r\nLocation: http://${address}/else\r\nContent-Length: 0\r\n\r\n`),
    status,
  }));
}

/** ms that a webhook may be held: its time for a request, and some. */
const longest = 5_000 + 1_000;

/** The server behind one webhook. */
class Hook {
  readonly name: string;
  /** How often it was told something. */
  told = 0;
  private readonly server: Server;
  private readonly requests: string[] = [];
  private treatment: Treatment | undefined;
  private gone: () => void = () => undefined;
  private sent = 0;

  private constructor(name: string) {
    this.name = name;
    this.server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.treat(socket));
  }

  static async open(name: string): Promise<Hook> {
    const hook = new Hook(name);
    await once(hook.server.listen(0, "127.0.0.1"), "listening");
    return hook;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Has the webhook tell it something, and waits until that has failed or not, as it should. */
  async beTold({ address }: NoundProcess, treatment: Treatment): Promise<void> {
    this.treatment = treatment;
    const gone = new Promise<void>((resolve) => {
      this.gone = resolve;
    });
    await ask(address, "POST", this.name);
    const due = performance.now() + longest * slowness;
    await within(`the webhook ${this.name} closes at ${treatment.name}`, gone);
    if (judgesTime && performance.now() > due) throw new Error(`${treatment.name} held ${this.name} too long.`);
    this.told += 1;
    if (treatment.status === 200) this.sent += 1;
    // An RST of this side comes there later.
    await eventually(`${this.name} counts ${treatment.name}`, async () => {
      const { sent = 0, failed = 0 } = await ask(address, "GET", this.name);
      return sent + failed >= this.told;
    });
    this.judge(await ask(address, "GET", this.name));
  }

  /** @throws Error if the webhook has counted otherwise, or was somewhere else. */
  judge({ status, sent, failed }: Counts): void {
    const found = JSON.stringify([status, sent, failed]);
    const expected = JSON.stringify([this.treatment?.status, this.sent, this.told - this.sent]);
    if (found !== expected) throw new Error(`${this.treatment?.name}: ${this.name} is ${found}, not ${expected}.`);
    const first = this.requests.find((line) => line !== `POST /${this.name} HTTP/1.1`);
    if (first !== undefined || this.requests.length > this.told) {
      throw new Error(`${this.treatment?.name}: ${this.name} was asked ${this.requests.length} times, ${first}.`);
    }
  }

  close(): void {
    this.server.close();
  }

  private treat(socket: Socket): void {
    const { treatment } = this;
    // As the request may come in pieces, only its first one matters.
    socket.once("data", (bytes: Buffer) => {
      this.requests.push(bytes.toString("latin1").split("\r\n")[0] ?? "");
      if (treatment?.early !== true) treatment?.trick(socket);
    });
    socket.on("end", () => {
      if (!socket.writableEnded) socket.end();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => this.gone());
    if (treatment?.early === true) treatment.trick(socket);
  }
}

/** The counts of a webhook, or of a rule. */
interface Counts {
  readonly status?: number | null;
  readonly sent?: number;
  readonly failed?: number;
  readonly runs?: number;
}

async function ask(address: string, method: "GET" | "POST", name: string): Promise<Counts> {
  const headers = { "content-type": "application/json" };
  const init = method === "GET" ? { method } : { method, headers, body: '{"door":"open"}' };
  const response = await fetch(`http://${address}/${name}`, init);
  if (response.status !== 200) throw new Error(`${method} ${name} was answered with ${response.status}.`);
  return (await response.json()) as Counts;
}

/** ms between two runs of the rule beside the webhooks. */
const period = 500;

/** kB that the connector's resident memory may grow by. */
const mostGrowth = 64;

const rounds = 3;

/** Each in turn, as often as `rounds` says. */
async function treat(nound: NoundProcess, hook: Hook, treatments: readonly Treatment[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const treatment of treatments) await hook.beTold(nound, treatment);
  }
}

async function attack(nound: NoundProcess, hooks: readonly [Hook, Hook, Hook]): Promise<Toll> {
  const [quick, slow, silent] = hooks;
  const { connector } = nound;
  const descriptors = openDescriptors(connector);
  const memory = residentMemory(connector);
  const [since, { runs: before = 0 }] = [performance.now(), await ask(nound.address, "GET", "beat")];
  await Promise.all([
    treat(nound, quick, [...whole, ...redirects(quick.address), ...endless.map(failing), ...cut, ...malformed]),
    treat(nound, slow, [{ name: "a byte a second", trick: saysSlowly(ok), status: null }]),
    treat(nound, silent, [{ name: "silence", trick: () => undefined, status: null }]),
  ]);
  for (const hook of hooks) hook.judge(await ask(nound.address, "GET", hook.name));
  const { runs = 0, failed } = await ask(nound.address, "GET", "beat");
  const due = (performance.now() - since) / period / slowness;
  if (failed !== 0 || runs - before < (judgesTime ? 0.8 * due : 1)) {
    throw new Error(`The rule beside them ran ${runs - before} times of ${due.toFixed(0)}, ${failed} failed.`);
  }
  const growth = residentMemory(connector) - memory;
  if (openDescriptors(connector) !== descriptors || growth > mostGrowth) {
    throw new Error(`The connector has ${openDescriptors(connector)} descriptors, and grew by ${growth} kB.`);
  }
  return { tried: hooks.reduce((sum, { told }) => sum + told, 0), refused: Number.NaN };
}

async function run(): Promise<Outcome> {
  const hooks = [await Hook.open("quick"), await Hook.open("slow"), await Hook.open("silent")] as const;
  const [quick, slow, silent] = hooks;
  const nound = await startNound({
    nouns: {
      ...nouns,
      quick: { kind: "webhook", url: `http://${quick.address}/quick` },
      slow: { kind: "webhook", url: `http://${slow.address}/slow` },
      silent: { kind: "webhook", url: `http://${silent.address}/silent` },
      // biome-ignore lint/suspicious/noThenProperty: the word of a rule
      beat: { kind: "rule", every: period, then: { "PUT note": { text: "beat" } } },
    },
  });
  try {
    await warmUp(nound);
    // What the first request sets up once is there.
    await quick.beTold(nound, { name: "an answer", trick: says(ok), status: 200 });
    const honest = { interval: 20, mostMedian: 5 };
    return await withstand(nound, () => attack(nound, hooks), { honest, requests: ordinaryRequests });
  } finally {
    nound.kill();
    for (const hook of hooks) hook.close();
  }
}

/** The case. */
export const webhook: readonly HostileCase[] = [{ name: "answers of a hostile server to a webhook", run }];
