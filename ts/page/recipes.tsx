/** Lines for programs that read and set a noun, to copy. */
import { token } from "./http-client.ts";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";
import type { State } from "./scalar.ts";

/** Puts a text between quotation marks of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** @returns what a program would send: the keys that can be set, as they are now. */
function bodyOf({ keys, state }: NounView): string {
  const settable = keys.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
  const body = Object.entries(state ?? ({} as State)).filter(([name]) => settable.includes(name));
  return JSON.stringify(Object.fromEntries(body));
}

/** @returns the lines. */
export function recipesOf(view: NounView): readonly string[] {
  const { name, isRead, isPut, isPosted } = view.noun;
  const address = `${location.origin}/${encodeURIComponent(name)}`;
  const body = bodyOf(view);
  const method = isPut ? "PUT" : "POST";
  const curl = token.value === "" ? "curl" : 'curl -H "Authorization: Bearer $TOKEN"';
  const sets = (isPut && body !== "{}") || isPosted;
  return [
    ...(isRead ? [`${curl} ${address}`] : []),
    ...(sets ? [`${curl} ${isPut ? "-X PUT " : ""}--json ${quoted(body)} ${address}`] : []),
    ...(isRead ? [`await (await fetch("${address}")).json()`] : []),
    ...(sets
      ? [
          `await fetch("${address}", {method: "${method}", headers: {"Content-Type": "application/json"}, ` +
            `body: ${quoted(body)}})`,
        ]
      : []),
  ];
}

/** ms for which a button says that it has copied. */
const copiedTime = 2_000;

/** Copies the text before a button. The newer way exists only over HTTPS. */
function copy(button: HTMLElement): void {
  const text = button.previousElementSibling;
  if (text !== null) getSelection()?.selectAllChildren(text);
  document.execCommand("copy");
  // The text node itself stays, because the page knows it when it draws the button again.
  const word = button.firstChild as Text;
  word.data = say("copied");
  setTimeout(() => {
    word.data = say("copy");
  }, copiedTime);
}

export function Recipes({ view }: { view: NounView }) {
  return (
    <details>
      <summary>{say("forPrograms")}</summary>
      {recipesOf(view).map((line) => (
        <div key={line} class="recipe">
          <code>{line}</code>
          <button type="button" onClick={({ currentTarget }) => copy(currentTarget)}>
            {say("copy")}
          </button>
        </div>
      ))}
    </details>
  );
}
