/** How often, and how late, each device has executed a command, by its log. */
import type { Device } from "./devices.ts";

/** Devices whose logs can be read all the time. */
const mostWatched = 1_000;

/** A command of QoS 0 is a PUT, and one of QoS 1 a POST. */
export const verbs = ["put", "post"] as const;

const execution = / (PUT|POST) \/job 200 \(mqtt\)$/gm;

export class Executions {
  private readonly devices: readonly Device[];
  private readonly counts = new Map<Device, { PUT: number; POST: number }>();
  private firstSent = Number.POSITIVE_INFINITY;
  private oldest = 0;

  constructor(devices: readonly Device[]) {
    this.devices = devices;
    for (const device of devices) device.readLog();
  }

  /** A command has been sent. */
  sent(): void {
    this.firstSent = Math.min(this.firstSent, performance.now());
  }

  /** Looks at what has been executed. */
  look(): void {
    if (this.devices.length <= mostWatched) this.read(true);
  }

  /** @returns the most executions of a command of each QoS, devices that executed one twice, and s of the latest. */
  judge() {
    this.read(false);
    const all = [...this.counts.values()];
    return {
      most0: Math.max(0, ...all.map(({ PUT }) => PUT)),
      most1: Math.max(0, ...all.map(({ POST }) => POST)),
      twice: all.filter(({ POST }) => POST > 1).length,
      oldest: this.oldest,
    };
  }

  private read(isTimed: boolean): void {
    if (this.firstSent === Number.POSITIVE_INFINITY) return;
    for (const device of this.devices) {
      for (const [, verb] of device.readLog().matchAll(execution)) {
        const count = this.counts.get(device) ?? { PUT: 0, POST: 0 };
        count[verb === "PUT" ? "PUT" : "POST"] += 1;
        this.counts.set(device, count);
        if (isTimed) this.oldest = Math.max(this.oldest, (performance.now() - this.firstSent) / 1_000);
      }
    }
  }
}
