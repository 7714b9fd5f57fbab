/** The value of a key, as a person says it. */
import { ago, duration, measure, withUnit } from "./format.ts";
import { day } from "./history.ts";
import { nextOf } from "./next.ts";
import { isCountdown, isReading, type NounView } from "./noun-view.ts";
import { hasPresses, roleOf } from "./role.ts";
import { classWords, labelOf, say, switchText, unknown } from "./say.ts";
import type { Scalar } from "./scalar.ts";
import { scheduleDays } from "./sentence.ts";
import type { Key } from "./thing.ts";

/** Longer texts get a box that scrolls. */
const longText = 200;

/** What stands for a missing value. */
function missing({ noun }: NounView, key: Key, value: Scalar | undefined): string {
  if (value === null && key.isTimeDependent) return say("never");
  return value === null && isReading(key) && !noun.isPosted ? say("noReading") : unknown;
}

/** @returns a value in words; undefined if there is none. */
export function textOfValue(view: NounView, key: Key, value: Scalar | undefined): string | undefined {
  if (value === undefined) return undefined;
  const label = labelOf(key, value);
  if (label !== undefined) return label;
  if (value === null) return undefined;
  if (key.kind === "switch") {
    if (hasPresses(view.keys) && key.deviceClass === undefined)
      return say("pressed").split("|")[value === key.values[1] ? 1 : 0];
    // "On" and "Off" need no question.
    return switchText(key.label === view.noun.title ? { ...key, readOnly: false } : key, value);
  }
  return typeof value === "number" ? withUnit(value, key.unit) : String(value);
}

interface ValueProps {
  readonly view: NounView;
  readonly of: Key;
  readonly value: Scalar | undefined;
  /** Whether a long text is shown whole, in a box that scrolls. */
  readonly isWhole?: boolean;
}

export function Value({ view, of, value, isWhole = false }: ValueProps) {
  const text = textOfValue(view, of, value);
  if (text === undefined) return <span class="value missing">{missing(view, of, value)}</span>;
  if (typeof value === "number" && of.kind === "number" && labelOf(of, value) === undefined) {
    const [number, unit] = measure(value, of.unit);
    return (
      <span class="value" dir="ltr">
        {number}
        {unit !== "" && <span class="unit" dir="auto">{`\u00a0${unit}`}</span>}
      </span>
    );
  }
  const isLong = isWhole && text.length > longText;
  return (
    <span
      class={`value ${isLong ? "long" : ""}`}
      dir="auto"
      {...(isLong ? { tabIndex: 0, role: "group", "aria-label": of.label } : {})}
    >
      {text}
    </span>
  );
}

/** How long a key keeps its value, if it falls back by itself. */
export function Rest({ view, of }: { view: NounView; of: Key }) {
  const rest = view.rest(of);
  if (rest === undefined) return null;
  return <span class="rest">{say(rest.isExact ? "left" : "atMost", duration(rest.time))}</span>;
}

/** Since when a value is as it is, where the device knows it. */
export function Age({ view, of }: { view: NounView; of: Key }) {
  const age = view.valueOf(of);
  if (age === undefined) return null;
  const isOfChange = of.name.startsWith("since");
  if (isCountdown(of)) {
    const rest = typeof age === "number" ? duration(of.unit === "s" ? age * 1_000 : age) : unknown;
    return <p class="sub">{of.readOnly ? say("ofNoun", of.label, rest) : say("left", rest)}</p>;
  }
  const when = typeof age === "number" ? ago(of.unit === "s" ? age * 1_000 : age) : say("never");
  const change = typeof age === "number" ? say("changed", when) : say("unchanged");
  return (
    <p class="sub" title={of.description}>
      {isOfChange ? change : say("ofNoun", of.label, when)}
    </p>
  );
}

/** @returns the temperature that is, of a thermostat that has it from another noun; undefined for any other noun. */
export function currentOf({ noun }: NounView, others: readonly NounView[]): string | undefined {
  const [name = "", keyName] = noun.climate?.split("/") ?? [];
  const view = others.find((one) => keyName !== undefined && one.noun.name === name.toLowerCase());
  const key = view?.keys.find((one) => one.name === keyName);
  return view && key && textOfValue(view, key, view.valueOf(key));
}

