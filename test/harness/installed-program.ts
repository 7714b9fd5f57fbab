/** A program under test in a file of its own, which a test replaces as an installer does. */
import { copyFileSync, renameSync } from "node:fs";
import { commandOf } from "./environment.ts";
import { temporaryPath } from "./nound-process.ts";

const [built] = commandOf("nound");

/** An installed program. */
export class Installed {
  readonly path = temporaryPath("nound");

  constructor() {
    copyFileSync(built, this.path);
  }

  /** What begins it in the place of the program under test. */
  get wrapper(): readonly string[] {
    return ["sh", "-c", `shift; exec ${this.path} "$@"`, "sh"];
  }

  /** Replaces it, as an installer does. @param program the next one; the same if left out. */
  update(program = built): void {
    copyFileSync(program, `${this.path}.new`);
    renameSync(`${this.path}.new`, this.path);
  }
}
