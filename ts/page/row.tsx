/** One key of a noun: its label, and a control or its value. */
import type { Colour } from "./arrange.ts";
import { Question } from "./ask.tsx";
import { CoverButtons } from "./buttons.tsx";
import { Control, type ControlProps } from "./controls.tsx";
import { Component } from "./dom/component.ts";
import { isSlid } from "./form.ts";
import { levelsOf, setPower } from "./light.ts";
import { isOn, powerOf } from "./lit.ts";
import { isPressed, type NounView } from "./noun-view.ts";
import { failureKey, roleOf } from "./role.ts";
import { say, switchText, translated, unknown } from "./say.ts";
import type { Scalar } from "./scalar.ts";
import type { Key } from "./thing.ts";
import { Rest, textOfValue, unknownText, Value } from "./value.tsx";

/** What POST without keys does. */
export function Push({ view, name = "push" }: { view: NounView; name?: "push" | "hit" | "aside" }) {
  const { title } = view.noun;
  if (view.noun.action === undefined) return null;
  const action = translated(view.noun.action);
  return (
    <button type="button" class={name} aria-label={say("ofNoun", action, title)} onClick={() => view.update()}>
      {name === "hit" ? "" : action}
    </button>
  );
}

/** The properties of a control of a key. */
export function controlOf(view: NounView, of: Key, id: string, labelledBy: string) {
  const { name } = of;
  const failure = view.failure?.key === name ? view.failure : undefined;
  return {
    of,
    value: view.valueOf(of),
    refused: failure?.value,
    labelledBy,
    describedBy: failure && `${id}-failure`,
    onSet: (chosen: Scalar) => view.set(name, chosen),
    onWrong: (sentence: string) => view.say({ key: name, sentence }),
    onForget: () => view.say(undefined),
  };
}

interface TotalProps {
  readonly view: NounView;
  readonly control: ControlProps;
}

/** What a meter shows. It is set only where somebody wants to, and not by accident. */
class Total extends Component<TotalProps, { readonly isOpen: boolean }> {
  override state = { isOpen: false };

  render({ view, control }: TotalProps) {
    const { of, value } = control;
    const turn = () => this.setState({ isOpen: !this.state.isOpen });
    const set = (chosen: Scalar) => {
      control.onSet(chosen);
      turn();
    };
    return this.state.isOpen ? (
      <>
        <Control {...control} of={{ ...of, minimum: undefined }} onSet={set} />
        <button type="button" onClick={turn}>
          {say("cancel")}
        </button>
      </>
    ) : (
      <>
        <Value view={view} of={of} value={value} />
        <button type="button" aria-label={say("ofNoun", say("setReading"), of.label)} onClick={turn}>
          {say("setReading")}
        </button>
      </>
    );
  }
}

/** The question before a change of what must not move by accident. */
export function Confirm({ view }: { view: NounView }) {
  const { asked, noun } = view;
  if (asked === undefined) return null;
  const [name = "", value = null] = typeof asked === "string" ? [] : ([...asked][0] ?? []);
  const key = view.keys.find((one) => one.name === name);
  const isOpening = key?.kind === "switch" && key.deviceClass === "opening";
  const what = isOpening
    ? say(value === key.values[1] ? "open" : "close")
    : ((key && textOfValue(view, key, value)) ?? translated(noun.action ?? ""));
  return (
    <Question question={say("confirmQuestion", noun.title, what)} yes={say("yes")} onAnswer={(is) => view.answer(is)} />
  );
}

interface RowProps {
  readonly view: NounView;
  readonly of: Key;
  readonly id: string;
  /** The id of the noun's title. */
  readonly titleId: string;
  /** Whether the label is only for those who do not see the page. */
  readonly isBare: boolean;
  /** Whether it stands beside the title of its tile. */
  readonly isHead?: boolean;
  /** The light that it belongs to, all nouns of which a switch sets. */
  readonly colour?: Colour | undefined;
  /** Precedes the label where several nouns are shown together. */
  readonly prefix?: string;
}

/** One key of a noun. */
export function Row({ view, of, id, titleId, isBare, isHead = false, colour, prefix = "" }: RowProps) {
  const { label, description, kind, name } = of;
  const [off, on] = of.values;
  const views = colour === undefined ? [view] : [...new Set(colour.map((channel) => channel.view))];
  const isPower = powerOf(view)?.name === name;
  const known = view.state === null ? view.lastValue(of) : view.valueOf(of);
  const isDark = view.state !== null && isPower && known === on && !views.some(isOn);
  const value = isDark ? off : known;
  // A slider for a place that nobody knows would stand in the middle.
  const isLost = roleOf(view.keys) === "cover" && of.kind === "number" && value === null;
  const isMoving = roleOf(view.keys) === "cover" && of.name === "moving" && !of.readOnly;
  const readOnly = of.readOnly || of === failureKey(view.keys) || isLost || isMoving;
  const control = {
    ...controlOf(view, of, id, label === view.noun.title ? titleId : `${titleId} ${id}`),
    ...(isDark && { value }),
    onSet: (chosen: Scalar) => {
      if (views.length === 1) view.set(name, chosen);
      // Each channel of a light keeps its level.
      else for (const one of views) one.setAll([[name, chosen]]);
      if (colour !== undefined && isPower && chosen === on && Math.max(...levelsOf(colour)) === 0)
        setPower(colour, true);
    },
  };
  const form = readOnly ? "of-reading" : `of-${kind} ${isSlid(of) ? "slid" : ""}`;
  return (
    <div class={`row ${form} ${isHead ? "head" : ""} ${view.state === null ? "old" : ""}`}>
      <span class={`label ${isBare ? "unseen" : ""}`} id={id} dir="auto" title={description}>
        {prefix + label}
      </span>
      <Rest view={view} of={of} />
      {!readOnly && kind === "switch" && value !== undefined && (
        // A switch itself tells a screen reader what it is; a button does not.
        <span class="word" aria-hidden={!isPressed(view, of)} dir="auto">
          {value === null ? unknown : switchText(of, value)}
        </span>
      )}
      {readOnly ? (
        <Value view={view} of={of} value={value} isWhole={true} />
      ) : isPressed(view, of) ? (
        <Push view={view} />
      ) : of.isTotal ? (
        <Total view={view} control={control} />
      ) : (
        <Control {...control} />
      )}
      {isMoving && <CoverButtons view={view} />}
      {isLost && <p class="note">{unknownText(view)}</p>}
      <Failure view={view} of={of} id={id} />
    </div>
  );
}

/**
 * Why the device has refused a value of a key, or a change of the whole noun. The element exists while it is still
 * empty, so that a screen reader announces its text.
 */
export function Failure({ view: { failure }, of, id }: { view: NounView; of: Key | undefined; id: string }) {
  const { name, label } = of ?? { name: "", label: "" };
  return (
    <p class="failure" id={`${id}-failure`} role="alert" dir="auto">
      {failure?.key === name && failure.sentence.replace(`"${name}"`, `\u201c${label}\u201d`)}
    </p>
  );
}
