/**
 * A button of OpenWrt's driver gpio-button-hotplug. It has no input device. The kernel tells each press by a hotplug
 * event, as scripts in /etc/rc.button get it: `ACTION=pressed`, `SUBSYSTEM=button`, `BUTTON=wps`.
 */
import type { InputSource } from "../../native/input.ts";
import type { Clock } from "../../native/loop.ts";

/** @returns the level that an event tells of the button; undefined for another event. */
function levelIn(event: string, button: string): 0 | 1 | undefined {
  const assignments = event.split("\0");
  if (!assignments.includes("SUBSYSTEM=button") || !assignments.includes(`BUTTON=${button}`)) return undefined;
  return assignments.includes("ACTION=pressed") ? 1 : assignments.includes("ACTION=released") ? 0 : undefined;
}

/** @returns the name of the button that an event tells a press of. */
export function pressedButton(event: string): string | undefined {
  const [, button] = /(?:^|\0)BUTTON=([^\0]+)/.exec(event) ?? [];
  return button !== undefined && levelIn(event, button) === 1 ? button : undefined;
}

/**
 * @param uevents the hotplug events, which the input closes.
 * @param button its name: `wps`, `reset`.
 * @param clock gives the events their times, because they have none.
 * @returns the button as an input. It counts as released until its first event.
 */
export function hotplugButton(uevents: InputSource<string>, button: string, clock: Clock): InputSource<number> {
  const onEvent = null as InputSource<number>["onEvent"];
  const source = { level: 0, onEvent, close: () => uevents.close() };
  uevents.onEvent = (event) => {
    const level = event === null ? null : levelIn(event, button);
    if (level === undefined) return;
    source.level = level ?? 0;
    source.onEvent?.(level, clock.now() * 1_000);
  };
  return source;
}
