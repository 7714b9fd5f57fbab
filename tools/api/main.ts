/** Writes the documents of the public API: `npm run api`. */
import { writeFileSync } from "node:fs";
import { readModules, writeDocuments } from "./documents.ts";

for (const [path, text] of writeDocuments(readModules(process.cwd()))) {
  writeFileSync(path, text);
  console.log(path);
}
