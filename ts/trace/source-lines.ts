/**
 * Maps the lines of a bundle to source lines, so that a stack trace names the lines that a person wrote. Written by
 * tools/bundle/source-lines.mjs, from esbuild's source map.
 */

/** The table of a bundle. */
export interface SourceLines {
  readonly files: readonly string[];
  /**
   * Places of the bundle where a new run of lines begins, in their order: `LINE COLUMN FILE SOURCE-LINE`, separated by
   * `;`. Both lines are counted from the place before, the column from 0; the file is an index. Within a run, the lines
   * of both follow one another.
   */
  readonly runs: string;
}

export interface SourceLine {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

export type SourceLineFinder = (line: number, column: number) => SourceLine | undefined;

interface Run {
  readonly line: number;
  readonly column: number;
  readonly file: number;
  readonly sourceLine: number;
}

/**
 * @returns a function that finds the source line of a line and a column of the bundle, both counted from 1; undefined
 *   for code that esbuild added. It reads the table when it is first needed, because most programs never need it.
 */
export function sourceLineFinder({ files, runs: text }: SourceLines): SourceLineFinder {
  let runs: readonly Run[] | undefined;
  return (line, column) => {
    runs ??= readRuns(text);
    const run = lastBefore(runs, line, column - 1);
    const file = run && files[run.file];
    return run === undefined || file === undefined ? undefined : { file, line: run.sourceLine + line - run.line };
  };
}

function readRuns(text: string): Run[] {
  let line = 0;
  let sourceLine = 0;
  return text.split(";").map((run) => {
    const [lines = 0, column = 0, file = 0, sourceLines = 0] = run.split(" ").map(Number);
    line += lines;
    sourceLine += sourceLines;
    return { line, column, file, sourceLine };
  });
}

/** @returns the last run that begins at the place or before it. */
function lastBefore(runs: readonly Run[], line: number, column: number): Run | undefined {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run !== undefined && (run.line < line || (run.line === line && run.column <= column))) low = middle + 1;
    else high = middle;
  }
  return runs[low - 1];
}
