/** The last changes of a noun, who made them, and a way back from each, if the device lists them. */

import { Component } from "./dom/component.ts";
import { moment } from "./format.ts";
import { readDocument } from "./http-client.ts";
import { type Change, changesIn, undoOf } from "./lists.ts";
import type { NounView } from "./noun-view.ts";
import { phrase, say, unknown } from "./say.ts";
import type { State } from "./scalar.ts";
import { textOfValue } from "./value.tsx";

/** @returns what a change has changed, as a person says it; all of its state if nobody knows what was before. */
function words(view: NounView, state: State | null, before: State | null): string {
  const shown = view.keys.filter((key) => !key.isDiagnostic && !key.isTimeDependent && (!key.isCounter || key.isTotal));
  const changed = shown.filter(({ name }) => before === null || before[name] !== state?.[name]);
  const texts = (changed.length > 0 ? changed : shown).flatMap((key) => {
    const text = textOfValue(view, key, state?.[key.name]);
    if (text === undefined) return [];
    return shown.length > 1 && key.label !== view.noun.title ? say("ofNoun", key.label, text) : text;
  });
  return texts.join(", ") || unknown;
}

/** @returns who has changed something: `client 192.168.1.7`, `token Anna`. */
function byText(by: string): string {
  return by.replace(/^[a-z]+(?= )/, (kind) => phrase(kind) ?? kind);
}

/** Whether what was before can be set again. */
function canUndo({ noun: { isPut, isPosted }, settable }: NounView, undo: State): boolean {
  return (isPut || isPosted) && settable.some(({ name }) => Object.hasOwn(undo, name));
}

interface Props {
  readonly view: NounView;
  readonly isLost: boolean;
}

export class LastChanges extends Component<Props, { readonly changes: readonly Change[] }> {
  override state = { changes: [] };
  /** The answer that the list has been read after. */
  private answered = this.props.view.answered;

  override componentDidMount(): void {
    void this.read();
  }

  private async read(): Promise<void> {
    const text = await readDocument("/changes", "*/*");
    if (text !== undefined) this.setState({ changes: changesIn(text, this.props.view.noun.name) });
  }

  render({ view, isLost }: Props, { changes }: { readonly changes: readonly Change[] }) {
    // The list is read again when a change from here was answered.
    if (this.answered !== view.answered) void this.read();
    this.answered = view.answered;
    if (changes.length === 0) return null;
    return (
      <details open={true}>
        <summary>{say("lastChanges")}</summary>
        <ul>
          {changes.map((change) => {
            const { time, state, before, by } = change;
            const what = words(view, state, before);
            const undo = undoOf(change);
            return (
              <li key={time + what} dir="auto">
                <span>
                  {`${moment(time)} `}
                  <b>{what}</b>
                  {` ${say("by", byText(by))}`}
                </span>
                {canUndo(view, undo) && (
                  <button
                    type="button"
                    disabled={isLost}
                    aria-label={say("ofNoun", say("undo"), what)}
                    onClick={() => view.putBack(undo)}
                  >
                    {say("undo")}
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      </details>
    );
  }
}
