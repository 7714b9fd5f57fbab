/** A button that asks first, and the question in its place. */
import { Component } from "./dom/component.ts";
import { say } from "./say.ts";

interface AskProps {
  readonly label: string;
  /** What a screen reader says of the button. */
  readonly spoken: string;
  /** "" to ask nothing. */
  readonly question: string;
  readonly yes: string;
  readonly name?: string;
  readonly onYes: () => void;
}

/** A question with its two answers. */
export function Question({ question, yes, onAnswer, focus }: QuestionProps) {
  return (
    <div class="row question">
      <span class="label" dir="auto">
        {question}
      </span>
      <button type="button" {...(focus && { ref: focus })} onClick={() => onAnswer(false)}>
        {say("cancel")}
      </button>
      <button type="button" class="main" onClick={() => onAnswer(true)}>
        {yes}
      </button>
    </div>
  );
}

interface QuestionProps {
  readonly question: string;
  readonly yes: string;
  readonly onAnswer: (isMeant: boolean) => void;
  readonly focus?: (button: HTMLButtonElement) => undefined;
}

export class Ask extends Component<AskProps, { readonly isAsked: boolean }> {
  override state = { isAsked: false };
  /** Whether a person is here, who has just asked or answered. */
  private isHere = false;

  /** The button that the focus was on is gone, so it goes to the one in its place. */
  private readonly focus = (button: HTMLButtonElement): undefined => {
    if (this.isHere) button.focus();
  };

  render({ label, spoken, question, yes, name = "", onYes }: AskProps) {
    const ask = (isAsked: boolean) => {
      this.isHere = true;
      this.setState({ isAsked });
    };
    const answer = (isMeant: boolean) => {
      ask(false);
      if (isMeant) onYes();
    };
    if (this.state.isAsked) return <Question question={question} yes={yes} onAnswer={answer} focus={this.focus} />;
    return (
      <button
        key="ask"
        type="button"
        class={name}
        ref={this.focus}
        aria-label={spoken}
        onClick={() => (question === "" ? onYes() : ask(true))}
      >
        {label}
      </button>
    );
  }
}
