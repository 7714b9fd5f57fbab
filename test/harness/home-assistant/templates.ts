/** Home Assistant's templates, rendered by jinja2. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { missing, python } from "../client-program.ts";

/** Why templates cannot be rendered here, as the end of a title; undefined when they can. */
export const templatesMissing: string | undefined = missing(python, "-c", "import jinja2");

type Answer = { readonly text: string } | { readonly error: string };

export class Templates {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: ((answer: Answer) => void)[] = [];

  constructor() {
    this.child = spawn(python, [join(import.meta.dirname, "templates.py")]);
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.waiting.shift()?.(JSON.parse(line) as Answer);
    });
  }

  /**
   * @param value the payload of a message, or the value of a command.
   * @throws Error with what jinja2 says, also where an undefined value would be rendered.
   */
  async render(template: string, value: string | number): Promise<string> {
    // A text without a template stays as it is.
    if (!/\{[{%#]/.test(template)) return template;
    const answer = await new Promise<Answer>((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${JSON.stringify({ template, value })}\n`);
    });
    if ("text" in answer) return answer.text;
    throw new Error(`${answer.error} in ${template} of ${value}`);
  }

  end(): void {
    this.child.kill();
  }
}
