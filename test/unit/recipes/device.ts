/** A device that plays a configuration as it is, on simulated hardware. Time passes when a recipe's step says so. */
import { vi } from "vitest";
import type { State } from "../../../ts/core/noun/state.ts";
import { beginProgram } from "../../../ts/native/of-program.ts";
import { world } from "../../../ts/native/simulated/world.ts";
import { rulesKey } from "../../../ts/parts/rules/part.ts";
import { keepDateIn } from "../../../ts/platform/date-folder.ts";
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
  /** @param late how long the clock is behind after it, in ms, until it is set. */
  | readonly ["power cut", ms: number, late?: number]
  | readonly ["clock set"];

const second = 1_000;

/** Between these moments of 2026, it is summer time in Berlin. */
const [summer, winter] = [Date.parse("2026-03-29T01:00Z"), Date.parse("2026-10-25T01:00Z")] as const;

/** @returns minutes that local time in Berlin is ahead of UTC at a moment of 2026. */
export const aheadInBerlin = (moment: number): number => (moment >= summer && moment < winter ? 120 : 60);

function momentInBerlin(local: string): number {
  const moment = Date.parse(`${local}Z`);
  return moment - aheadInBerlin(moment - 3_600 * second) * 60 * second;
}

/** The text of w1_slave. */
function thermometer(value: number | "lost"): string {
  const [crc, degrees] = value === "lost" ? ["NO", 0] : ["YES", Math.round(1_000 * value)];
  const bytes = "50 01 4b 46 7f ff 0c 10 1c";
  return `${bytes} : crc=1c ${crc}\n${bytes} t=${degrees}\n`;
}

export class PlayedDevice {
  private readonly configuration: Json;
  /** When the simulated clock began, in ms since 1970. */
  private epoch: number;
  /** How long the clock on the wall is behind, in ms. */
  private late = 0;
  /** The levels outside, by line. */
  private readonly levels = new Map<string, 0 | 1>();
  /** What webhooks have sent and no step has looked at. */
  private readonly told: string[] = [];
  private server: Server | undefined;
  private folder = "/sys/bus/w1/devices";

  /**
   * @param start local time in Berlin, such as `2026-01-10T17:59`, or a moment in ms since 1970.
   * @param found what the device finds: thermometers by their ids, in °C, and the texts of files by their paths.
   */
  constructor(configuration: Json, start: string | number, found: { readonly [place: string]: number | string }) {
    beginProgram();
    this.configuration = configuration;
    this.epoch = typeof start === "number" ? start : momentInBerlin(start);
    vi.spyOn(Date.prototype, "getTimezoneOffset").mockImplementation(function (this: Date) {
      return -aheadInBerlin(this.getTime());
    });
    vi.spyOn(Date, "now").mockImplementation(() => this.now - this.late);
    for (const [place, value] of Object.entries(found)) {
      if (typeof value === "number") this.celsius(place, value);
      else putFile(place, value);
    }
  }

  /** The moment, in ms since 1970, whatever the device's clock shows. */
  get now(): number {
    return this.epoch + world().clock.now();
  }

  async start(): Promise<this> {
    const plan = readConfiguration(this.configuration);
    keepDateIn(plan.stateDirectory);
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
        this.drive(step[1], step[2]);
        return advance(second);
      case "drive":
        this.drive(step[1], step[2]);
        return advance(0);
      case "double press":
        for (const level of [1, 0, 1, 0] as const) {
          this.drive(step[1], level);
          await advance(100);
        }
        return advance(second);
      case "press":
        this.drive(step[1], 1);
        await advance(step[2] ?? 100);
        this.drive(step[1], 0);
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
        return this.cut(step[1], step[2] ?? 0);
      case "clock set":
        this.setClock(0);
        return undefined;
    }
  }

  private drive(line: string, level: 0 | 1): void {
    this.levels.set(line, level);
    pin(line).drive(level);
  }

  private setClock(late: number): void {
    this.late = late;
    world().isClockSynchronized = late === 0;
  }

  private celsius(id: string, value: number | "lost"): void {
    putFile(`${this.folder}/${id}/w1_slave`, thermometer(value));
  }

  /** The power is away for a time. What is stored stays, and so does the world outside. */
  private async cut(ms: number, late: number): Promise<void> {
    const { storage, files } = world();
    this.epoch = this.now + ms;
    beginProgram();
    Object.assign(world(), { storage, files });
    this.setClock(late);
    for (const [line, level] of this.levels) pin(line).drive(level);
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
