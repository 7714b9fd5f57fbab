/** The thread in which an attack runs. */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { attacks } from "./attacks.ts";
import type { Toll } from "./case.ts";

type Attacks = typeof attacks;
type AttackOptions<Name extends keyof Attacks> = Parameters<Attacks[Name]>[0];

/** Runs an attack. @returns what it came to. @throws Error when the attack itself fails. */
export async function attack<Name extends keyof Attacks>(name: Name, options: AttackOptions<Name>): Promise<Toll> {
  const worker = new Worker(new URL("./attack-thread.mjs", import.meta.url), { workerData: { name, options } });
  try {
    return await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("The attack ended early.")));
    });
  } finally {
    await worker.terminate();
  }
}

if (!isMainThread && parentPort !== null) {
  const { name, options } = workerData as { name: keyof Attacks; options: never };
  parentPort.postMessage(await attacks[name](options));
}
