/**
 * Keeps a message for people on one line of a terminal, without control characters. Other characters stay as they are.
 */

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** @returns the text with its control characters and line ends escaped as JSON does. */
export function oneLine(text: string): string {
  return text.replace(control, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** @returns the text in double quotes, as JSON writes it, on one line. */
export function quote(text: string): string {
  return oneLine(JSON.stringify(text));
}
