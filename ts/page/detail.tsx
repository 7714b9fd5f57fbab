/** All of one noun, in a dialog that the browser's Back closes. */

import type { CardPlan } from "./arrange.ts";
import { conditionOf } from "./condition.ts";
import { Component, createRef } from "./dom/component.ts";
import { formOf } from "./form.ts";
import { Icon } from "./icons.tsx";
import { isPressed } from "./noun-view.ts";
import { Plot } from "./plot.tsx";
import { Reset } from "./reset.tsx";
import { Failure, Push, Row } from "./row.tsx";
import { say } from "./say.ts";
import { Age } from "./value.tsx";

interface DetailProps {
  readonly plan: CardPlan;
  readonly guarded: string | undefined;
  /** Whether the states are old, so that nothing can be sent. */
  readonly isLost: boolean;
  readonly onClose: () => void;
}

export class Detail extends Component<DetailProps> {
  private readonly dialog = createRef<HTMLDialogElement>();

  override componentDidMount(): void {
    this.dialog.current?.showModal();
  }

  /** Gives the focus back to where it was. */
  override componentWillUnmount(): void {
    this.dialog.current?.close();
  }

  render({ plan: { title, views, colour }, guarded, isLost, onClose }: DetailProps) {
    const [view] = views;
    if (view === undefined) return null;
    const { ages } = formOf(view);
    const all = views.flatMap((from) => from.keys.map((key) => ({ from, key })));
    const condition = conditionOf(view, guarded);
    const { description } = view.noun;
    const { failure } = view;
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
      <dialog
        ref={this.dialog}
        aria-labelledby="detail"
        onCancel={(event) => {
          event.preventDefault();
          onClose();
        }}
        onClick={({ target, currentTarget }) => {
          // The ground behind the dialog is a part of it.
          if (target === currentTarget) onClose();
        }}
      >
        <div class="sheet">
          <header>
            <h2 id="detail" dir="auto">
              {title}
            </h2>
            <button type="button" class="square" aria-label={say("close")} onClick={onClose}>
              <Icon name="cross" />
            </button>
          </header>
          {description !== undefined && colour === undefined && (
            <p class="sub" dir="auto">
              {description}
            </p>
          )}
          {condition !== undefined && (
            <p class={`notice ${condition.name}`} dir="auto">
              <b>{condition.word}</b> {condition.because}
            </p>
          )}
          <fieldset disabled={isLost}>
            {all
              .filter(({ key }) => !ages.includes(key))
              .map(({ from, key }, index) => (
                <div key={`${from.noun.name} ${key.name}`}>
                  <Row
                    view={from}
                    of={key}
                    id={`detail-${index}`}
                    titleId="detail"
                    isBare={false}
                    isPlain={true}
                    prefix={views.length > 1 ? `${from.noun.title}: ` : ""}
                  />
                  {key.isMeasured && !key.isDiagnostic && <Plot history={from.history(key.name)} of={key} />}
                </div>
              ))}
            {ages.map((age) => (
              <Age key={age.name} view={view} of={age} />
            ))}
            {colour === undefined && !view.keys.some((key) => isPressed(view, key)) && <Push view={view} />}
            {views.map(
              (one) => one.noun.isReset && <Reset key={one.noun.name} view={one} isAlone={views.length === 1} />,
            )}
            <Failure id="detail-whole" sentence={failure?.key === "" ? failure.sentence : undefined} />
          </fieldset>
        </div>
      </dialog>
    );
  }
}
