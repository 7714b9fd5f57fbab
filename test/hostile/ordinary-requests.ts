/**
 * The requests of ordinary clients: what a server is warmed up with, and what it still has to answer after an attack.
 */
import { browserFields } from "../bench/request-text.ts";
import { del, get, post, put, request, requestWithBody } from "../harness/request.ts";
import { Attacker } from "./attacker.ts";

/** One kind of request. */
export interface OrdinaryRequest {
  readonly bytes: string;
  /** Of its answer. */
  readonly status: number;
}

/** Of the stock program with the configuration of the end-to-end suite. */
export const ordinaryRequests: readonly OrdinaryRequest[] = [
  { bytes: get("/still"), status: 200 },
  { bytes: request("GET", "/still", browserFields()), status: 200 },
  { bytes: put("/note", { text: "x".repeat(100) }), status: 200 },
  { bytes: post("/led"), status: 200 },
  { bytes: del("/note"), status: 200 },
  { bytes: get("/nothing"), status: 404 },
  { bytes: put("/led", { led: 2 }), status: 422 },
  { bytes: requestWithBody("PUT", "/note", "{"), status: 400 },
];

/** Of the application of the end-to-end suite. */
export const ordinaryApplicationRequests: readonly OrdinaryRequest[] = [
  { bytes: get("/still"), status: 200 },
  { bytes: put("/plain", { text: "x".repeat(100) }), status: 200 },
  { bytes: post("/plain", { text: "y" }), status: 200 },
  { bytes: del("/plain"), status: 200 },
  { bytes: get("/nothing"), status: 404 },
];

/**
 * Has each of the requests answered so many times, over a few connections.
 * @throws Error when an answer has another status.
 */
export async function askOrdinarily(
  address: string,
  requests: readonly OrdinaryRequest[],
  times: number,
): Promise<void> {
  const connections = 4;
  const ask = async (): Promise<void> => {
    const client = new Attacker(address);
    for (const { bytes, status } of requests) {
      for (let time = 0; time < times / connections; time++) {
        const before = client.statuses.length;
        client.send(bytes);
        await client.answers(before + 1);
        if (client.statuses.at(-1) !== status) {
          throw new Error(`An ordinary request was answered with ${client.statuses.at(-1)}: ${bytes.slice(0, 40)}`);
        }
      }
    }
    client.drop();
  };
  await Promise.all(Array.from({ length: connections }, ask));
}
