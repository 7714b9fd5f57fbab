/** The last changes of a noun, and who made them, if the device lists them. */

import { type Change, changesIn } from "./changes.ts";
import { Component } from "./dom/component.ts";
import { moment } from "./format.ts";
import { readDocument } from "./http-client.ts";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";
import type { State } from "./scalar.ts";
import { textOfValue } from "./value.tsx";

/** @returns a state as a person says it. */
function words(view: NounView, state: State | null): string {
  const texts = view.keys
    .filter((key) => !key.isCounter && !key.isDiagnostic && !key.isTimeDependent)
    .map((key) => textOfValue(view, key, state?.[key.name]));
  return texts.filter((text) => text !== undefined).join(", ") || say("unknown");
}

interface Props {
  readonly view: NounView;
}

export class LastChanges extends Component<Props, { readonly changes: readonly Change[] }> {
  override state = { changes: [] };

  override componentDidMount(): void {
    void this.read();
  }

  private async read(): Promise<void> {
    const text = await readDocument("/changes", "*/*");
    if (text !== undefined) this.setState({ changes: changesIn(text, this.props.view.noun.name) });
  }

  render({ view }: Props, { changes }: { readonly changes: readonly Change[] }) {
    if (changes.length === 0) return null;
    return (
      <details open={true}>
        <summary>{say("lastChanges")}</summary>
        <ul>
          {changes.map(({ time, state, by }) => (
            <li key={time} dir="auto">
              {`${moment(time)} `}
              <b>{words(view, state)}</b>
              {` ${say("by", by)}`}
            </li>
          ))}
        </ul>
      </details>
    );
  }
}
