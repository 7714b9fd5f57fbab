/** Asks for a token. */
import { say } from "./say.ts";

interface TokenFormProps {
  /** The device's message about the last token; "" for none. */
  readonly refusal: string;
  readonly onToken: (token: string) => void;
}

export function TokenForm({ refusal, onToken }: TokenFormProps) {
  return (
    <form
      class="token"
      onSubmit={(event) => {
        event.preventDefault();
        const token = event.currentTarget.querySelector("input")?.value.trim() ?? "";
        if (token !== "") onToken(token);
      }}
    >
      <h2>{say("tokenNeeded")}</h2>
      <label for="token">{say("token")}</label>
      <div class="row">
        <input
          id="token"
          type="password"
          autocomplete="off"
          ref={(input) => void input.focus()}
          aria-describedby="token-hint token-refusal"
          aria-invalid={refusal === "" ? undefined : true}
        />
        <button type="submit" class="main">
          {say("open")}
        </button>
      </div>
      <p class="failure" id="token-refusal" role="alert">
        {refusal}
      </p>
      <p id="token-hint">{say("tokenHint")}</p>
    </form>
  );
}
