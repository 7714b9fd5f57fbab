/** Asks for a token, or for a press of the device's button, after which the device gives its first one. */
import { Component } from "./dom/component.ts";
import { type Pairing, pair } from "./pairing.ts";
import { say } from "./say.ts";

interface TokenFormProps {
  /** The device's message about the last token; "" for none. */
  readonly refusal: string;
  readonly onToken: (token: string, isRemembered: boolean) => void;
}

/** @returns what a person can do to get a token. */
function hintOf({ press, isBusy, token }: Pairing): string {
  if (token !== undefined) return say("pairToken");
  if (isBusy === true) return say("pairBusy");
  if (press === undefined) return say("tokenHint");
  return press === "" ? say("pairStart") : say("pairPress", press);
}

export class TokenForm extends Component<TokenFormProps, Pairing> {
  private stop: (() => void) | undefined;

  override componentDidMount(): void {
    this.stop = pair((pairing) => this.setState({ isBusy: false, ...pairing }));
  }

  override componentWillUnmount(): void {
    this.stop?.();
  }

  render({ refusal, onToken }: TokenFormProps) {
    const { token } = this.state;
    return (
      <form
        class="token"
        onSubmit={(event) => {
          event.preventDefault();
          const [field, box] = event.currentTarget.querySelectorAll("input");
          const token = field?.value.trim() ?? "";
          if (token !== "") onToken(token, box?.checked === true);
        }}
      >
        <h2>{say("tokenNeeded")}</h2>
        <label for="token">{say("token")}</label>
        <div class="row">
          <input
            id="token"
            type={token === undefined ? "password" : "text"}
            autocomplete="off"
            {...(token !== undefined && { value: token })}
            ref={(input) => void input.focus()}
            aria-describedby="token-hint token-refusal"
            aria-invalid={refusal === "" ? undefined : true}
          />
          <button type="submit" class="main">
            {say("open")}
          </button>
        </div>
        <label class="row">
          <input type="checkbox" /> {say("remember")}
        </label>
        <p class="failure" id="token-refusal" role="alert">
          {refusal}
        </p>
        <p id="token-hint" role="status">
          {hintOf(this.state)}
        </p>
      </form>
    );
  }
}
