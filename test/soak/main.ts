/**
 * Millions of mixed requests, and memory and descriptors that stay where they are:
 * `npm run soak [-- --requests N | --minutes M]`, five million unless said. Prints a line for each million.
 */

import { readOptions } from "../command-line.ts";
import { buildPrograms } from "../harness/build.ts";
import { eventually } from "../harness/eventually.ts";
import { type LoadRequest, sendLoad, serialMark } from "../harness/load.ts";
import { mixedRequests } from "../harness/mixed-requests.ts";
import { type NoundProcess, startNound } from "../harness/nound-process.ts";
import { openDescriptors, peakResidentMemory, processorTicks, residentMemory } from "../harness/process-status.ts";
import { del, get, post, put, request } from "../harness/request.ts";
import { type Attacker, openAttackers } from "../hostile/attacker.ts";
import { nouns } from "../wire/nouns.ts";

const million = 1_000_000;

/**
 * kB that resident memory may grow by from the end of the first million to the end. How free memory lies between used
 * varies by 400 KB, in which it stayed over ten million; a leak of one byte a request would be 4 MB over the other four
 * million.
 */
const tolerance = 768;

/**
 * Requests that were never seen before, so that nothing remembered answers them, and refusals with numbers of their
 * own.
 */
const novelRequests: readonly LoadRequest[] = [
  { bytes: put("/note", { text: `${serialMark} zqx`, n: 1 }), status: 200 },
  { bytes: get("/note"), status: 200 },
  { bytes: request("GET", "/still", `X-Request: ${serialMark}\r\n`), status: 200 },
  { bytes: post("/note", { [`k${serialMark}`]: true }), status: 200 },
  { bytes: get(`/n${serialMark}`), status: 404 },
  { bytes: request("PATCH", "/led", `X-Request: ${serialMark}\r\n`), status: 405 },
  { bytes: put("/led", { led: `${serialMark}` }), status: 422 },
  { bytes: del("/note"), status: 200 },
];

/** Connections that end in every way there is: refused, reset, half closed. */
async function beRude(address: string): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const crowd = await openAttackers(address, 100);
    for (const [index, one] of crowd.entries()) {
      one.send(["zqx\r\n\r\n", get("/still"), put("/note", { a: 1 }).slice(0, -3), ""][index % 4] ?? "");
      if (index % 3 === 0) one.reset();
      else one.finish();
    }
    await Promise.all(crowd.filter((_, index) => index % 3 !== 0).map((one: Attacker) => one.gone()));
    for (const one of crowd) one.drop();
  }
}

/** A million requests, of which half repeat and half do not, and some rudeness. */
async function sendMillion(address: string): Promise<void> {
  await sendLoad(address, [...mixedRequests, ...novelRequests, ...novelRequests], million, 8);
  await beRude(address);
}

/** Waits until nobody is connected. */
async function rest(nound: NoundProcess, descriptors: number): Promise<void> {
  await eventually("all descriptors are closed", () => openDescriptors(nound.pid) <= descriptors);
}

async function soak(goesOn: (done: number) => boolean): Promise<boolean> {
  const nound = await startNound({ nouns });
  try {
    const descriptors = openDescriptors(nound.pid);
    const memory: number[] = [];
    console.log("requests        s  requests/s  CPU s  VmRSS kB  VmHWM kB  descriptors");
    for (let done = 0; done === 0 || goesOn(done); ) {
      const [since, ticks] = [performance.now(), processorTicks(nound.pid)];
      await sendMillion(nound.address);
      await rest(nound, descriptors);
      done += million;
      const seconds = (performance.now() - since) / 1_000;
      memory.push(residentMemory(nound.pid));
      const cells = [
        [seconds.toFixed(1), 7],
        [(million / seconds).toFixed(0), 10],
        [((processorTicks(nound.pid) - ticks) / 100).toFixed(1), 5],
        [`${memory.at(-1)}`, 8],
        [`${peakResidentMemory(nound.pid)}`, 8],
        [`${openDescriptors(nound.pid)}`, 11],
      ] as const;
      console.log(
        [`${done / million} million`.padEnd(10), ...cells.map(([text, width]) => text.padStart(width))].join("  "),
      );
    }
    const ending = await nound.stop();
    const growth = (memory.at(-1) ?? 0) - (memory[0] ?? 0);
    const { status, stdout, stderr } = ending;
    const inOrder = status === 0 && stdout === "" && stderr === "";
    const flat = memory.length > 1 && growth <= tolerance;
    console.log(
      `soak: ${memory.length} million requests, ${growth >= 0 ? "+" : ""}${growth} kB since the first million ` +
        `(at most ${tolerance}), ${inOrder ? "ended in order" : `ended with ${status}: ${stdout}${stderr}`}`,
    );
    return inOrder && flat;
  } finally {
    nound.kill();
  }
}

const helpText = `Usage: npm run soak [-- OPTION]

Sends millions of mixed requests, and judges that memory and descriptors stay where they are.

  --requests N  so many, two million at least: five million unless said
  --minutes M   for so long instead, two million at least
  --help        print this
`;

const values = readOptions("soak", helpText, { requests: { type: "string" }, minutes: { type: "string" } });
const requests = Number(values.requests ?? 5 * million);
const end = performance.now() + Number(values.minutes ?? Number.NaN) * 60_000;
if (!(requests >= 2 * million) || (values.minutes !== undefined && !(Number(values.minutes) > 0))) {
  console.error("soak: give --requests of two million or more, as the first is compared with the last, or --minutes.");
  process.exit(1);
}
const goesOn = (done: number): boolean =>
  values.minutes === undefined ? done < requests : done < 2 * million || performance.now() < end;
buildPrograms();
process.exit((await soak(goesOn)) ? 0 : 1);
