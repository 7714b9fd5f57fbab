/** The form of a noun's tile, by what a person can do with the noun. */
import { isCountdown, isPressed, type NounView } from "./noun-view.ts";
import { roleOf } from "./role.ts";
import { isPair, isShort, type Key } from "./thing.ts";

/**
 * `toggle` and `press`: the whole tile is the control. `reading`: one value. `readings`: several. `controls`: a row for
 * each. `rule`: a line with a switch. `meter`: what has been counted, and how fast it grows.
 */
export type FormName = "toggle" | "press" | "reading" | "readings" | "controls" | "cover" | "rule" | "meter";

/** The most keys of a simulated input that its tile shows. The others are in its detail. */
const mostSimulated = 3;

/** Whether people look at a key only to find a fault. */
function isFolded(key: Key): boolean {
  return key.isDiagnostic || (key.isCounter && !key.isTotal);
}

function isAge(key: Key): boolean {
  return key.kind === "number" && key.isTimeDependent && (key.readOnly || isCountdown(key));
}

/** Whether a control has a slider. */
export function isSlid({ kind, isTotal, minimum, maximum }: Key): boolean {
  return !isTotal && kind === "number" && minimum !== undefined && maximum !== undefined && maximum > minimum;
}

/** @returns the key whose control stands beside the title of a tile. @param isLight whether it has no other switch. */
export function headOf(keys: readonly Key[], isLight: boolean): Key | undefined {
  return keys.find(
    (key) =>
      !key.readOnly && (key.kind === "switch" || key.kind === "choice") && (keys.length > 1 || isPair(key) || isLight),
  );
}

function nameOf(view: NounView, main: readonly Key[]): FormName {
  const { noun } = view;
  const role = roleOf(view.keys);
  const controls = main.filter(({ readOnly }) => !readOnly);
  if (role === "rule" || (role === "cover" && controls.length > 0)) return role;
  if (role === "scene" && noun.action !== undefined) return "press";
  if (main.some(({ isTotal }) => isTotal)) return "meter";
  const [only] = controls;
  if (only?.kind === "switch" && main.length === 1) return isPressed(view, only) ? "press" : "toggle";
  if (controls.length > 0) return "controls";
  if (noun.action !== undefined) return "press";
  return main.length > 1 ? "readings" : "reading";
}

/** By a noun, its form: it is asked for many times, and depends on nothing else while the noun is described. */
const forms = new WeakMap<object, Form>();

/** @returns the tile's form, its `main` keys, the times since something happened, and how many columns it wants. */
export function formOf(view: NounView): Form {
  const { noun } = view;
  const form = forms.get(noun) ?? findForm(view);
  if (noun.keys !== undefined) forms.set(noun, form);
  return form;
}

function findForm(view: NounView) {
  const { keys } = view;
  const ages = keys.filter(isAge);
  const totals = keys.filter(({ isTotal }) => isTotal);
  // The pulse of a meter tells nobody anything.
  const isPulse = ({ kind, readOnly }: Key) => totals.length > 0 && readOnly && kind === "switch";
  const isOfRole = (key: Key) => roleOf(keys) === "scene" || (roleOf(keys) === "schedule" && key.name === "active");
  const rest = keys.filter((key) => !isAge(key) && !isFolded(key) && !key.isTotal && !isPulse(key) && !isOfRole(key));
  const shown = [...totals, ...rest];
  const main = view.noun.isSimulated ? shown.slice(0, mostSimulated) : shown;
  const name = nameOf(view, main);
  const isSmall =
    name === "controls" &&
    main.length === 1 &&
    main.every((key) => key.kind !== "text" && !isSlid(key) && (!isPair(key) || isShort(key)));
  const isWide = ["controls", "readings", "cover", "meter"].includes(name) && !isSmall;
  return { name, main, ages, width: name === "rule" ? Infinity : isWide ? 2 : 1 };
}

export type Form = Readonly<ReturnType<typeof findForm>>;