/** @returns what a cover does and where it is. */
export function coverText(view: NounView): string {
  const { position, moving } = view.state ?? {};
  const isKnown = typeof position === "number";
  const place = isKnown ? `${position}\u00a0%` : "";
  if (moving === "opening") return `${say("coverOpening")} ${place}`.trim();
  if (moving === "closing") return `${say("coverClosing")} ${place}`.trim();
  if (!isKnown) return say("coverUnknown");
  const [closed = "", open = ""] = classWords("opening") ?? [];
  if (position === 0) return closed;
  return position === 100 ? open : `${open} ${place}`;
}

/** @returns how the position of a cover becomes known; undefined while it is, and for what is no cover. */
export function unknownText({ state, settable, keys }: NounView): string | undefined {
  const isKnown = typeof state?.["position"] === "number";
  const isCover = roleOf(keys) === "cover" && settable.some(({ name }) => name === "moving");
  return isCover && state && !isKnown ? say("coverOnce") : undefined;
}

/** @returns what has become of what a noun sends to other servers. */
export function sentText({ state }: NounView): string {
  const { status, sent, failed } = state ?? {};
  if (typeof status === "number") return status >= 200 && status < 300 ? say("sent") : `${say("notSent")} (${status})`;
  return Number(sent) + Number(failed) > 0 ? say("notSent") : say("nothingSent");
}

/** @returns a day from today on, as people call it. */
function dayText(days: number): string {
  if (days < 2) return say(days === 0 ? "today" : "tomorrow");
  return new Date(Date.now() + days * day).toLocaleDateString(undefined, { weekday: "long" });
}

/** @returns when a rule runs next, where its sentence has a time. */
function nextText({ noun }: NounView): string {
  const next = nextOf(noun.description ?? "", new Date());
  return next === undefined ? "" : say("next", dayText(next.days), next.time);
}

/** @returns when a rule ran, or why it does not. */
export function ruleText(view: NounView): string {
  const last = view.keys.find(({ name }) => name === "last");
  const { enabled, holds } = view.state ?? {};
  if (enabled === false) return say("ruleOff");
  const age = last && view.valueOf(last);
  const ran = typeof age === "number" ? say("ruleRan", ago(age)) : say("ruleNever");
  return [nextText(view), holds === true ? say("ruleHolds") : "", ran].filter((text) => text !== "").join(" · ");
}

/** @returns whether it is the time of a schedule, and on which days it is. */
export function scheduleText({ state, noun }: NounView): string {
  const { active } = state ?? {};
  const now = typeof active === "boolean" ? say("active").split("|")[active ? 1 : 0] : unknown;
  return [now, scheduleDays(noun.description ?? "")].filter((text) => text).join(" · ");
}

/** @returns whether a button is pressed, or when it was. */
export function pressText(view: NounView, key: Key, isBell: boolean): string | undefined {
  const passed = view.sincePress;
  if (passed === undefined || view.valueOf(key) === key.values[1]) return undefined;
  return say(isBell ? "rang" : "pressedAgo", ago(passed));
}

/** What a meter has counted today, and yesterday if this browser knows that. */
export function Today({ view, of }: { view: NounView; of: Key }) {
  const { today, yesterday } = view.daysOf(of);
  const texts = [
    [say("today"), today],
    [say("yesterday"), yesterday],
  ] as const;
  return (
    <p class="sub">
      {texts
        .filter(([, value]) => value !== undefined)
        .map(([text, value]) => `${text} ${withUnit(value ?? 0, of.unit)}`)
        .join(" · ")}
    </p>
  );
}

/** Whether a key's label says nothing that its unit does not. */
const plainLabels =
  /^(?:celsius|fahrenheit|kelvin|percent|(?:milli|kilo)?(?:volts?|amperes?|amps?|watts?)|lux|pascals?|hertz|seconds?|value)$/i;

/** @returns the label of a key where it says more than the noun's title and the key's unit; "" where it does not. */
export function labelBeside(view: NounView, key: Key, main: readonly Key[]): string {
  const { label, isTitled, unit, kind, readOnly, deviceClass } = key;
  if (label === view.noun.title) return "";
  if (isTitled) return label;
  if (key.isTotal && unit !== undefined) return "";
  if (main.length === 1) {
    const isQuestion =
      kind === "switch" && readOnly && deviceClass === undefined && key.labels === undefined && key.name !== "on";
    return isQuestion && !hasPresses(view.keys) && roleOf(view.keys) === undefined ? label : "";
  }
  return unit !== undefined && plainLabels.test(key.name) ? "" : label;
}
