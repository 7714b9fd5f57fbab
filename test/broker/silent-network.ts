/** A host that answers nothing: packets to it vanish. The suite has a network of its own. */
import { spawnSync } from "node:child_process";

/** Its address. */
export const silentHost = "192.0.2.10";

/** A link to a neighbour who is not there. */
const words = [
  "link add near type veth peer name far",
  "addr add 192.0.2.1/24 dev near",
  "link set near up",
  "link set far up",
  `neigh add ${silentHost} lladdr 02:00:00:00:00:01 dev near`,
];

let isMade = false;

/** Makes the network in which the host is. Calling it again has no effect. */
export function makeSilentNetwork(): void {
  if (isMade) return;
  for (const line of words) {
    if (spawnSync("ip", line.split(" ")).status !== 0) throw new Error(`This did not work: ip ${line}`);
  }
  isMade = true;
}
