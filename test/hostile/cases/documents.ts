/** Many clients that read the documents of a large device. The nouns are served meanwhile. */

import { startNound } from "../../harness/nound-process.ts";
import { get } from "../../harness/request.ts";
import { nouns } from "../../wire/nouns.ts";
import { attack } from "../attack-thread.ts";
import { type HostileCase, warmUp, withstand } from "../case.ts";
import { askOrdinarily, ordinaryRequests } from "../ordinary-requests.ts";

/** A hundred nouns, those of the end-to-end suite among them. */
const hundred = {
  ...nouns,
  ...Object.fromEntries(
    Array.from({ length: 100 - Object.keys(nouns).length }, (_, index) => [
      `relay-${index}`,
      { kind: "switch", key: "relay", values: [0, 1], default: 0, title: `Relay ${index}` },
    ]),
  ),
} as const;

const clients = 100;
const seconds = 6;

/** @param pipelined requests that each client has on their way. */
function reading(paths: readonly string[], pipelined: number): HostileCase {
  const how = pipelined === 1 ? "one after the other" : `${pipelined} pipelined`;
  return {
    name: `${clients} clients that read ${paths.join(" and ")} of 100 nouns, ${how}`,
    run: async () => {
      const nound = await startNound({ nouns: hundred });
      await warmUp(nound);
      await askOrdinarily(
        nound.address,
        paths.map((path) => ({ bytes: get(path), status: 200 })),
        4,
      );
      const attacking = () =>
        attack("readDocuments", { address: nound.address, paths, connections: clients, pipelined, seconds });
      // 20 ms is what a person does not notice.
      const honest = { interval: 20, mostMedian: 20 };
      return await withstand(nound, attacking, { honest, requests: ordinaryRequests });
    },
  };
}

/** The cases. */
export const documents: readonly HostileCase[] = [
  reading(["/openapi.json", "/.well-known/wot"], 1),
  reading(["/openapi.json", "/.well-known/wot"], 16),
  reading(["/metrics"], 1),
  reading(["/metrics"], 16),
];
