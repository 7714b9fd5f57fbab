/** A client of encrypted connections, by Node's module https. */
import { Agent, type AgentOptions, type RequestOptions, request } from "node:https";
import { onTestFinished } from "vitest";

/** An answer. */
export interface Reply {
  readonly status: number | undefined;
  readonly body: string;
  /** Whether its connection had had another request before. */
  readonly isReused: boolean;
}

/** Sends a request to this machine. @param body sent in chunks if it is a list. */
export function ask(options: RequestOptions, body?: string | readonly string[]): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: "127.0.0.1", ...options }, (response) => {
      let text = "";
      response.on("data", (bytes) => (text += String(bytes)));
      response.on("end", () => resolve({ status: response.statusCode, body: text, isReused: asking.reusedSocket }));
      response.on("error", reject);
    });
    asking.on("error", reject);
    for (const part of typeof body === "string" ? [body] : (body ?? [])) asking.write(part);
    asking.end();
  });
}

/** @returns an agent that keeps its connection until the test ends. */
export function agent(options: AgentOptions = {}): Agent {
  const made = new Agent({ keepAlive: true, maxSockets: 1, ...options });
  onTestFinished(() => made.destroy());
  return made;
}
