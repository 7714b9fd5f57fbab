/**
 * Hardware of every kind that can be guarded, which goes on when the process of its noun ends. It is never kinder than
 * real hardware: a write may be lost, or be done without an answer; a part of a state may be set when the rest fails.
 */
import type { When } from "../../../ts/core/noun/condition.ts";
import { defineNoun } from "../../../ts/core/noun/define-noun.ts";
import type { Noun } from "../../../ts/core/noun/noun.ts";
import type { State } from "../../../ts/core/noun/state.ts";
import { type MotorEvents, TwoWayMotor } from "../../../ts/hardware/nouns/cover-motor.ts";
import { CoverNoun } from "../../../ts/hardware/nouns/cover-noun.ts";
import { lineOutput } from "../../../ts/hardware/nouns/cover-output.ts";
import { GpioOutputNoun } from "../../../ts/hardware/nouns/gpio-output-noun.ts";
import { LedNoun } from "../../../ts/hardware/nouns/led-noun.ts";
import { PwmNoun } from "../../../ts/hardware/nouns/pwm-noun.ts";
import { WritableAttributeNoun } from "../../../ts/hardware/nouns/sysfs-attribute.ts";
import { PwmChannel } from "../../../ts/hardware/open/pwm-channel.ts";
import type { Files } from "../../../ts/native/files.ts";
import type { Level, Line } from "../../../ts/native/gpio.ts";
import type { SimulatedClock } from "../../../ts/native/simulated/clock.ts";
import type { AttributeFolder } from "../../../ts/native/sysfs.ts";
import { MirroredForm, MirrorNoun } from "../../../ts/parts/mirror/mirror-noun.ts";
import type { OtherDevice } from "../../../ts/parts/mirror/other-device.ts";
import { Bus, type LinkHandler } from "../../../ts/parts/modbus/bus.ts";
import { ModbusNoun } from "../../../ts/parts/modbus/modbus-noun.ts";
import { SimulatedUnits } from "../../../ts/parts/modbus/simulated-units.ts";
import { ModbusUnit } from "../../../ts/parts/modbus/unit.ts";

/** How hardware does what it is asked. What is silent does it or not, and does not say which. */
export type Manner = "works" | "refuses" | "is silent";

/** ms that a reading of a sensor may be old. */
export const poll = 1_000;

/** What a process holds of its hardware. */
export interface Process {
  readonly clock: SimulatedClock;
  /** Whether it has ended: nothing of it reaches the hardware any more. */
  isDead: boolean;
}

export abstract class Hardware {
  manner: Manner = "works";
  /** Called with each change. */
  onChange: () => void = () => {};
  /** Called before it goes off although nobody asks for that now. */
  onFall: () => void = () => {};
  /** The state of the noun when the hardware is on. */
  abstract readonly on: State;
  /** What holds while it is on, of the noun's keys. */
  abstract readonly condition: When[string];
  /** Whether a noun notices that the hardware goes off by itself. */
  readonly isWatched: boolean = true;
  /** Whether nobody can read it while it is silent. */
  readonly isReadByAsking: boolean = false;
  /** Whether the keeper holds it: what no noun has any more goes to its default. */
  readonly isHeld: boolean = false;
  /** What the processes have begun and not ended. */
  private readonly begun = new Set<() => void>();
  /** Whether the next one of what is silent is done. It alternates. */
  private isLucky = false;
  private isPhysicallyOn = false;

  /** @param isFirst whether no earlier process had it. */
  abstract make(process: Process, guard: When | undefined, isFirst: boolean): Noun;

  get isOn(): boolean {
    return this.isPhysicallyOn;
  }

  protected become(isOn: boolean): void {
    if (isOn === this.isPhysicallyOn) return;
    this.isPhysicallyOn = isOn;
    this.onChange();
  }

  /** It goes off by itself. */
  trip(): void {
    if (this.isOn) this.onFall();
    this.become(false);
  }

