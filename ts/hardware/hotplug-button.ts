/**
 * A button of OpenWrt's driver gpio-button-hotplug. It has no input device. The kernel tells each press by a hotplug
 * event, as scripts in /etc/rc.button get it: `ACTION=pressed`, `SUBSYSTEM=button`, `BUTTON=wps`.
 */
import type { InputSource } from "../native/input.ts";
import type { Clock } from "../native/loop.ts";

/** @returns the level that an event tells of the button; undefined for another event. */
function levelIn(event: string, button: string): 0 | 1 | undefined {
  const assignments = event.split("\0");
  if (!assignments.includes("SUBSYSTEM=button") || !assignments.includes(`BUTTON=${button}`)) return undefined;
  return assignments.includes("ACTION=pressed") ? 1 : assignments.includes("ACTION=released") ? 0 : undefined;
}

/** The button as an input. It counts as released until its first event. */
export class HotplugButton implements InputSource<number> {
  level: 0 | 1 = 0;
  onEvent: InputSource<number>["onEvent"] = null;
  private readonly uevents: InputSource<string>;

  /**
   * @param uevents the hotplug events, which this button closes.
   * @param button its name: `wps`, `reset`.
   * @param clock gives the events their times, because they have none.
   */
  constructor(uevents: InputSource<string>, button: string, clock: Clock) {
    this.uevents = uevents;
    uevents.onEvent = (event) => {
      const level = event === null ? null : levelIn(event, button);
      if (level === undefined) return;
      this.level = level ?? 0;
      this.onEvent?.(level, clock.now() * 1_000);
    };
  }

  close(): void {
    this.uevents.close();
  }
}
