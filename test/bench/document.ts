/** Puts measurements into docs/dev/performance.md. */

/** What stands before and behind a measurement, as comments. */
export type Marks = readonly [before: string, behind: string];

/** The marks of each measurement. */
export const marks = {
  all: ["measured by npm run bench", "end of what was measured"],
  peers: ["measured by npm run bench -- --peers", "end of the peers"],
  tls: ["measured by npm run bench -- --tls", "end of TLS"],
} as const satisfies { readonly [name: string]: Marks };

/**
 * @param text the document.
 * @param measured what stands between the marks afterwards.
 * @throws Error when the marks are not there.
 */
export function withMeasurement(text: string, measured: string, [before, behind]: Marks = marks.all): string {
  const [begin, end] = [`<!-- ${before} -->\n`, `<!-- ${behind} -->\n`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) {
    throw new Error(`The document needs the lines ${begin.trim()} and ${end.trim()}, in this order.`);
  }
  return `${text.slice(0, from + begin.length)}\n${measured.trim()}\n\n${text.slice(to)}`;
}
