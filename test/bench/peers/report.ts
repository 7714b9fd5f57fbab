/** The table of the peers in docs/dev/performance.md, from which README has its figures. */
import type { PeerFigures } from "./measure.ts";

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(bytes < 100_000_000 ? 2 : 0);

function row({ peer, size, memory, ratio }: PeerFigures, get: number): string {
  const time = ratio === undefined ? "no HTTP" : `${((ratio * get) / 1_000).toFixed(1)}, ${ratio.toFixed(2)} × nound's`;
  return `| ${peer.title} ${peer.version} | ${megabytes(size)} | ${megabytes(memory)} | ${time} | ${peer.how} |`;
}

/** @param get ns of processor time of nound's GET. @returns the table. */
export function peerTable(rows: readonly PeerFigures[], get: number, machine: string): string {
  const head = ["| program | all its files, MB | idle memory, MB | GET, µs of processor time | measured with |"];
  const lines = [...head, "| --- | ---: | ---: | ---: | --- |", ...rows.map((one) => row(one, get))];
  return `${lines.join("\n")}\n\n${machine}\n`;
}
