/**
 * The simulated twin of `nound:input`: input devices that have every code. A test presses a key and pulls the plug.
 *
 *     const input = new SimulatedInput(clock);
 *     const source = input.openDevice("gpio-keys", 1, 116);
 *     input.device("gpio-keys").send(1, 116, 1);
 *     source.level; // 1
 */
import type { Input, InputSource } from "../input.ts";
import type { Clock } from "../loop.ts";

class SimulatedSource<Event> implements InputSource<Event> {
  level = 0;
  onEvent: ((event: Event | null, timestamp: number) => void) | null = null;
  private readonly ended: (source: SimulatedSource<Event>) => void;

  constructor(ended: (source: SimulatedSource<Event>) => void) {
    this.ended = ended;
  }

  close(): void {
    this.ended(this);
  }
}

const axisType = 2;
const keyOf = (type: number, code: number) => `${type} ${code}`;

/** A device as seen from outside. */
export class SimulatedInputDevice {
  private isPlugged = true;
  private readonly clock: Clock;
  private readonly levels = new Map<string, number>();
  private readonly sources = new Map<SimulatedSource<number>, string>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** @returns the level of a key or a switch. */
  level(type: number, code: number): number {
    return this.levels.get(keyOf(type, code)) ?? 0;
  }

  /** Presses or lets go a key, or turns an axis by so many steps. */
  send(type: number, code: number, value: number): void {
    const key = keyOf(type, code);
    if (type !== axisType) this.levels.set(key, value);
    for (const [source, its] of this.sources) {
      if (its !== key) continue;
      source.level = this.level(type, code);
      source.onEvent?.(value, this.clock.now() * 1_000);
    }
  }

  /** Pulls the plug. */
  unplug(): void {
    this.isPlugged = false;
    const sources = [...this.sources.keys()];
    this.sources.clear();
    for (const source of sources) source.onEvent?.(null, 0);
  }

  /** Plugs it in again. */
  plug(): void {
    this.isPlugged = true;
  }

  /** @internal Opens the program's end. @throws Error when it is unplugged. */
  open(name: string, type: number, code: number): InputSource<number> {
    if (!this.isPlugged) throw new Error(`there is no input device "${name}"`);
    const source = new SimulatedSource<number>((ended) => this.sources.delete(ended));
    source.level = this.level(type, code);
    this.sources.set(source, keyOf(type, code));
    return source;
  }
}

export class SimulatedInput implements Input {
  readonly wordBits = 64;
  private readonly clock: Clock;
  private readonly devices = new Map<string, SimulatedInputDevice>();
  private readonly listeners = new Set<SimulatedSource<string>>();

  /** @param clock gives the events their timestamps. */
  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** @returns a device, the same for each call with the same name. */
  device(name: string): SimulatedInputDevice {
    const device = this.devices.get(name) ?? new SimulatedInputDevice(this.clock);
    this.devices.set(name, device);
    return device;
  }

  /** Sends a hotplug event to all that listen. @param assignments such as `BUTTON=wps`. */
  sendUevent(...assignments: readonly string[]): void {
    for (const source of this.listeners) source.onEvent?.(assignments.map((one) => `${one}\0`).join(""), 0);
  }

  openDevice(device: string, type: number, code: number): InputSource<number> {
    return this.device(device).open(device, type, code);
  }

  openUevents(): InputSource<string> {
    const source = new SimulatedSource<string>((ended) => this.listeners.delete(ended));
    this.listeners.add(source);
    return source;
  }
}
