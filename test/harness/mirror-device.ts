/** Devices that mirror each other: processes that end and start again, and a cable between two of them. */
import { writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { State } from "../../ts/core/noun/state.ts";
import { connectOptions, freeAddress } from "./address.ts";
import { withConstants } from "./constants.ts";
import { eventually } from "./eventually.ts";
import { configurationFile, NoundProcess } from "./nound-process.ts";
import { RawConnection } from "./raw-connection.ts";
import { put } from "./request.ts";
import { endedByThisTest } from "./served.ts";

export const relay = { kind: "switch", key: "on" };

/** A device that may be ended and started again at the same address. */
export class Device {
  readonly address: string;
  readonly file: string;
  process: NoundProcess;
  /** The limits that the configuration cannot have. */
  private environment: { readonly [name: string]: string };

  private constructor(address: string, configuration: object) {
    const { written, environment } = withConstants({ listen: address, ...configuration });
    this.address = address;
    this.environment = environment;
    this.file = configurationFile(JSON.stringify(written));
    this.process = this.begin();
  }

  static async start(configuration: object, address?: string): Promise<Device> {
    const device = new Device(address ?? (await freeAddress()), configuration);
    await device.process.listening();
    return device;
  }

  private begin(): NoundProcess {
    return endedByThisTest(
      new NoundProcess(["--simulate", "--config", this.file], this.address, { environment: this.environment }),
    );
  }

  /** Starts it again, perhaps with another configuration. */
  async again(configuration?: object): Promise<void> {
    if (configuration !== undefined) {
      const { written, environment } = withConstants({ listen: this.address, ...configuration });
      this.environment = environment;
      writeFileSync(this.file, JSON.stringify(written));
    }
    this.process = this.begin();
    await this.process.listening();
  }

  async ask(method: string, path: string, body?: object): Promise<{ status: number; state: State; detail: string }> {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await fetch(`http://${this.address}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const state = (await answer.json()) as State;
    return { status: answer.status, state, detail: String(state["detail"] ?? "") };
  }

  /** Presses a simulated button, and lets it go: at once, so that no busy machine makes it a long press. */
  async press(path: string): Promise<void> {
    const client = await RawConnection.open(this.address);
    client.send(put(path, { pressed: 1 }) + put(path, { pressed: 0 }));
    for (const _ of ["pressed", "let go"]) expect((await client.response("PUT")).status).toBe(200);
    client.drop();
  }

  async has(path: string, state: State): Promise<void> {
    await eventually(`${path} is ${JSON.stringify(state)}`, async () => {
      return JSON.stringify((await this.ask("GET", path)).state) === JSON.stringify(state);
    });
  }

  /** Waits until a noun cannot be read. @returns ms until then. */
  async loses(path: string): Promise<number> {
    const begin = performance.now();
    await eventually(`${path} is null`, async () => (await this.ask("GET", path)).status === 503);
    const { status, detail } = await this.ask("PUT", path, { on: 1 });
    expect([status, detail]).toEqual([503, expect.stringContaining("other device")]);
    return performance.now() - begin;
  }
}

/** ms of silence after which a mirror's device counts as gone, in these tests. */
export const keepAlive = 1_500;

export function mirrorOf(other: { readonly address: string }, noun: string): object {
  return { kind: "mirror", url: `http://${other.address}/${noun}`, keepAlive };
}

/** What one end of a cable has sent and the other one has not got. */
interface Delayed {
  readonly to: Socket;
  readonly bytes: Buffer;
}

/** A cable to a device: a person may pull it out, so that both ends hear nothing, not even that the other is gone. */
export class Cable {
  /** Where the cable is reached. */
  readonly address: string;
  /** Pulls the cable as soon as these bytes have come through it to the device. */
  pullsBehind: string | undefined;
  isPulled = false;
  private readonly delayed: Delayed[] = [];
  private readonly ends = new Set<Socket>();

  private constructor(address: string, to: string) {
    this.address = address;
    const server = createServer((socket) => this.join(socket, connect(connectOptions(to))));
    const { port = 0 } = connectOptions(address) as { port?: number };
    server.listen(port, "127.0.0.1");
    onTestFinished(() => {
      server.close();
      for (const end of this.ends) end.destroy();
    });
  }

  static async to(device: { readonly address: string }): Promise<Cable> {
    const cable = new Cable(await freeAddress(), device.address);
    await eventually("the cable is there", () => {
      return new Promise<boolean>((resolve) => {
        const probe = connect(connectOptions(cable.address), () => resolve(true));
        probe.on("error", () => resolve(false));
        probe.on("connect", () => probe.destroy());
      });
    });
    return cable;
  }

  pull(): void {
    this.isPulled = true;
  }

  /** @param isLate whether what was sent meanwhile arrives now, as TCP sends it again. After a reboot, it is lost. */
  plug(isLate: boolean): void {
    this.isPulled = false;
    if (!isLate) for (const end of this.ends) end.destroy();
    for (const { to, bytes } of this.delayed.splice(0)) to.write(bytes);
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.ends.add(from);
      from.on("error", () => from.destroy());
      from.on("data", (bytes) => {
        if (this.isPulled) this.delayed.push({ to, bytes });
        else to.write(bytes);
        if (from === near && this.pullsBehind !== undefined && bytes.includes(this.pullsBehind)) this.pull();
      });
      from.on("close", () => {
        this.ends.delete(from);
        const end = () => void (this.isPulled ? setTimeout(end, 20).unref() : to.destroy());
        end();
      });
    }
  }
}
