/** Reads doc comments: TSDoc's tags, as far as this repository uses them. */

/** What a doc comment says. Texts are Markdown on one line; an example is code. */
export interface DocComment {
  readonly summary: string;
  readonly params: readonly { readonly name: string; readonly text: string }[];
  readonly returns: string;
  readonly throws: string;
  readonly example: string;
}

const tag = /(?:^|[\n ])@(param|returns|throws|example|internal)\b/;

/** Takes the comment's signs and the one space behind them from each line. */
function contentOf(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, ""))
    .join("\n");
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, " ");
}

/** @param comment with its signs, or nothing. */
export function parseDocComment(comment: string): DocComment {
  const [summary = "", ...rest] = contentOf(comment).split(tag);
  const tags = rest.flatMap((name, index) => (index % 2 === 0 ? [{ name, text: rest[index + 1] ?? "" }] : []));
  const textOf = (name: string) => oneLine(tags.find((one) => one.name === name)?.text ?? "");
  return {
    summary: oneLine(summary),
    params: tags
      .filter(({ name }) => name === "param")
      .map(({ text }) => {
        const [, name = "", about = ""] = /^\s*(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
        return { name, text: oneLine(about) };
      }),
    returns: textOf("returns"),
    throws: textOf("throws"),
    example: (tags.find(({ name }) => name === "example")?.text ?? "").replace(/^ *\n/, "").trimEnd(),
  };
}
