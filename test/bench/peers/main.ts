/** `npm run bench -- --peers`: measures what people use instead of nound, and writes docs/dev/performance.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { marks, withMeasurement } from "../document.ts";
import { comparePeers } from "./measure.ts";
import { installPeers } from "./peers.ts";
import { peerTable } from "./report.ts";

const document = "docs/dev/performance.md";

export async function measurePeers(scratch: string): Promise<void> {
  const { rows, get } = await comparePeers(installPeers(), scratch);
  const model = /^model name\s+: (.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? "unknown";
  const machine = `On one virtual machine (${model}), whose load was ${loadavg()[0]?.toFixed(1)} at the end.`;
  const table = peerTable(rows, get, machine);
  writeFileSync(document, withMeasurement(readFileSync(document, "utf8"), table, marks.peers));
  console.log(table);
}
