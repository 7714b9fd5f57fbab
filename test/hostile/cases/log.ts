/** A debug log whose reader has stalled. */

import { spawnSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { startNound, temporaryPath } from "../../harness/nound-process.ts";
import { get } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { openAttackers } from "../attacker.ts";
import { type HostileCase, type Outcome, type Toll, warmUp, withstand } from "../case.ts";

const clients = 20;
const each = 500;

async function run(): Promise<Outcome> {
  const path = temporaryPath("log");
  if (spawnSync("mkfifo", [path]).status !== 0) throw new Error("mkfifo, of coreutils, could not make a FIFO.");
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const wrapper = ["sh", "-c", 'exec "$@" 2> "$0"', path];
    const nound = await startNound({ nouns }, ["--debug"], { wrapper });
    await warmUp(nound);
    return await withstand(nound, async (): Promise<Toll> => {
      const crowd = await openAttackers(nound.address, clients);
      for (const one of crowd) one.send(get("/still").repeat(each));
      await Promise.all(crowd.map((one) => one.answers(each)));
      for (const one of crowd) one.drop();
      return { tried: clients * each, refused: 0 };
    });
  } finally {
    closeSync(reader);
  }
}

/** The case. */
export const stalledLog: readonly HostileCase[] = [{ name: "requests while nobody reads the debug log", run }];
