/** The way back to the default. It asks first where that moves something. */
import { Component } from "./dom/component.ts";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";

interface ResetProps {
  readonly view: NounView;
  /** Whether no other noun is shown with it. */
  readonly isAlone: boolean;
}

export class Reset extends Component<ResetProps, { readonly isAsked: boolean }> {
  override state = { isAsked: false };
  /** Whether a person is here, who has just asked or answered. */
  private isHere = false;

  /** The button that the focus was on is gone, so it goes to the one in its place. */
  private readonly focus = (button: HTMLButtonElement): undefined => {
    if (this.isHere) button.focus();
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
          aria-label={say("ofNoun", say("reset"), title)}
          onClick={() => (isPut || isPosted ? ask(true) : view.reset())}
        >
          {isAlone ? say("reset") : say("ofNoun", say("reset"), title)}
        </button>
      );
    }
    return (
      <div class="row">
        <span class="label" dir="auto">
          {say("resetQuestion", title)}
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
          {say("resetNow")}
        </button>
        <button type="button" onClick={() => ask(false)}>
          {say("cancel")}
        </button>
      </div>
    );
  }
}
