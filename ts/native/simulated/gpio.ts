/**
 * The simulated twin of `nound:gpio`: lines without a chip. Every requested line exists. A test drives and reads the
 * voltage of its pin from outside.
 *
 *     const gpio = new SimulatedGpio(clock);
 *     const line = gpio.openLine("gpiod", { name: "GPIO17" }, settings);
 *     gpio.pin({ name: "GPIO17" }).drive(1);
 *     line.getValue(); // 1, or 0 when the line is active-low
 */
import type {
  EdgeEvent,
  Edges,
  Gpio,
  GpioBackend,
  Level,
  Line,
  LineAddress,
  LineSettings,
  ListedChip,
  OpenArguments,
} from "../gpio.ts";
import type { Clock } from "../loop.ts";
import { ofProgram } from "../of-program.ts";

/** The settings of a line without its holder. */
type CommonSettings = Omit<LineSettings, "consumer">;

const before = ofProgram(() => ({ common: undefined as CommonSettings | undefined }));

/** @returns the settings of the line before, if they are equal: those of a thousand outputs mostly are. */
function shared(settings: CommonSettings): CommonSettings {
  const names = Object.keys(settings) as (keyof CommonSettings)[];
  const last = before();
  const { common } = last;
  const isEqual =
    common !== undefined &&
    names.length === Object.keys(common).length &&
    names.every((name) => common[name] === settings[name]);
  if (!isEqual) last.common = settings;
  return isEqual ? common : settings;
}

function opposite(level: Level): Level {
  return level === 1 ? 0 : 1;
}

/**
 * A pin as seen from outside the device. It stays as it is when its line is closed. There may be a thousand, so a field
 * that most of them never set is on the prototype.
 */
export class SimulatedPin {
  /** For people: `gpiochip0 17`. */
  readonly description: string;
  /** The kernel's error for reading or setting the line; undefined for none. */
  declare failure: Error | undefined;
  /** Whether its chip is gone. */
  declare isGone: boolean;
  /** Whether the line can report edges. */
  declare hasInterrupt: boolean;
  /** What the line was requested with, while it is held: the holder, and the rest, which most lines share. */
  declare private consumer: string | undefined;
  declare private common: CommonSettings | undefined;
  /** The other pin of the request, if the line is one of a pair. */
  declare twin: SimulatedPin | undefined;
  /** The line that is told of each change of the voltage. */
  declare line: { changed(): void } | undefined;
  declare isOutput: boolean;
  /** 1 is the high voltage, whatever the line calls active. Set by `drive`. */
  declare voltage: Level;
  declare private isDriven: boolean;

  static {
    const { prototype } = SimulatedPin;
    prototype.failure = prototype.consumer = prototype.common = prototype.twin = prototype.line = undefined;
    prototype.isGone = prototype.isOutput = prototype.isDriven = false;
    prototype.hasInterrupt = true;
    prototype.voltage = 0;
  }

  constructor(description: string) {
    this.description = description;
  }

  /** What the line was requested with, while it is held. */
  get settings(): LineSettings | undefined {
    const { consumer, common } = this;
    return consumer === undefined || common === undefined ? undefined : { consumer, ...common };
  }

  /** The line is held no more. */
  release(): void {
    this.consumer = this.common = this.twin = this.line = undefined;
  }

  /** Puts a voltage on the pin. */
  drive(voltage: Level): void {
    const before = this.voltage;
    if (!this.isDriven) this.isDriven = true;
    if (before === voltage) return;
    this.voltage = voltage;
    this.line?.changed();
  }

  /** @throws Error when the line is held. @param exempt matches a holder that does not count. */
  checkFree(description: string, exempt?: RegExp): void {
    const holder = this.consumer;
    if (holder === undefined || exempt?.test(holder) === true) return;
    throw new Error(`the GPIO line ${description} is in use by "${holder}"`);
  }

  /** Takes the line. @throws as `checkFree`. */
  hold(settings: LineSettings, description: string): void {
    this.checkFree(description);
    const { consumer, ...common } = settings;
    this.consumer = consumer;
    this.common = shared(common);
    const { direction, value, keepValue, bias } = settings;
    if (direction === "output") {
      if (!(keepValue && this.isOutput)) this.setLevel(value);
    } else if (!this.isDriven) {
      // Without a bias, a pin that nothing drives has the inactive level, as with a resistor.
      if (bias === "pull-up" || bias === "pull-down") this.drive(bias === "pull-up" ? 1 : 0);
      else this.setLevel(0);
    }
    if (this.isOutput !== (direction === "output")) this.isOutput = !this.isOutput;
  }

  getLevel(): Level {
    return this.common?.activeLow === true ? opposite(this.voltage) : this.voltage;
  }

  setLevel(level: Level): void {
    // One call of the kernel sets both lines.
    if (level === 1 && this.twin?.getLevel() === 1) this.twin.setLevel(0);
    this.drive(this.common?.activeLow === true ? opposite(level) : level);
  }
}

