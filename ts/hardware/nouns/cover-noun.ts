/**
 * A noun for a shutter, an awning or a gate: two outputs, one to open and one to close, that are never active together.
 */

import { comeToRest, type DrivenNoun, drivenNouns } from "../../core/feeds/driven-noun.ts";
import { ChangeListeners } from "../../core/noun/change-listeners.ts";
import type { HomeAssistantOptions } from "../../core/noun/home-assistant.ts";
import { leave, takeOver } from "../../core/noun/left-state.ts";
import {
  byItself,
  type Changing,
  type EndSwitch,
  endSwitches,
  foresee,
  leadsToDefault,
} from "../../core/noun/noun-traits.ts";
import type { Shape } from "../../core/noun/shape.ts";
import type { State } from "../../core/noun/state.ts";
import { type CoverDrive, CoverMotion } from "./cover-motion.ts";
import type { CoverGoal, CoverTimes } from "./cover-options.ts";
import { coverShape, goalOf, inHomeAssistant, moves } from "./cover-state.ts";
import { directions } from "./cover-travel.ts";
import { goneRefusal } from "./gone-refusal.ts";
import type { HardwareNoun } from "./hardware-noun.ts";

/** What `CoverNoun` needs. */
export interface CoverHardware extends CoverDrive {
  /** Whether an earlier process has left it moving. */
  readonly wasMoving?: boolean;
  /** The nouns that the motor sets. */
  readonly driven?: readonly DrivenNoun[];
  /** Called when the noun closes. */
  readonly onClose?: () => void;
}

/**
 * PUT and POST of a position move there, `{"moving":"opening"}` and `{"moving":"closing"}` to an end;
 * `{"moving":"stopped"}` stops; POST of `{}` is one button for everything: open, stop, close, stop. A move to an end
 * runs longer, so the position is right again afterwards. Without a known position it goes to an end first.
 */
export class CoverNoun implements HardwareNoun {
  readonly shape: Shape;
  readonly updateShape?: Shape;
  /** A move is a change of whoever has begun it. */
  readonly [byItself] = "nothing";
  readonly action = "Open, stop, close";
  readonly [endSwitches]?: readonly EndSwitch[];
  readonly [drivenNouns]?: readonly DrivenNoun[];
  readonly homeAssistant: HomeAssistantOptions;
  private readonly hardware: CoverHardware;
  private readonly motion: CoverMotion;
  /** Where a DELETE leads; undefined to stop. */
  private readonly home: CoverGoal | undefined;
  private readonly listeners = new ChangeListeners();
  private isGone = false;
  /** Whether it moves no more, because the program ends. */
  private isEnding = false;

  constructor(hardware: CoverHardware, times: CoverTimes) {
    const { stopAt = {}, default: home, tiltTime = 0 } = times;
    const { kept, driven, wasMoving = false } = hardware;
    this.hardware = hardware;
    this.home = home;
    const switches = directions.flatMap((direction): readonly EndSwitch[] => {
      const when = stopAt[direction];
      const reach = (isThere: boolean) => this.motion.reach(direction, isThere);
      return when === undefined ? [] : [{ option: ["stopAt", direction], when, reach }];
    });
    if (switches.length > 0) this[endSwitches] = switches;
    if (driven !== undefined) this[drivenNouns] = driven;
    const hasSlats = tiltTime > 0;
    const hasFailures = switches.length > 0 || driven !== undefined;
    this.shape = coverShape(hasSlats, hasFailures);
    if (hasFailures) this.updateShape = coverShape(hasSlats, false);
    this.homeAssistant = { ...inHomeAssistant, ...(hasSlats && { tilt: "tilt" }) };
    this.motion = new CoverMotion(hardware, times, hasFailures, () => this.listeners.tell());
    const [position, tilt] = wasMoving ? [] : (kept?.text || "-").split(" ").map(Number);
    this.motion.place.restore(position, tilt);
  }

