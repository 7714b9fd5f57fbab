/** Asks for a token. */
import { say } from "./say.ts";

interface TokenFormProps {
  /** The device's message about the last token; "" for none. */
  readonly refusal: string;
  readonly onToken: (token: string, isRemembered: boolean) => void;
}

export function TokenForm({ refusal, onToken }: TokenFormProps) {
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
      <label class="row">
        <input type="checkbox" /> {say("remember")}
      </label>
      <p class="failure" id="token-refusal" role="alert">
        {refusal}
      </p>
      <p id="token-hint">{say("tokenHint")}</p>
    </form>
  );
}
