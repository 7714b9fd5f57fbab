/** The last changes of a noun, and who made them, if the device lists them. */

import { Component } from "./dom/component.ts";
import { readDocument } from "./http-client.ts";
import { type Change, changesIn } from "./lists.ts";
import { Moments } from "./moments.tsx";
import type { NounView } from "./noun-view.ts";
import { say, unknown } from "./say.ts";
import type { State } from "./scalar.ts";
import { textOfValue } from "./value.tsx";

/** @returns a state as a person says it. */
function words(view: NounView, state: State | null): string {
  const texts = view.keys
    .filter((key) => !key.isCounter && !key.isDiagnostic && !key.isTimeDependent)
    .map((key) => textOfValue(view, key, state?.[key.name]));
  return texts.filter((text) => text !== undefined).join(", ") || unknown;
}

interface Props {
  readonly view: NounView;
}

export class LastChanges extends Component<Props, { readonly changes: readonly Change[] }> {
  override state = { changes: [] };

  override async componentDidMount(): Promise<void> {
    const text = await readDocument("/changes", "*/*");
    if (text !== undefined) this.setState({ changes: changesIn(text, this.props.view.noun.name) });
  }

  render({ view }: Props, { changes }: { readonly changes: readonly Change[] }) {
    const list = changes.map(({ time, state, by }) => [time, words(view, state), say("by", by)] as const);
    return <Moments title={say("lastChanges")} list={list} />;
  }
}
