/** Puts a measurement into docs/dev/performance.md. */

const begin = "<!-- measured by npm run bench -->\n";
const end = "<!-- end of what was measured -->\n";

/**
 * @param text the document.
 * @param measured what stands between its two marks afterwards.
 * @throws Error when the marks are not there.
 */
export function withMeasurement(text: string, measured: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`The document needs the lines ${begin.trim()} and ${end.trim()}, in this order.`);
  }
  return `${text.slice(0, from + begin.length)}\n${measured.trim()}\n\n${text.slice(to)}`;
}