  getState(): State {
    if (this.isGone) throw goneRefusal("line", 500);
    const { place, heading, failure } = this.motion;
    const { now } = place;
    return {
      position: place.positionOf(now) ?? null,
      ...(place.hasSlats && { tilt: place.tiltOf(now) ?? null }),
      moving: heading === undefined ? "stopped" : moves[heading],
      ...(this.updateShape && { failure }),
    };
  }

  setState(state: State): State {
    if (this.isGone) throw goneRefusal("line", 503);
    return this.isAsItIs(state) ? this.getState() : this.go(goalOf(state));
  }

  updateState(change: State): State {
    if (Object.keys(change).length > 0) return this.setState(change);
    const { motion } = this;
    const { heading, place } = motion;
    if (heading !== undefined) {
      motion.stopped = heading;
      return this.setState({ moving: "stopped" });
    }
    // A hand may have moved it since its last run: from an end, there is one way.
    const position = place.positionOf(place.now);
    const isOpen = position === 100 || (position !== 0 && (motion.stopped ?? motion.last) === "open");
    return this.setState({ moving: isOpen ? "closing" : "opening" });
  }

  /** Stops where it is, or moves to its default. */
  deleteState(): State {
    if (this.isGone) throw goneRefusal("line", 503);
    return this.go(this.home);
  }

  watch(changed: () => void): () => void {
    return this.listeners.add(changed);
  }

  [foresee](verb: Changing): State | undefined {
    if (verb !== "DELETE") return undefined;
    const { place } = this.motion;
    const heading = this.home && (place.running ?? place.runTo(this.home)?.direction);
    return { ...this.getState(), moving: heading === undefined ? "stopped" : moves[heading] };
  }

  [leadsToDefault](state: State): boolean {
    if (this.isAsItIs(state)) return true;
    const { home, motion } = this;
    let goal: CoverGoal | undefined;
    try {
      goal = goalOf(state);
    } catch {
      return false;
    }
    if (goal === undefined) return home === undefined;
    if (home === undefined) return motion.heading === undefined && motion.place.runTo(goal) === undefined;
    return goal.position === home.position && (goal.tilt ?? home.tilt) === home.tilt;
  }

  /** A move does not go on in the next process; the position does, if the motor stands already. */
  [leave](): State {
    const { motion, hardware } = this;
    motion.halt();
    hardware.kept?.flush();
    const { running, place } = motion.place;
    const { position = null, tilt = null } = running === undefined ? place : {};
    return { position, tilt, last: motion.last ?? null };
  }

  [takeOver]({ position, tilt, last }: State): void {
    const { motion } = this;
    motion.place.restore(position, tilt);
    if (last !== "open" && last !== "close") return;
    motion.last = last;
    motion.motor.resume?.(last);
  }

  async [comeToRest](isForGood: boolean): Promise<void> {
    if (this.isGone) return;
    this.isEnding ||= isForGood;
    const rested = this.motion.rested();
    try {
      this.motion.halt();
    } catch (error) {
      this.hardware.report?.(`It does not stop: ${error instanceof Error ? error.message : ""}`);
    }
    await rested;
  }

  /** The chip of a line is gone. */
  lose(): void {
    this.isGone = true;
    this.motion.end();
    this.listeners.tell();
  }

  close(): void {
    const { kept, onClose } = this.hardware;
    try {
      if (!this.isGone) this.motion.halt();
    } finally {
      this.motion.end();
      kept?.flush();
      onClose?.();
    }
  }

  /** @returns whether a state is the one that GET gives, which can be sent back: nothing moves, and nothing stops. */
  private isAsItIs(state: State): boolean {
    const now = this.getState();
    return ["position", "tilt", "moving"].every((key) => state[key] === now[key]);
  }

  /** @param goal undefined to stop. */
  private go(goal: CoverGoal | undefined): State {
    try {
      this.motion.go(this.isEnding ? undefined : goal);
    } finally {
      this.listeners.tell();
    }
    return this.getState();
  }
}
