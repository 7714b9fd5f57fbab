/** A clock that has run for long, and signals in the middle of everything. */

import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { startApplication, startNound } from "../../harness/nound-process.ts";
import { get, put } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { Attacker, openAttackers } from "../attacker.ts";
import { type HostileCase, type Outcome, type Toll, warmUp, withstand } from "../case.ts";

/**
 * Signals that nound does nothing about, each of which ends the system call it meets with EINTR or stops the process in
 * it.
 */
async function interrupt(): Promise<Outcome> {
  const nound = await startNound({ nouns });
  await warmUp(nound);
  return await withstand(nound, async (): Promise<Toll> => {
    const crowd = await openAttackers(nound.address, 20);
    const each = 2_000;
    for (const one of crowd) one.send(get("/still").repeat(each));
    let tried = 0;
    const answered = Promise.all(crowd.map((one) => one.answers(each)));
    const storm = setInterval(() => {
      for (const name of ["SIGHUP", "SIGSTOP", "SIGCONT", "SIGWINCH", "SIGURG", "SIGPIPE"] as const) nound.signal(name);
      tried += 6;
    }, 1);
    await answered;
    while (tried < 6_000) await new Promise((resolve) => setTimeout(resolve, 10));
    clearInterval(storm);
    nound.signal("SIGCONT");
    for (const one of crowd) one.drop();
    return { tried, refused: 0 };
  });
}

const wrap = 2 ** 32; // ms: 49.7 days

/** The server's clock passes 2^32 ms while clients are slow: their times must neither stop nor run out at once. */
async function passWrap(): Promise<Outcome> {
  const uptime = performance.timeOrigin > 0 ? Number(process.hrtime.bigint() / 1_000_000n) : 0;
  const offset = Math.ceil((wrap - uptime) / 1_000) - 3;
  const wrapper = ["unshare", "-T", "--monotonic", `${offset}`, "--boottime", `${offset}`];
  const headersTimeout = 5_000;
  const nound = await startNound({ nouns, limits: { headersTimeout } }, [], { wrapper });
  await warmUp(nound);
  return await withstand(nound, async (): Promise<Toll> => {
    const slow: Attacker[] = [];
    const since = performance.now();
    for (let index = 0; index < 20; index++) {
      const one = new Attacker(nound.address);
      one.send("GET /st");
      slow.push(one);
    }
    await Promise.all(slow.map((one) => one.gone()));
    const elapsed = performance.now() - since;
    if (slow.some(({ statuses }) => statuses[0] !== 408)) throw new Error("A slow client was not answered with 408.");
    if (elapsed < headersTimeout * 0.9)
      throw new Error(`The time for a head was over after ${Math.round(elapsed)} ms.`);
    for (const one of slow) one.drop();
    return { tried: slow.length, refused: slow.length };
  });
}

const roomy = { maxConnections: 400, bodyBytes: 65_536 };

/** @param limit ms that a client has for a head, for a body, and until its next request. */
function stalled(limit: number) {
  return { ...roomy, headersTimeout: limit, bodyTimeout: limit, keepAliveTimeout: limit };
}

/**
 * Connects 300 clients, each of which asks once and begins another request. @returns them, with the rest of what they
 * send.
 */
async function beginRequests(address: string): Promise<readonly { readonly one: Attacker; readonly rest: string }[]> {
  const requests = [get("/still"), put("/still", { text: "x".repeat(60_000) })];
  const cuts = [0, 9, -500, -59_000]; // nothing yet, half a head, half a body, and more of one than is read at once
  const crowd = await openAttackers(address, 300);
  const clients = crowd.map((one, index) => {
    const cut = cuts[index % cuts.length] ?? 0;
    const whole = requests[cut < 0 ? 1 : 0] ?? "";
    one.send(get("/still") + whole.slice(0, cut));
    return { one, rest: whole.slice(cut) };
  });
  await Promise.all(crowd.map((one) => one.answers(1)));
  return clients;
}

/**
 * @returns a limit, in ms, that leaves this machine the time to begin all requests before the stall, however busy it
 * is.
 */
async function chooseLimit(): Promise<number> {
  const nound = await startNound({ nouns, limits: roomy });
  const since = performance.now();
  for (const { one } of await beginRequests(nound.address)) one.drop();
  const elapsed = performance.now() - since;
  await nound.stop();
  return Math.max(400, Math.ceil(5 * elapsed));
}

/**
 * Begins requests, lets the server stall for longer than its limits, and sends the rest meanwhile. All that arrives
 * within the limits is to be answered.
 * @param stall stalls the server from now on. @returns what ends that.
 */
async function arriveDuringStall(
  address: string,
  limit: number,
  stall: () => Promise<() => Promise<void>>,
): Promise<Toll> {
  const clients = await beginRequests(address);
  const crowd = clients.map(({ one }) => one);
  const end = await stall();
  for (const { one, rest } of clients) one.send(rest);
  await delay(2 * limit);
  await end();
  await Promise.all(crowd.map((one) => one.answers(2)));
  const refused = crowd.filter(({ statuses }) => statuses[1] !== 200).length;
  if (refused > 0) throw new Error(`${refused} of ${crowd.length} requests that had arrived in time were refused.`);
  for (const one of crowd) one.drop();
  return { tried: crowd.length, refused };
}

/** The process is stopped, as by a debugger or a machine that sleeps. */
async function stop(): Promise<Outcome> {
  const limit = await chooseLimit();
  const nound = await startNound({ nouns, limits: stalled(limit) });
  await warmUp(nound);
  return await withstand(
    nound,
    () =>
      arriveDuringStall(nound.address, limit, async () => {
        nound.signal("SIGSTOP");
        return async () => nound.signal("SIGCONT");
      }),
    { honest: undefined, memory: false },
  );
}

/** A noun has the processor until it is interrupted. */
async function block(): Promise<Outcome> {
  const limit = await chooseLimit();
  const limits = { ...stalled(limit), nounBusyTime: 3 * limit, nounTimeout: 10 * limit };
  const application = await startApplication(limits);
  await warmUp(application);
  return await withstand(
    application,
    () =>
      arriveDuringStall(application.address, limit, async () => {
        const blocking = new Attacker(application.address);
        blocking.send(put("/endless-loop", { a: 1 }));
        await delay(limit / 4);
        return async () => {
          await blocking.answers(1);
          blocking.drop();
        };
      }),
    { honest: undefined, memory: false },
  );
}

function mayShiftTime(): boolean {
  return spawnSync("unshare", ["-T", "--monotonic", "1000", "true"]).status === 0;
}

/** The cases. */
export const timeAndSignals: readonly HostileCase[] = [
  { name: "signals in the middle of requests", run: interrupt },
  { name: "requests that arrive while the server is stopped", run: stop },
  { name: "requests that arrive while a noun uses the processor", run: block },
  ...(mayShiftTime() ? [{ name: "slow clients while the clock passes 2^32 ms", run: passWrap }] : []),
];
