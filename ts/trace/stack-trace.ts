/**
 * Makes stack traces name the lines of the source files. The build puts a call of it before a bundle for debugging:
 * tools/bundle/stack-trace.mjs.
 */
import { type SourceLineFinder, type SourceLines, sourceLineFinder } from "./source-lines.ts";

/** A frame of the stack, as far as the engine describes it and a trace needs it. */
export interface CallSite {
  getFunctionName(): string | null;
  getFileName(): string | null;
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
}

/** The engine asks this function for the stack of each error that is made. */
interface TracingErrorConstructor {
  prepareStackTrace?: (error: unknown, sites: readonly CallSite[]) => string;
}

/** Makes the engine pass the stacks of all later errors through the table of the program's bundle. */
export function traceSourceLines(table: SourceLines): void {
  const finder = sourceLineFinder(table);
  (Error as unknown as TracingErrorConstructor).prepareStackTrace = (_error, sites) => formatStack(sites, finder);
}

/** @returns the stack in the engine's own form, with source files and lines instead of the bundle's. */
export function formatStack(sites: readonly CallSite[], finder: SourceLineFinder): string {
  return sites.map((site) => `    at ${site.getFunctionName() || "<anonymous>"} (${placeOf(site, finder)})\n`).join("");
}

function placeOf(site: CallSite, finder: SourceLineFinder): string {
  const [file, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (file === null || line === null || column === null) return "native";
  // A text that is parsed while the program runs, JSON for instance, is called `<input>`, and is not in the table.
  const source = file.startsWith("<") ? undefined : finder(line, column);
  return source === undefined ? `${file}:${line}:${column}` : `${source.file}:${source.line}`;
}
