/** The device has nothing left: no descriptors, no memory, no room on the disk. */

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { eventually } from "../../harness/eventually.ts";
import { type NoundProcess, startApplication, startNound, temporaryPath } from "../../harness/nound-process.ts";
import { get, post, put } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { leaveAddressSpace } from "../address-space.ts";
import { Attacker, openAttackers } from "../attacker.ts";
import { type HostileCase, type Outcome, type Toll, warmUp, withstand } from "../case.ts";

/** Asks over a connection that was there before. */
async function stillServed(honest: Attacker): Promise<void> {
  const before = honest.statuses.length;
  honest.send(get("/still"));
  await honest.answers(before + 1);
  if (honest.statuses.at(-1) !== 200) throw new Error(`A served client got ${honest.statuses.at(-1)}.`);
}

async function runOutOfDescriptors(): Promise<Outcome> {
  const descriptors = 40;
  const nound = await startNound({ nouns }, [], { descriptors });
  await warmUp(nound, 20);
  return await withstand(
    nound,
    async (): Promise<Toll> => {
      const honest = new Attacker(nound.address);
      await stillServed(honest);
      let tried = 0;
      for (let round = 0; round < 10; round++) {
        const crowd = await openAttackers(nound.address, 200);
        await stillServed(honest);
        for (const one of crowd) one.drop();
        tried += crowd.length;
      }
      await stillServed(honest);
      honest.drop();
      return { tried, refused: Number.NaN };
    },
    { honest: undefined },
  );
}

/** What a running server may still take: less and less. */
async function runOutOfMemory(): Promise<Outcome> {
  const limits = { bodyBytes: 1_000_000, statePairs: 64 };
  const nound = await startNound({ nouns, limits });
  await warmUp(nound);
  return await withstand(
    nound,
    async (): Promise<Toll> => {
      leaveAddressSpace(nound, 1_048_576);
      let tried = 0;
      let refused = 0;
      for (let round = 0; round < 10; round++) {
        const crowd = await openAttackers(nound.address, 60);
        const body = put("/note", { text: "x".repeat(900_000) });
        for (const one of crowd) one.send(body.slice(0, -2));
        const honest = new Attacker(nound.address);
        // It may be refused, or lose its connection, but the server survives.
        honest.send(get("/still"));
        for (const one of crowd) one.send(body.slice(-2));
        await eventually("all are answered or let go", () =>
          crowd.every((one) => one.ended || one.statuses.length > 0),
        );
        refused += crowd.filter(({ statuses }) => statuses[0] !== 200).length;
        tried += crowd.length;
        for (const one of [...crowd, honest]) one.drop();
      }
      return { tried, refused };
    },
    // What was asked for once it had it: one state of a megabyte, and the pages of many.
    { honest: undefined, memory: false },
  );
}

/** Lets a state grow until it is refused. The noun must still have the state that was answered last. */
async function growUntilRefused(): Promise<Outcome> {
  const limits = { bodyBytes: 262_144, memoryBytes: 8_388_608 };
  const nound = await startNound({ nouns, limits });
  await warmUp(nound);
  return await withstand(
    nound,
    async (): Promise<Toll> => {
      const grower = new Attacker(nound.address);
      const text = "€".repeat(80_000);
      let keys = 0;
      for (let last: number | undefined = 200; last === 200 && keys < 64; keys++) {
        grower.send(post("/note", { [`k${keys}`]: text }));
        await eventually("it is answered or let go", () => grower.ended || grower.statuses.length > keys);
        last = grower.statuses[keys];
      }
      const note = `http://${nound.address}/note`;
      const answer = await fetch(note);
      if (!answer.ok) throw new Error(`After a state that was too large, GET is answered with ${answer.status}.`);
      const held = Object.keys((await answer.json()) as object).filter((key) => key.startsWith("k")).length;
      if (held !== keys - 1)
        throw new Error(`${keys - 1} changes were answered with 200, and ${held} are in the state.`);
      grower.drop();
      const reset = await fetch(note, { method: "DELETE" });
      if (!reset.ok) throw new Error(`DELETE is answered with ${reset.status}.`);
      return { tried: keys, refused: 1 };
    },
    { honest: undefined, memory: false },
  );
}