  /** Its process ends: the kernel sets a line that nobody holds to its default. */
  letGo(): void {
    if (this.isHeld && this.manner === "works") this.become(false);
  }

  /** From now on, it does what it is asked in this way. What has hung is done now. */
  behave(manner: Manner): void {
    this.manner = manner;
    if (manner !== "is silent") for (const go of [...this.begun]) go();
  }

  /** Whatever has begun is done, or is not, when its process ends. */
  drop(): void {
    if (this.isLuckyNow()) for (const go of [...this.begun]) go();
    this.begun.clear();
  }

  protected isLuckyNow(): boolean {
    this.isLucky = !this.isLucky;
    return this.isLucky;
  }

  /** @throws Error unless it works, or the process has ended. */
  protected check({ isDead }: Process): void {
    if (isDead || this.manner !== "works") throw new Error("Input/output error");
  }

  /** Does something that takes time. While it is silent, that hangs. */
  protected async later<T>(process: Process, act: () => T): Promise<T> {
    return await new Promise((resolve, reject) => {
      const go = () => {
        if (!this.begun.delete(go)) return;
        if (this.manner === "refuses") reject(new Error("Input/output error"));
        else resolve(act());
      };
      if (process.isDead) return;
      this.begun.add(go);
      process.clock.setTimer(() => {
        if (!process.isDead && this.manner !== "is silent") go();
      }, 20);
    });
  }
}

/** A line: nobody but the noun knows its level. */
class OutputLine extends Hardware {
  readonly on = { on: 1 };
  readonly condition = { on: 1 };
  override readonly isWatched = false;
  override readonly isHeld = true;

  make(process: Process, guard: When | undefined, isFirst: boolean): Noun {
    if (isFirst) this.become(false);
    const line = lineOf({
      get: () => (this.isOn ? 1 : 0),
      set: (level) => {
        this.check(process);
        this.become(level === 1);
      },
    });
    return guarded(new GpioOutputNoun({ line, clock: process.clock }, { key: "on" }), guard);
  }
}

function lineOf({ get, set }: { get: () => Level; set: (level: Level) => void }): Line {
  const line = { description: "", chip: "", isGone: false, edges: "none", onEdge: null, setEdges() {}, close() {} };
  return { ...line, getValue: get, setValue: set } as Line;
}

function guarded<N extends Noun>(noun: N, guard: When | undefined): N {
  return guard === undefined ? noun : Object.assign(noun, { guard });
}

/** A cover: it is on while it opens. It stops when its process ends. */
class Cover extends Hardware {
  readonly on = { moving: "opening" };
  readonly condition = { moving: "opening" };
  override readonly isWatched = false;
  override readonly isHeld = true;

  make(process: Process, guard: When | undefined, isFirst: boolean): Noun {
    if (isFirst) this.become(false);
    // A stop that fails is tried again by the noun itself.
    let hasFailed = false;
    const opening = lineOf({
      get: () => (this.isOn ? 1 : 0),
      set: (level) => {
        hasFailed ||= level === 0 && this.isOn && this.manner !== "works";
        this.check(process);
        if (level === 0 && this.isOn && hasFailed) this.onFall();
        hasFailed = false;
        this.become(level === 1);
      },
    });
    const closing = lineOf({ get: () => 0, set: () => this.check(process) });
    const { clock } = process;
    const wasMoving = this.isOn;
    if (wasMoving) opening.setValue(0);
    const outputs = { open: lineOutput(opening), close: lineOutput(closing) };
    const motor = (events: MotorEvents, pause: number) => new TwoWayMotor(outputs, clock, pause, events);
    return guarded(new CoverNoun({ motor, clock, wasMoving }, { openTime: 9e6, closeTime: 9e6, pause: 1 }), guard);
  }
}

abstract class Attributes extends Hardware {
  protected readonly texts = new Map<string, string>();
  protected abstract readonly decisive: string;

