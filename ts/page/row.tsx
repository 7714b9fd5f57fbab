/** One key of a noun: its label, and a control or its value. */
import { Control } from "./controls.tsx";
import { isSlid } from "./form.ts";
import { isPressed, type NounView } from "./noun-view.ts";
import { failureKey } from "./role.ts";
import { say, switchText, translated, unknown } from "./say.ts";
import type { Scalar } from "./scalar.ts";
import type { Key } from "./thing.ts";
import { Rest, Value } from "./value.tsx";

/** What POST without keys does. */
export function Push({ view, isWhole = false }: { view: NounView; isWhole?: boolean }) {
  const { title } = view.noun;
  if (view.noun.action === undefined) return null;
  const action = translated(view.noun.action);
  return (
    <button
      type="button"
      class={isWhole ? "hit" : "push"}
      aria-label={say("ofNoun", action, title)}
      onClick={() => view.update()}
    >
      {isWhole ? "" : action}
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
  /** Precedes the label where several nouns are shown together. */
  readonly prefix?: string;
}

/** One key of a noun. */
export function Row({ view, of, id, titleId, isBare, isHead = false, prefix = "" }: RowProps) {
  const { label, description, kind } = of;
  const readOnly = of.readOnly || of === failureKey(view.keys);
  const value = view.state === null ? view.lastValue(of) : view.valueOf(of);
  const control = controlOf(view, of, id, label === view.noun.title ? titleId : `${titleId} ${id}`);
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
      ) : (
        <Control {...control} />
      )}
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
