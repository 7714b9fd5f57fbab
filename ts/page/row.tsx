/** One key of a noun: its label, and a control or its value. */
import { Component } from "preact";
import { Control } from "./controls.tsx";
import { ago, duration, measure } from "./format.ts";
import { isReading, type NounView } from "./noun-view.ts";
import { Plot } from "./plot.tsx";
import type { Scalar } from "./scalar.ts";
import { Share } from "./share.tsx";
import { Sparkline } from "./sparkline.tsx";
import { texts } from "./texts.ts";
import type { Key } from "./thing.ts";
import { labelOf, switchText } from "./words.ts";

/** Longer texts get a box that scrolls. */
const longText = 200;

/** What stands for a missing value. */
function missing({ noun }: NounView, key: Key, value: Scalar | undefined): string {
  if (value === null && key.isTimeDependent) return texts.never;
  return value === null && isReading(key) && !noun.isPosted ? texts.noReading : texts.unknown;
}

function Value({ view, of, value }: { view: NounView; of: Key; value: Scalar | undefined }) {
  const word = value === undefined || value === null ? undefined : labelOf(of, value);
  if (value === undefined || (value === null && word === undefined)) {
    return <span class="value missing">{missing(view, of, value)}</span>;
  }
  if (of.kind === "switch") {
    return (
      <span class={`value lamp ${value === of.values[1] ? "lit" : ""}`} dir="auto">
        {switchText(of, value)}
      </span>
    );
  }
  if (typeof value !== "number" || word !== undefined) {
    const text = word ?? String(value);
    const isLong = text.length > longText;
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
  const [number, unit] = measure(value, of.unit);
  return (
    <span class="value">
      {number}
      {unit !== "" && <span class="unit" dir="auto">{`\u00a0${unit}`}</span>}
    </span>
  );
}

/** How long a key keeps its value, if it falls back by itself. */
function Rest({ view, of }: { view: NounView; of: Key }) {
  const rest = view.rest(of);
  if (rest === undefined) return null;
  const time = duration(rest.time);
  return <span class="word rest">{rest.isExact ? texts.left(time) : texts.leftAtMost(time)}</span>;
}

/** What POST without keys does. */
export function Push({ view }: { view: NounView }) {
  const { action, title } = view.noun;
  if (action === undefined) return null;
  return (
    <button type="button" class="push" aria-label={texts.ofNoun(action, title)} onClick={() => view.update()}>
      {action}
    </button>
  );
}

/** Whether a key is not switched but pressed, because it falls back by itself. */
export function isPressed({ noun }: NounView, { fallsBack }: Key): boolean {
  return noun.action !== undefined && fallsBack?.renewed === false;
}

interface RowProps {
  readonly view: NounView;
  readonly of: Key;
  readonly id: string;
  readonly cardId: string;
  /** Whether the card's title is its label. */
  readonly isTitled: boolean;
  /** Whether a number is shown as it is sent, also if the card has it in percent. */
  readonly isPlain: boolean;
  /** Precedes the label, on a card of several nouns; "" on others. */
  readonly prefix: string;
}

/** One key of a noun. */
export class Row extends Component<RowProps, { readonly isPlotted: boolean }> {
  override state = { isPlotted: false };

  render({ view, of, id, cardId, isTitled, isPlain, prefix }: RowProps) {
    const { name, label, description, readOnly, kind, shareOf, isMeasured } = of;
    const { isPlotted } = this.state;
    const value = view.state === null ? view.lastValue(of) : view.valueOf(of);
    const failure = view.failure?.key === name ? view.failure : undefined;
    const whole = isPlain ? undefined : view.keys.find((key) => key.name === shareOf);
    const isWord = !readOnly && kind === "switch" && value !== undefined;
    const common = {
      of,
      value: view.valueOf(of),
      refused: failure?.value,
      labelledBy: isTitled ? cardId : `${cardId} ${id}`,
      describedBy: failure && `${id}-failure`,
      onSet: (chosen: Scalar) => view.set(name, chosen),
      onWrong: (sentence: string) => view.fail(name, sentence),
      onForget: () => view.forget(),
    };
    return (
      <div class={`row read-${readOnly ? kind : "not"} ${view.state === null ? "old" : ""}`}>
        {!isTitled && (
          <span class="label" id={id} dir="auto" title={description}>
            {prefix + label}
          </span>
        )}
        {isMeasured && !of.isDiagnostic && !isPlotted && <Sparkline history={view.history(name)} of={of} />}
        {isWord && (
          // A switch itself tells a screen reader what it is; a button does not.
          <span class="word" aria-hidden={!isPressed(view, of)} dir="auto">
            {value === null ? texts.unknown : switchText(of, value)}
          </span>
        )}
        <Rest view={view} of={of} />
        {!readOnly && whole !== undefined && <Share {...common} whole={view.valueOf(whole)} />}
        {!readOnly && whole === undefined && (isPressed(view, of) ? <Push view={view} /> : <Control {...common} />)}
        {readOnly && isMeasured && typeof value === "number" ? (
          <button
            type="button"
            class="plain"
            aria-expanded={isPlotted}
            aria-label={texts.plot(label, measure(value, of.unit).join("\u00a0").trim())}
            onClick={() => this.setState({ isPlotted: !isPlotted })}
          >
            <Value view={view} of={of} value={value} />
          </button>
        ) : (
          readOnly && <Value view={view} of={of} value={value} />
        )}
        {isPlotted && <Plot history={view.history(name)} of={of} />}
        <Failure id={id} sentence={failure?.sentence.replace(`"${name}"`, `\u201c${label}\u201d`)} />
      </div>
    );
  }
}

/** The element exists while it is still empty, so that a screen reader announces its text. */
export function Failure({ id, sentence }: { id: string; sentence: string | undefined }) {
  return (
    <p class="failure" id={`${id}-failure`} role="alert" dir="auto">
      {sentence}
    </p>
  );
}

/** Since when a value is as it is, where the device knows it. */
export function Age({ view, of }: { view: NounView; of: Key }) {
  const age = view.valueOf(of);
  if (age === undefined) return null;
  const isOfChange = of.name.startsWith("since");
  const when = typeof age === "number" ? ago(of.unit === "s" ? age * 1_000 : age) : texts.never;
  const text = typeof age !== "number" && isOfChange ? texts.unchanged : isOfChange ? texts.changed(when) : undefined;
  return (
    <p class="age" title={of.description}>
      {text ?? texts.happened(of.label, when)}
    </p>
  );
}
