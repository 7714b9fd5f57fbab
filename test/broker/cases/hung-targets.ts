/** Webhooks whose hosts hang, and one whose name is resolved slowly: the broker and another webhook do not notice. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../harness/eventually.ts";
import { Mosquitto } from "../../harness/mosquitto.ts";
import { type BrokerCase, must } from "../case.ts";
import { honest } from "../honest-resolver.ts";
import { withResolver } from "../resolver.ts";
import { makeSilentNetwork, silentHost } from "../silent-network.ts";
import { ask, isConnected, startDevice } from "../site.ts";

/** How often each webhook is told something, once a second. */
const rounds = 60;
/** ms until the slow name server answers; more than a webhook waits. */
const resolvingTime = 8_000;
/** ms in which a broker that was killed must have its device again. */
const comingBack = 30_000;

interface Counts {
  readonly sent: number;
  readonly failed: number;
  readonly runs: number;
}

async function run(): Promise<string> {
  makeSilentNetwork();
  let told = 0;
  const server = createServer((request, response) => {
    told += 1;
    request.resume();
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const webhook = (address: string) => ({ kind: "webhook", url: `http://${address}/` });
  const webhooks = {
    healthy: webhook(`127.0.0.1:${port}`),
    hung1: webhook(`${silentHost}:81`),
    hung2: webhook(`${silentHost}:82`),
    hung3: webhook(`${silentHost}:83`),
    slow: webhook(`hook.example:${port}`),
  };
  const actions = Object.fromEntries(Object.keys(webhooks).map((hook) => [`POST ${hook}`, {}]));
  // biome-ignore lint/suspicious/noThenProperty: the word of a rule
  const beat = { kind: "rule", every: 1_000, then: actions };
  const broker = await Mosquitto.start();
  const slowly = async (query: Buffer): Promise<readonly Buffer[]> => {
    await delay(resolvingTime);
    return honest(query);
  };
  try {
    return await withResolver(
      slowly,
      async (wrapper) => {
        const device = await startDevice({ nouns: { ...webhooks, beat }, options: { wrapper } }, broker.address);
        const counts = async (noun: string): Promise<Counts> => JSON.parse(await ask(device, noun)) as Counts;
        try {
          await eventually("the device is connected", async () => await isConnected(device));
          await broker.stop("SIGKILL");
          await broker.start();
          const since = performance.now();
          let away: number | undefined;
          for (let runs = 0; runs < rounds; await delay(100)) {
            if (away === undefined && (await isConnected(device))) away = performance.now() - since;
            runs = (await counts("beat")).runs;
          }
          await delay(1_000);
          const [{ runs }, { sent, failed }] = [await counts("beat"), await counts("healthy")];
          must(away !== undefined, `The broker is not back within ${Math.round(performance.now() - since)} ms.`);
          must((away ?? 0) <= comingBack, `The broker is back after ${away} ms.`);
          must(runs - sent <= 1 && failed === 0, `The healthy webhook has sent ${sent} of ${runs}, ${failed} failed.`);
          return `${told} of ${runs} messages arrived; the broker was away for ${Math.round(away ?? 0)} ms`;
        } finally {
          device.kill();
        }
      },
      "timeout:20 attempts:1",
    );
  } finally {
    server.close();
    await broker.stop("SIGKILL");
  }
}

/** The case. */
export const hungTargets: readonly BrokerCase[] = [{ name: "hung webhooks and a slow resolver", run }];