/**
 * Has states kept by a noun whose folder takes none. Keeping is tried again later; the answers tell what the noun has.
 */
async function fill(nound: NoundProcess): Promise<Toll> {
  const honest = new Attacker(nound.address);
  const tried = 50;
  for (let round = 1; round <= tried; round++) {
    honest.send(put("/kept", { text: `${round}`.repeat(1_000) }));
    await honest.answers(round);
  }
  honest.drop();
  await eventually("a write has failed", async () => (await readKept(nound.address)).failures > 0);
  return { tried, refused: Number.NaN };
}

function readKept(address: string): Promise<{ text: string; failures: number }> {
  return fetch(`http://${address}/kept`).then(
    (response) => response.json() as Promise<{ text: string; failures: number }>,
  );
}

function newFolder(): string {
  const folder = temporaryPath("state");
  mkdirSync(folder);
  return folder;
}

/** For users who may not mount: every file is limited to no byte. */
async function runOutOfFileSize(): Promise<Outcome> {
  const folder = newFolder();
  const nound = await startApplication({}, [folder]);
  await warmUpKept(nound);
  return await withstand(nound, async () => {
    spawnSync("prlimit", [`--pid=${nound.pid}`, "--fsize=0:unlimited"]);
    const toll = await fill(nound);
    spawnSync("prlimit", [`--pid=${nound.pid}`, "--fsize=unlimited:unlimited"]);
    await expectWritten(`${folder}/state`, toll.tried);
    return toll;
  });
}

async function warmUpKept(nound: NoundProcess): Promise<void> {
  const users = await openAttackers(nound.address, 100);
  for (const user of users) user.send(put("/kept", { text: "y".repeat(1_000) }));
  await Promise.all(users.map((user) => user.answers(1)));
  for (const user of users) user.drop();
}

/** The last text is written once there is room. */
async function expectWritten(path: string, last: number): Promise<void> {
  const text = `${last}`.repeat(1_000);
  await eventually("the last text is on the disk", () => readFileSync(path, "latin1") === text);
}

/** A disk of a few pages, in a mount namespace of the server's own. */
async function runOutOfDisk(): Promise<Outcome> {
  const folder = newFolder();
  const asWho = process.getuid?.() === 0 ? ["-m"] : ["-rm"];
  const script = `mount -t tmpfs -o size=64k none '${folder}' && exec "$@"`;
  const wrapper = ["unshare", ...asWho, "sh", "-c", script, "sh"];
  const nound = await startApplication({}, [folder], { wrapper });
  await warmUpKept(nound);
  return await withstand(nound, async () => {
    const inside = `/proc/${nound.pid}/root${folder}`;
    try {
      writeFileSync(`${inside}/filler`, "x".repeat(1_000_000));
      throw new Error("The disk is larger than it should be.");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
    const toll = await fill(nound);
    rmSync(`${inside}/filler`);
    await expectWritten(`${inside}/state`, toll.tried);
    return toll;
  });
}

function mayMount(): boolean {
  const asWho = process.getuid?.() === 0 ? ["-m"] : ["-rm"];
  return spawnSync("unshare", [...asWho, "sh", "-c", "mount -t tmpfs none /mnt"]).status === 0;
}

/** The cases. */
export const exhaustion: readonly HostileCase[] = [
  { name: "connections when there are no descriptors left", run: runOutOfDescriptors },
  { name: "bodies of 900 KB when 1 MB of memory is left", run: runOutOfMemory },
  { name: "a state that grows until it is refused", run: growUntilRefused },
  { name: "states to store when no file may grow", run: runOutOfFileSize },
  ...(mayMount() ? [{ name: "states to store on a full disk", run: runOutOfDisk }] : []),
];