  /** What a change of attributes makes of the hardware. */
  protected folder(process: Process): AttributeFolder {
    return {
      path: "/sys/it",
      has: (name) => this.texts.has(name),
      read: (name) => this.texts.get(name) ?? "",
      write: (name, text) => {
        if (process.isDead || name === this.decisive) this.check(process);
        this.texts.set(name, text);
        if (name === this.decisive) this.become(text !== "0");
      },
      open: () => this.folder(process),
    };
  }

  override trip(): void {
    this.texts.set(this.decisive, "0");
    super.trip();
  }
}

class Light extends Attributes {
  readonly on = { brightness: 9 };
  readonly condition = { brightness: { above: 0 } };
  override readonly isHeld = true;
  protected readonly decisive = "brightness";

  make(process: Process, guard: When | undefined, isFirst: boolean): Noun {
    this.texts.set("max_brightness", "9");
    if (!this.texts.has("brightness")) this.texts.set("brightness", "0");
    const inherited = isFirst ? {} : { inherited: { brightness: 0 } };
    return guarded(new LedNoun(this.folder(process), { default: { brightness: 0 }, poll, ...inherited }), guard);
  }
}

class Fan extends Attributes {
  readonly on = { percent: 50, enabled: true };
  readonly condition = { enabled: true };
  override readonly isHeld = true;
  protected readonly decisive = "enable";

  make(process: Process, guard: When | undefined, isFirst: boolean): Noun {
    for (const name of ["period", "duty_cycle", "enable"]) if (!this.texts.has(name)) this.texts.set(name, "0");
    const inherited = isFirst ? {} : { inherited: { percent: 0, enabled: false } };
    return guarded(
      new PwmNoun(new PwmChannel(this.folder(process)), { frequency: 1_000_000, poll, ...inherited }),
      guard,
    );
  }
}

/** An attribute that a worker thread reads and writes. */
class Attribute extends Hardware {
  readonly on = { level: 9 };
  readonly condition = { level: { above: 0 } };
  override readonly isReadByAsking = true;

  make(process: Process, guard: When | undefined): Noun {
    const read = () => `${this.isOn ? 9 : 0}\n`;
    const files: Files = {
      readText: () => this.later(process, read),
      readTexts: () => this.later(process, () => [read()]),
      listFolder: () => this.later(process, () => []),
      writeText: (_, text) => this.later(process, () => this.become(text !== "0")),
    };
    const options = { path: "/sys/it", key: "level", writable: true, default: 0 };
    return guarded(new WritableAttributeNoun(options, files, { poll }), guard);
  }
}

class Units extends SimulatedUnits {
  private readonly process: Process;
  private readonly ask: (bytes: string) => string;
  private taker: LinkHandler | undefined;

  constructor(framing: "rtu" | "tcp", process: Process, ask: (answer: () => string) => string) {
    super(framing);
    this.process = process;
    this.ask = (bytes) => ask(() => super.answer(bytes));
  }

  override open(handler: LinkHandler, done: (reason?: string) => void): void {
    this.taker = handler;
    done();
  }

  override send(bytes: string): void {
    if (this.process.isDead) return;
    const answer = this.ask(bytes);
    if (answer !== "") this.process.clock.setTimer(() => this.taker?.onBytes(answer), 5);
  }

  override close(): void {
    this.taker = undefined;
  }
}

class Coil extends Hardware {
  readonly on = { on: true };
  readonly condition = { on: true };
  override readonly isReadByAsking = true;
  private readonly framing: "rtu" | "tcp";

  constructor(framing: "rtu" | "tcp") {
    super();
    this.framing = framing;
  }

