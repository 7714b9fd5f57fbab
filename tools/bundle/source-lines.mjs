/** Makes the table of ts/trace/source-lines.ts of a source map. */

import { decode } from "@jridgewell/sourcemap-codec";

/** The segments of a line of the bundle without that of its indentation, which esbuild counts to the line before. */
function withoutIndentation(segments, text) {
  return segments[1]?.[0] === text.search(/\S/) ? segments.slice(1) : segments;
}

/**
 * The places of the bundle, in order, where a source line begins that does not follow from the place before.
 *
 * @param {string} mappings of the source map.
 * @param {string[]} lines of the bundle.
 */
function* runsOf(mappings, lines) {
  let [line, file, sourceLine] = [0, -1, 0];
  for (const [index, segments] of decode(mappings).entries())
    for (const [column, segmentFile, segmentLine] of withoutIndentation(segments, lines[index] ?? "")) {
      if (segmentFile === undefined || segmentLine === undefined) continue;
      const isExpected = file === segmentFile && sourceLine + index - line === segmentLine;
      if (!isExpected) yield { line: index, column, file: segmentFile, sourceLine: segmentLine };
      [line, file, sourceLine] = [index, segmentFile, segmentLine];
    }
}

/**
 * @param {{ mappings: string, sources: readonly string[] }} map a source map.
 * @param {string} text the bundle.
 * @param {number} linesBefore lines that are put before the bundle.
 * @returns {import("../../ts/trace/source-lines.ts").SourceLines}
 */
export function sourceLinesOf({ mappings, sources }, text, linesBefore) {
  // Counted from 1 in the table, from 0 in the map.
  let [line, sourceLine] = [-linesBefore - 1, -1];
  const runs = Array.from(runsOf(mappings, text.split("\n")), (run) => {
    const entry = `${run.line - line} ${run.column} ${run.file} ${run.sourceLine - sourceLine}`;
    [line, sourceLine] = [run.line, run.sourceLine];
    return entry;
  });
  return { files: [...sources], runs: runs.join(";") };
}