class SimulatedLine implements Line {
  declare edges: Edges;
  declare onEdge: ((event: EdgeEvent) => void) | null;
  private readonly pin: SimulatedPin;
  private readonly clock: Clock;
  declare private readonly isActiveLow: boolean;
  declare private sequence: number;
  declare private isOpen: boolean;

  static {
    const begin = { edges: "none", onEdge: null, isActiveLow: false, sequence: 0, isOpen: true };
    Object.assign(SimulatedLine.prototype, begin);
  }

  constructor(pin: SimulatedPin, clock: Clock, settings: LineSettings) {
    this.pin = pin;
    this.clock = clock;
    if (settings.activeLow) this.isActiveLow = true;
    if (settings.edges !== "none") this.edges = settings.edges;
    if (this.edges !== "none" && !pin.hasInterrupt) throw this.noInterrupt();
    pin.hold(settings, pin.description);
    pin.line = this;
  }

  get description(): string {
    return this.pin.description;
  }

  get chip(): string {
    return "simulated";
  }

  get isGone(): boolean {
    return this.isOpen && this.pin.isGone;
  }

  getValue(): Level {
    if (!this.isOpen || this.isGone || this.pin.failure !== undefined) throw this.refusal();
    return this.isActiveLow ? opposite(this.pin.voltage) : this.pin.voltage;
  }

  setValue(value: Level): void {
    if (!this.isOpen || this.isGone || this.pin.failure !== undefined) throw this.refusal();
    if (!this.pin.isOutput) throw new Error(`the line ${this.description} is an input`);
    this.pin.setLevel(value);
  }

  setEdges(edges: Edges): void {
    if (!this.isOpen) throw this.refusal();
    this.edges = "none";
    if (edges !== "none" && !this.pin.hasInterrupt) throw this.noInterrupt();
    this.edges = edges;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.pin.release();
  }

  /** Why the line can be neither read nor set. */
  private refusal(): Error | undefined {
    if (!this.isOpen) return new Error(`the line ${this.description} is closed`);
    return this.isGone ? new Error(`cannot read the GPIO line ${this.description}: No such device`) : this.pin.failure;
  }

  private noInterrupt(): Error {
    return new Error(`the GPIO line ${this.description} cannot report edges: it has no interrupt`);
  }

  /** The voltage of its pin is another one. */
  changed(): void {
    const { edges } = this;
    const value = this.pin.getLevel();
    if (edges !== "both" && edges !== (value === 1 ? "rising" : "falling")) return;
    this.sequence += 1;
    this.onEdge?.({ value, timestamp: this.clock.now() * 1_000, sequence: this.sequence });
  }
}

export class SimulatedGpio implements Gpio {
  readonly backends: readonly GpioBackend[] = ["gpiod", "sysfs"];
  private readonly clock: Clock;
  private readonly pins = new Map<string, SimulatedPin>();

  /** @param clock gives the edges their timestamps. */
  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** @returns the pin of a line, the same for each call with the same address. */
  pin(address: LineAddress): SimulatedPin {
    const key = describe(address);
    const pin = this.pins.get(key) ?? new SimulatedPin(key);
    this.pins.set(key, pin);
    return pin;
  }

  readonly hasEveryLine = true;

  /** Lines without a chip are in no list. */
  listChips(): readonly ListedChip[] {
    return [];
  }

  openLine(_backend: GpioBackend, address: LineAddress, settings: LineSettings): Line {
    return new SimulatedLine(this.pin(address), this.clock, settings);
  }

  openPair(...pair: readonly [...first: OpenArguments, ...second: OpenArguments]): readonly [Line, Line] {
    const [backend, first, settings, otherBackend, second, otherSettings] = pair;
    const inactive = { value: 0, keepValue: false } as const;
    for (const address of [first, second]) this.pin(address).checkFree(describe(address));
    const lines = [
      this.openLine(backend, first, { ...settings, ...inactive }),
      this.openLine(otherBackend, second, { ...otherSettings, ...inactive }),
    ] as const;
    if (backend === "gpiod" && otherBackend === "gpiod" && isOneChip(first, second)) {
      this.pin(first).twin = this.pin(second);
      this.pin(second).twin = this.pin(first);
    }
    return lines;
  }

  checkLine(_backend: GpioBackend, address: LineAddress): void {
    this.pin(address).checkFree(describe(address), /^nound(:|$)/);
  }
}

/** Lines that have names are all on one chip. */
function isOneChip(first: LineAddress, second: LineAddress): boolean {
  const [one, other] = [first, second].map((address) => ("chip" in address ? address.chip : undefined));
  return one === other;
}

function describe(address: LineAddress): string {
  return "name" in address ? `"${address.name}"` : `${address.chip} ${address.offset}`;
}
