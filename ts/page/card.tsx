/** The card of a noun: its title, and a control or a value for each of its keys. */
import { Component } from "preact";
import { Control } from "./controls.tsx";
import type { Key } from "./description.ts";
import { measure, switchText } from "./format.ts";
import type { NounView } from "./noun-view.ts";
import type { Scalar } from "./scalar.ts";
import { Sparkline } from "./sparkline.tsx";
import { texts } from "./texts.ts";

interface CardProps {
  readonly view: NounView;
  /** The version of the view, which changes with everything visible. */
  readonly version: number;
  /** The id of the card, different from those of all other cards. */
  readonly id: string;
}

/** Longer texts get a box that scrolls. */
const longText = 200;

function Value({ of, value }: { of: Key; value: Scalar | undefined }) {
  if (value === undefined || value === null) return <span class="value">{texts.unknown}</span>;
  if (of.kind === "switch") {
    return <span class={`value lamp ${value === of.values[1] ? "lit" : ""}`}>{switchText(of, value)}</span>;
  }
  if (typeof value !== "number") {
    const text = String(value);
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

interface RowProps {
  readonly view: NounView;
  readonly of: Key;
  readonly id: string;
  readonly cardId: string;
  /** Whether it is the only key of its card. Then the card's title is enough, unless the key has a title, too. */
  readonly isOnly: boolean;
}

/** One key of a noun. */
function Row({ view, of, id, cardId, isOnly }: RowProps) {
  const { name, label, isTitled, description, readOnly, kind } = of;
  const value = view.valueOf(of);
  const failure = view.failure?.key === name ? view.failure : undefined;
  const isSwitch = kind === "switch" && !readOnly;
  return (
    <div class={`row ${isOnly ? "only" : ""} ${readOnly ? `read-${kind}` : ""}`}>
      <span class={`label ${isOnly && !isTitled ? "hidden" : ""}`} id={id} dir="auto" title={description}>
        {label}
      </span>
      {readOnly && kind === "number" && !of.isTimeDependent && <Sparkline history={view.history(name)} of={of} />}
      {isSwitch && value !== undefined && (
        <span class="word" aria-hidden="true" dir="auto">
          {value === null ? texts.unknown : switchText(of, value)}
        </span>
      )}
      {readOnly ? (
        <Value of={of} value={value} />
      ) : (
        <Control
          of={of}
          value={value}
          labelledBy={`${cardId} ${id}`}
          describedBy={failure && `${id}-failure`}
          onSet={(chosen) => view.set(name, chosen)}
          onWrong={(sentence) => view.fail(name, sentence)}
        />
      )}
      <Failure id={id} sentence={failure?.sentence} />
    </div>
  );
}

/** The element exists while it is still empty, so that a screen reader announces its text. */
function Failure({ id, sentence }: { id: string; sentence: string | undefined }) {
  return (
    <p class="failure" id={`${id}-failure`} role="alert" dir="auto">
      {sentence}
    </p>
  );
}

function Buttons({ view }: { view: NounView }) {
  const { isUpdated, isReset, title } = view.noun;
  return (
    <div class="buttons">
      {isUpdated && (
        <button type="button" aria-label={texts.ofNoun(texts.update, title)} onClick={() => view.update()}>
          {texts.update}
        </button>
      )}
      {isReset && (
        <button
          type="button"
          aria-label={texts.ofNoun(texts.reset, title)}
          title={texts.reset}
          onClick={() => view.reset()}
        >
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 5v5h5M4.6 10a8 8 0 1 1-.4 4" />
          </svg>
        </button>
      )}
    </div>
  );
}

/** The card of a noun. It is drawn again only if its version has changed. */
export class Card extends Component<CardProps> {
  override shouldComponentUpdate({ view, version, id }: CardProps): boolean {
    return view !== this.props.view || version !== this.props.version || id !== this.props.id;
  }

  render({ view, id }: CardProps) {
    const { noun, state, failure, keys } = view;
    return (
      <section class="card" aria-labelledby={id}>
        <header>
          <h2 id={id} dir="auto">
            {noun.title}
          </h2>
          <Buttons view={view} />
        </header>
        {noun.description !== undefined && (
          <p class="description" dir="auto">
            {noun.description}
          </p>
        )}
        {state === null && <p class="absent">{texts.absent}</p>}
        {keys.map((key, index) => (
          <Row key={key.name} view={view} of={key} id={`${id}-${index}`} cardId={id} isOnly={keys.length === 1} />
        ))}
        <Failure id={id} sentence={failure?.key === "" ? failure.sentence : undefined} />
      </section>
    );
  }
}
