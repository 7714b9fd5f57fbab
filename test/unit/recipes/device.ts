/** A device that plays a configuration as it is, on simulated hardware. Time passes when a recipe's step says so. */
import { vi } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { rulesKey } from "../../../ts/parts/rules/part.ts";
import { Server } from "../../../ts/program/application/server.ts";
import { readConfiguration } from "../../../ts/program/configuration/configuration.ts";
import { refuseMistakes } from "../../../ts/program/daemon/check-nouns.ts";
import { haveGuards, registerNouns } from "../../../ts/program/daemon/register-nouns.ts";
import type { Json } from "../../../ts/settings/json.ts";
import { advance, otherServer, pin, putFile, request } from "../../../ts/testing.ts";

/** What happens to the device, what somebody asks of it, and what it is then. Times are in ms. */
export type Step =
  | readonly ["wait", ms: number]
  | readonly ["line", line: string, level: 0 | 1]
  | readonly ["drive", line: string, level: 0 | 1]
  | readonly ["press", line: string, ms?: number]
  | readonly ["double press", line: string]
  | readonly ["celsius", id: string, value: number | "lost"]
  | readonly ["file", path: string, text: string]
  | readonly ["PUT" | "POST" | "DELETE", noun: string, state?: State]
  | readonly ["refused", verb: "PUT" | "POST", noun: string, state: State, retryAfter?: number]
  | readonly ["is", noun: string, state: State]
  | readonly ["sent", ...bodies: readonly string[]]
  | readonly ["power cut", ms: number];

const second = 1_000;

/** The text of w1_slave. */
function thermometer(value: number | "lost"): string {
  const [crc, degrees] = value === "lost" ? ["NO", 0] : ["YES", Math.round(1_000 * value)];
  const bytes = "50 01 4b 46 7f ff 0c 10 1c";
  return `${bytes} : crc=1c ${crc}\n${bytes} t=${degrees}\n`;
}

export class PlayedDevice {
  private readonly configuration: Json;
  /** The clock on the wall when the simulated one began, in ms since 1970. */
  private epoch: number;
  /** What webhooks have sent and no step has looked at. */
  private readonly told: string[] = [];
  private server: Server | undefined;
  private folder = "/sys/bus/w1/devices";

  /**
   * @param start local time in Berlin in winter, such as `2026-01-10T17:59`.
   * @param found what the device finds: thermometers by their ids, in °C, and the texts of files by their paths.
   */
  constructor(configuration: Json, start: string, found: { readonly [place: string]: number | string }) {
    beginProgram();
    this.configuration = configuration;
    this.epoch = new Date(`${start}+01:00`).getTime();
    vi.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(-60);
    vi.spyOn(Date, "now").mockImplementation(() => this.epoch + world().clock.now());
    for (const [place, value] of Object.entries(found)) {
      if (typeof value === "number") this.celsius(place, value);
      else putFile(place, value);
    }
  }

  async start(): Promise<this> {
    const plan = readConfiguration(this.configuration);
    const server = new Server({});
    registerNouns(server, { ...plan, hasGuards: haveGuards(plan.nouns) });
    this.server = server;
    refuseMistakes(server.core.parts.find(rulesKey), server.core.nouns, "recipe", new Set());
    otherServer("192.0.2.5:1880", ({ body }) => {
      this.told.push(body);
      return {};
    });
    // Its guards and rules begin to act with the first address.
    await this.ask("GET", "/");
    await advance(second);
    return this;
  }

  /** @throws Error with what the device did otherwise. */
  async play(step: Step): Promise<void> {
    switch (step[0]) {
      case "wait":
        return advance(step[1]);
      case "line":
        pin(step[1]).drive(step[2]);
        return advance(second);
      case "drive":
        pin(step[1]).drive(step[2]);
        return advance(0);
      case "double press":
        for (const level of [1, 0, 1, 0] as const) {
          pin(step[1]).drive(level);
          await advance(100);
        }
        return advance(second);
      case "press":
        pin(step[1]).drive(1);
        await advance(step[2] ?? 100);
        pin(step[1]).drive(0);
        return advance(second);
      case "celsius":
        this.celsius(step[1], step[2]);
        return advance(6 * second);
      case "file":
        putFile(step[1], step[2]);
        return advance(2 * second);
      case "PUT":
      case "POST":
      case "DELETE": {
        const { status, text } = await this.ask(step[0], `/${step[1]}`, step[2] ?? {});
        if (status !== 200) throw new Error(`${step[0]} ${step[1]} got ${status} ${text}`);
        return advance(second);
      }
      case "refused": {
        const [, verb, noun, state, retryAfter] = step;
        const { status, headers, text } = await this.ask(verb, `/${noun}`, state);
        if (status !== 409 || headers["retry-after"] !== (retryAfter === undefined ? undefined : String(retryAfter)))
          throw new Error(`${verb} ${noun} got ${status} ${text}, Retry-After ${headers["retry-after"]}`);
        return undefined;
      }
      case "is": {
        const { body, text } = await this.ask("GET", `/${step[1]}`);
        if (Object.entries(step[2]).some(([key, value]) => body[key] !== value))
          throw new Error(`${step[1]} is ${text}, not ${JSON.stringify(step[2])}`);
        return undefined;
      }
      case "sent": {
        const told = JSON.stringify(this.told.splice(0));
        if (told !== JSON.stringify(step.slice(1))) throw new Error(`it sent ${told}`);
        return undefined;
      }
      case "power cut":
        return this.cut(step[1]);
    }
  }

  private celsius(id: string, value: number | "lost"): void {
    putFile(`${this.folder}/${id}/w1_slave`, thermometer(value));
  }

  /** The power is away for a time. What is stored stays, and so do the world outside and the clock on the wall. */
  private async cut(ms: number): Promise<void> {
    const { storage, files, clock } = world();
    this.epoch += clock.now() + ms;
    beginProgram();
    Object.assign(world(), { storage, files });
    await this.start();
  }

  private ask(method: string, path: string, state?: State) {
    if (this.server === undefined) throw new Error("The device has not started.");
    const asked = request(this.server, {
      method,
      path,
      ...(method !== "GET" && method !== "DELETE" && { body: state ?? {} }),
    });
    void advance(0);
    return asked;
  }
}
