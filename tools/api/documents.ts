/** The document that follows from the source: tools/api/report.md. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emitDeclarations, entries } from "./declarations.ts";
import { type PublicName, readPublicNames } from "./public-names.ts";
import { writeReport } from "./report.ts";

/** @param root the repository's top. @returns what each door exports, by the name it is imported by. */
export function readModules(root: string): ReadonlyMap<string, readonly PublicName[]> {
  const folder = mkdtempSync(join(tmpdir(), "nound-api-"));
  try {
    emitDeclarations(root, folder);
    return new Map(Object.entries(entries).map(([name, entry]) => [name, readPublicNames(root, folder, entry)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns the documents, by their paths from the repository's top. */
export function writeDocuments(modules: ReadonlyMap<string, readonly PublicName[]>): ReadonlyMap<string, string> {
  return new Map([["tools/api/report.md", writeReport(modules)]]);
}
