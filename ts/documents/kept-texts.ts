/** The texts of documents that are kept for later requests. */
import type { Scope } from "../access/admission.ts";
import type { DocumentText } from "./document-text.ts";

/** How many are kept: two descriptions for each of four tokens. */
const most = 8;

interface KeptText {
  readonly path: string;
  readonly scope: Scope | undefined;
  readonly text: DocumentText;
}

/** The texts of one server. They do not depend on the hosts of requests: nobody can fill this by naming many. */
export class KeptTexts {
  private readonly kept: KeptText[] = [];

  /**
   * @param scope what the request's token allows. @returns the text of the document at a path; undefined if none is
   * kept.
   */
  find(path: string, scope: Scope | undefined): DocumentText | undefined {
    return this.kept.find((one) => one.path === path && one.scope === scope)?.text;
  }

  /** Keeps a text, and forgets the oldest one if there are too many. */
  add(path: string, scope: Scope | undefined, text: DocumentText): void {
    if (this.kept.push({ path, scope, text }) > most) this.kept.shift();
  }

  /** Forgets all texts. @returns whether there was any. */
  forget(): boolean {
    const { length } = this.kept;
    this.kept.length = 0; // which needs no memory
    return length > 0;
  }
}