  make(process: Process, guard: When | undefined): Noun {
    const units = new Units(this.framing, process, (answer) => {
      if (this.manner !== "is silent") return answer();
      if (this.isLuckyNow()) answer();
      return "";
    });
    const unit = units.unit(1);
    unit.coil.get = () => (this.isOn ? 1 : 0);
    unit.coil.set = (_, on) => {
      this.become(on === 1);
      return unit.coil;
    };
    const answer = unit.answer.bind(unit);
    unit.answer = (question) => (this.manner === "refuses" ? `${refusalOf(question)}\x04` : answer(question));
    const bus = new Bus(process.clock, units, {
      framing: this.framing,
      baud: 115_200,
      isConnection: this.framing === "tcp",
    });
    const modbus = new ModbusUnit(bus, 1, 100, () => bus.close());
    const keys = { on: { read: "coil", at: 0, writable: true, default: false } } as const;
    return guarded(new ModbusNoun(modbus, { server: "a:502", keys, poll }, () => {}), guard);
  }
}

function refusalOf(question: string): string {
  return String.fromCharCode(question.charCodeAt(0) | 0x80);
}

/** A noun of another device. */
class Mirrored extends Hardware {
  readonly on = { on: 1 };
  readonly condition = { on: 1 };
  override readonly isReadByAsking = true;
  private tell: () => void = () => {};

  make(process: Process, guard: When | undefined): Noun {
    const { clock } = process;
    const state = () => ({ on: this.isOn ? 1 : 0 });
    const device = {
      stateLimits: { stateBytes: 1_000, statePairs: 9 },
      reshaped() {},
      remove() {},
      command: (method: string, _name: string, _hops: number, body: string, done: (outcome: unknown) => void) => {
        if (process.isDead) return;
        const wanted = method === "DELETE" ? 0 : (JSON.parse(body) as { on: number }).on;
        if (this.manner === "refuses") {
          clock.setTimer(() => done({ status: 500, body: '{"detail":"No."}' }), 5);
          return;
        }
        const isSilent = this.manner === "is silent";
        if (!isSilent || this.isLuckyNow()) this.become(wanted === 1);
        const answer = JSON.stringify(state());
        clock.setTimer(() => done(isSilent ? "It did not answer." : { status: 200, body: answer }), isSilent ? 900 : 5);
      },
    };
    const noun = new MirrorNoun(device as unknown as OtherDevice, "it", {});
    const shape = { on: { type: "choice", values: [0, 1] } } as const;
    const described = {
      shape,
      updateShape: undefined,
      settable: true,
      takesAny: false,
      title: undefined,
      description: undefined,
      action: undefined,
      hops: 0,
    };
    noun.describe(described, new MirroredForm(described), false);
    this.tell = () => {
      clock.setTimer(() => {
        if (process.isDead) return;
        if (this.manner === "is silent") noun.lose("The other device is silent.");
        else noun.take(state());
      }, 5);
    };
    this.tell();
    return guarded(noun, guard);
  }

  protected override become(isOn: boolean): void {
    super.become(isOn);
    this.tell();
  }

  override behave(manner: Manner): void {
    super.behave(manner);
    this.tell();
  }
}

/** A slow noun of an author. */
class Own extends Hardware {
  readonly on = { on: 1 };
  readonly condition = { on: 1 };
  override readonly isWatched = false;

  make(process: Process, guard: When | undefined): Noun {
    return defineNoun({
      shape: { on: { type: "choice", values: [0, 1] } } as const,
      default: { on: 0 },
      get: () => ({ on: this.isOn ? 1 : 0 }) as const,
      set: async ({ on }) => await this.later(process, () => this.become(on === 1)),
      ...(guard && { guard }),
    });
  }
}

/** By the name of the kind, what makes its hardware. */
export const kinds = {
  "gpio-output": () => new OutputLine(),
  cover: () => new Cover(),
  led: () => new Light(),
  pwm: () => new Fan(),
  sysfs: () => new Attribute(),
  "modbus rtu": () => new Coil("rtu"),
  "modbus tcp": () => new Coil("tcp"),
  mirror: () => new Mirrored(),
  "an author's": () => new Own(),
} as const satisfies { readonly [kind: string]: () => Hardware };

export type Kind = keyof typeof kinds;
