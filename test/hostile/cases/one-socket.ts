/** Programs that want the same Unix socket. */

import { existsSync, rmSync } from "node:fs";
import { eventually } from "../../harness/eventually.ts";
import { configurationFile, NoundProcess, startNound, temporaryPath } from "../../harness/nound-process.ts";
import { get } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { Attacker } from "../attacker.ts";
import type { HostileCase, Outcome } from "../case.ts";

const atOnce = 4;
const rounds = 60;

/** Ends a server so that its socket stays behind. */
async function leaveStaleSocket(address: string): Promise<void> {
  const killed = await startNound({ listen: [address], nouns });
  killed.kill();
  await killed.ending();
}

/** @returns whether a program has ended. */
function watchEnding(started: NoundProcess): { ended: boolean } {
  const watch = { ended: false };
  void started.ended.then(() => {
    watch.ended = true;
  });
  return watch;
}

/** Starts some servers on one stale socket. One serves, and the others end with a sentence. */
async function startAtOnce(): Promise<void> {
  const path = temporaryPath("one.sock");
  const address = `unix:${path}`;
  await leaveStaleSocket(address);
  const file = configurationFile({ listen: [address], nouns });
  const started = Array.from({ length: atOnce }, () => new NoundProcess(["--config", file], address));
  try {
    const endings = started.map(watchEnding);
    await eventually("all but one have ended", () => endings.filter(({ ended }) => ended).length >= atOnce - 1);
    const serving = started.filter((_, index) => endings[index]?.ended === false);
    if (serving.length !== 1) throw new Error(`${serving.length} of ${atOnce} programs serve.`);
    const client = new Attacker(address);
    client.send(get("/still"));
    await client.answers(1);
    client.drop();
    const [server] = serving;
    const { status, stderr } = (await server?.stop()) ?? { status: 1, stderr: "" };
    if (status !== 0 || stderr !== "") throw new Error(`The one that served ended with ${status} and said: ${stderr}`);
    if (existsSync(path) || existsSync(`${path}.lock`)) throw new Error("The socket or its lock was left behind.");
  } finally {
    for (const one of started) one.kill();
    rmSync(path, { force: true });
  }
}

async function run(): Promise<Outcome> {
  for (let round = 0; round < rounds; round++) await startAtOnce();
  return { tried: atOnce * rounds, refused: (atOnce - 1) * rounds, survived: "one served each time" };
}

/** The case. */
export const oneSocket: readonly HostileCase[] = [{ name: "four starts at once on one stale Unix socket", run }];
