/** What a card keeps folded: counters and other values for finding faults, and the way back to the default. */
import { Component, type ComponentChildren } from "preact";
import type { NounView } from "./noun-view.ts";
import { texts } from "./texts.ts";

interface ResetProps {
  readonly view: NounView;
  /** Whether the card has no other noun. */
  readonly isAlone: boolean;
}

/** The way back to the default. It asks first where that moves something. */
class Reset extends Component<ResetProps, { readonly isAsked: boolean }> {
  override state = { isAsked: false };
  /** Whether a person is here, who has just asked or answered. */
  private isHere = false;

  /** The button that the focus was on is gone, so it goes to the one in its place. */
  private readonly focus = (button: HTMLButtonElement | null): void => {
    if (button !== null && this.isHere) button.focus();
  };

  render({ view, isAlone }: ResetProps) {
    const { title, isPut, isPosted } = view.noun;
    const ask = (isAsked: boolean) => {
      this.isHere = true;
      this.setState({ isAsked });
    };
    if (!this.state.isAsked) {
      return (
        <button
          key="reset"
          type="button"
          ref={this.focus}
          aria-label={texts.ofNoun(texts.reset, title)}
          onClick={() => (isPut || isPosted ? ask(true) : view.reset())}
        >
          {isAlone ? texts.reset : texts.ofNoun(texts.reset, title)}
        </button>
      );
    }
    return (
      <div class="row">
        <span class="label" dir="auto">
          {texts.resetQuestion(title)}
        </span>
        <button
          type="button"
          class="main"
          ref={this.focus}
          onClick={() => {
            ask(false);
            view.reset();
          }}
        >
          {texts.resetNow}
        </button>
        <button type="button" onClick={() => ask(false)}>
          {texts.cancel}
        </button>
      </div>
    );
  }
}

export function More({ id, views, children }: { id: string; views: readonly NounView[]; children: ComponentChildren }) {
  return (
    <div class="more" id={id}>
      {children}
      {views.map(
        (view) => view.noun.isReset && <Reset key={view.noun.name} view={view} isAlone={views.length === 1} />,
      )}
    </div>
  );
}
