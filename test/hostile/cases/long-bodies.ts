/**
 * Bodies that take the server as long as possible to read: of escapes, with a mistake at their end. All that may
 * connect send many of them at once, on a device so slow that a noun would be interrupted in less time than a turn of
 * the loop takes.
 */
import { hasSanitizers } from "../../harness/environment.ts";
import { eventually } from "../../harness/eventually.ts";
import { startNound } from "../../harness/nound-process.ts";
import { put, requestWithBody } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { Attacker, openAttackers } from "../attacker.ts";
import { type HostileCase, type Outcome, type Toll, withstand } from "../case.ts";
import { ordinaryRequests } from "../ordinary-requests.ts";
import { inTime } from "../time.ts";

/** A body of 4 KB without its end. */
const malformed = requestWithBody("PUT", "/note", `{"text":"${'\\"'.repeat(2_043)}x`);
const connections = 126;
const pipelined = 8;

/** ms that a connection may be idle. */
const keepAliveTimeout = 2_000;

/**
 * Every request is answered, and every connection that is idle for long is closed. Others vanish amid their requests.
 */
async function sendMalformed(address: string): Promise<Toll> {
  const crowd = await openAttackers(address, connections);
  for (const one of crowd) one.send(malformed.repeat(pipelined));
  const answered = () => crowd.every(({ statuses, ended }) => ended || statuses.length === pipelined);
  await inTime("all requests are answered", answered, 60_000);
  const statuses = crowd.flatMap((one) => one.statuses);
  const refused = statuses.filter((status) => status === 400).length;
  if (refused < connections * pipelined) throw new Error(`Of ${connections * pipelined} requests, ${refused} got 400.`);
  await inTime("idle connections are closed", () => crowd.every(({ ended }) => ended), 10 * keepAliveTimeout);
  const vanishing = await openAttackers(address, connections);
  for (const one of vanishing) one.send(malformed.repeat(pipelined));
  await eventually("one is answered", () => vanishing.some(({ statuses: { length } }) => length > 0));
  for (const one of vanishing) one.reset();
  return { tried: 2 * connections * pipelined, refused };
}

async function runMalformed(): Promise<Outcome> {
  // The sanitizers make the server slow enough for the limit by default.
  const limits = { keepAliveTimeout, ...(!hasSanitizers && { nounBusyTime: 100 }) };
  const nound = await startNound({ nouns, limits });
  return await withstand(nound, () => sendMalformed(nound.address), {
    honest: { patience: 60_000, attempts: 3 },
    memory: false,
    requests: ordinaryRequests,
  });
}

/** The largest bodies there may be, of escapes and well-formed. */
async function runLarge(): Promise<Outcome> {
  const nound = await startNound({ nouns, limits: { bodyBytes: 1_048_576, nounBusyTime: 100 } });
  const whole = put("/note", { text: '"'.repeat(524_000) });
  const attack = async (): Promise<Toll> => {
    const crowd = Array.from({ length: 4 }, () => new Attacker(nound.address));
    for (const one of crowd) one.send(whole);
    await Promise.all(crowd.map((one) => one.answers(1)));
    const refused = crowd.filter(({ statuses: [status] }) => status !== 200).length;
    if (refused > 0) throw new Error(`${refused} of ${crowd.length} well-formed requests got no 200.`);
    for (const one of crowd) one.drop();
    return { tried: crowd.length, refused };
  };
  return await withstand(nound, attack, { honest: { patience: 60_000 }, memory: false, requests: ordinaryRequests });
}

/** The cases. */
export const longBodies: readonly HostileCase[] = [
  { name: "pipelined bodies of escapes on a slow device", run: runMalformed },
  { name: "bodies of 1 MB of escapes on a slow device", run: runLarge },
];
