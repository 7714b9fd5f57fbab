/** Lines for programs that read and set a noun, to copy. */
import { token } from "./http-client.ts";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";

/** Puts a text between quotation marks of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * @returns what a program would send: the keys that can be set, as they are now. The only one that can be gets another
 * of its values, if they are few, because setting the same again would do nothing.
 */
function bodyOf({ settable, state }: NounView): string {
  const isAlone = settable.length === 1;
  const body = settable.map(({ name, values }) => {
    const now = state?.[name];
    return [name, values.find((value) => isAlone && value !== now) ?? now];
  });
  return JSON.stringify(Object.fromEntries(body));
}

/** @returns the lines, each after its method. */
export function recipesOf(view: NounView): readonly (readonly [string, string])[] {
  const { name, isRead, isPut, isPosted } = view.noun;
  const address = `${location.origin}/${encodeURIComponent(name)}`;
  const body = bodyOf(view);
  const method = isPut ? "PUT" : "POST";
  const curl = token.value === "" ? "curl" : 'curl -H "Authorization: Bearer $TOKEN"';
  const sets = (isPut && body !== "{}") || isPosted;
  const lines = [
    ["GET", `${curl} ${address}`],
    [method, `${curl} -X ${method} --json ${quoted(body)} ${address}`],
    ["GET", `await (await fetch("${address}")).json()`],
    [
      method,
      `await fetch("${address}", {method: "${method}", headers: {"Content-Type": "application/json"}, ` +
        `body: ${quoted(body)}})`,
    ],
  ] as const;
  return lines.filter(([verb]) => (verb === "GET" ? isRead : sets));
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
      {recipesOf(view).map(([method, line]) => (
        <div class="recipe">
          <span class="sub">{method}</span>
          <code>{line}</code>
          <button type="button" onClick={({ currentTarget }) => copy(currentTarget)}>
            {say("copy")}
          </button>
        </div>
      ))}
    </details>
  );
}
