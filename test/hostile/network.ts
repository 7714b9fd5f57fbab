/**
 * The network that attackers and servers share. Where this may be done, it is a namespace of its own
 * (network_namespaces(7)), whose settings affect nobody else.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const inside = "NOUND_HOSTILE_NETWORK";
const intoNamespace = ["-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

/** Whether this process has a network of its own. */
export function hasOwnNetwork(): boolean {
  return process.env[inside] === "1";
}

/**
 * Runs this program again in a network of its own.
 * @returns its status; undefined where it has one already, or may not have one.
 */
export function runInOwnNetwork(): number | undefined {
  if (hasOwnNetwork() || spawnSync("unshare", [...intoNamespace, "true"]).status !== 0) return undefined;
  const [, script = "", ...words] = process.argv;
  const { status } = spawnSync("unshare", [...intoNamespace, process.execPath, script, ...words], {
    stdio: "inherit",
    env: { ...process.env, [inside]: "1" },
  });
  return status ?? 1;
}

const folder = "/proc/sys/net/ipv4";

/** Whether the sizes of socket buffers can be set without harm to others. */
export function maySetSocketBuffers(): boolean {
  return hasOwnNetwork();
}

/** The least, the first and the most bytes of a socket's buffers, as tcp(7) has them in `tcp_wmem` and `tcp_rmem`. */
export interface SocketBuffers {
  readonly send: string;
  readonly receive: string;
}

/** Does something while new sockets have buffers of these sizes. */
export async function withSocketBuffers<T>({ send, receive }: SocketBuffers, act: () => Promise<T>): Promise<T> {
  const before = ["tcp_wmem", "tcp_rmem"].map((name) => [name, readFileSync(`${folder}/${name}`, "latin1")] as const);
  writeFileSync(`${folder}/tcp_wmem`, send);
  writeFileSync(`${folder}/tcp_rmem`, receive);
  try {
    return await act();
  } finally {
    for (const [name, sizes] of before) writeFileSync(`${folder}/${name}`, sizes);
  }
}
