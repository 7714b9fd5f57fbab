/** Writes the documents of the public API: `npm run api`. */
import { writeFileSync } from "node:fs";
import { readModules, writeDocuments } from "./documents.ts";

const root = process.cwd();
for (const [path, text] of writeDocuments(readModules(root))) {
  writeFileSync(path, text);
  console.log(path);
}
