/** The error of a text that is not a state. */

/** A text that is not a state. The message is a sentence for the client and quotes nothing of the text. */
export class StateSyntaxError extends Error {
  override readonly name = "StateSyntaxError";
}
