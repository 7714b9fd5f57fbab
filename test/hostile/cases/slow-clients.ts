/**
 * Slow clients, a thousand at once, by slowhttptest: three times its namesakes Slowloris, R-U-Dead-Yet and slow read.
 */

import { spawn } from "node:child_process";
import { startNound } from "../../harness/nound-process.ts";
import { nouns } from "../../wire/nouns.ts";
import { type HostileCase, type Toll, warmUp, withstand } from "../case.ts";

const connections = 1_000;
const seconds = 8;

const large = { kind: "value", default: { text: "x".repeat(3_900) } } as const;

/** Runs slowhttptest to its end. */
async function slowhttptest(args: readonly string[]): Promise<void> {
  const common = ["-c", `${connections}`, "-r", "400", "-l", `${seconds}`, "-p", "3"];
  const child = spawn("slowhttptest", [...common, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (bytes: Buffer) => {
    output = (output + bytes.toString("latin1")).slice(-4_000);
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (!/Test ended on|Exit status/.test(output)) throw new Error(`slowhttptest ended with ${status}: ${output}`);
}

function slow(name: string, path: string, args: readonly string[]): HostileCase {
  return {
    name: `slowhttptest, ${name}: connections`,
    run: async () => {
      // Shorter than by default, so that what the limits do is seen within the attack.
      const limits = { headersTimeout: 3_000, bodyTimeout: 3_000, sendTimeout: 3_000 };
      const nound = await startNound({ nouns: { ...nouns, large }, limits });
      await warmUp(nound);
      return await withstand(nound, async (): Promise<Toll> => {
        await slowhttptest([...args, "-u", `http://${nound.address}${path}`]);
        // It does not tell which of its connections were answered with what: the table has no number for that.
        return { tried: connections, refused: Number.NaN };
      });
    },
  };
}

/** The cases. */
export const slowClients: readonly HostileCase[] = [
  slow("slow headers", "/still", ["-H", "-i", "1", "-x", "24"]),
  slow("slow body", "/note", ["-B", "-i", "1", "-s", "4096", "-x", "24", "-f", "application/json"]),
  slow("slow read", "/large", ["-X", "-w", "1", "-y", "16", "-n", "2", "-z", "1", "-k", "10"]),
];
