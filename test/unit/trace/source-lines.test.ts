import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapping } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { type SourceLines, sourceLineFinder } from "../../../ts/trace/source-lines.ts";
import { bundled, project } from "./bundle.ts";

/** The table in a bundle, and the number of lines before esbuild's output. */
function tableOf(bundle: string): { readonly table: SourceLines; readonly linesBefore: number } {
  const lines = readFileSync(bundle, "utf8").split("\n");
  const call = /^\$noundTrace\.traceSourceLines\((.*)\);$/;
  const index = lines.findIndex((line) => call.test(line));
  return { table: JSON.parse(call.exec(lines[index] ?? "")?.[1] ?? ""), linesBefore: index + 1 };
}

test.each([false, true])(
  "every place of a bundle has the line that its source map tells, minified: %s",
  async (minify) => {
    const { table, linesBefore } = tableOf(bundled("--debug", ...(minify ? ["--minify"] : [])));
    const finder = sourceLineFinder(table);
    const { outputFiles } = await build({
      absWorkingDir: project,
      entryPoints: ["src/main.ts"],
      outfile: "bundle.js",
      bundle: true,
      format: "esm",
      platform: "neutral",
      target: "es2024",
      minifySyntax: minify,
      minifyWhitespace: minify,
      sourcemap: "external",
      write: false,
    });
    const [map, bundle] = ["map", "js"].map(
      (ending) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "",
    );
    const sourceMap = new SourceMap(JSON.parse(map ?? ""));
    let places = 0;
    for (const [index, text] of (bundle ?? "").split("\n").entries()) {
      for (let column = text.search(/\S/); column >= 0 && column < text.length; column++) {
        const entry = sourceMap.findEntry(index, column) as Partial<SourceMapping>;
        // What esbuild adds has no place of its own in the map: `export {}`, for instance.
        if (entry.originalSource === undefined || entry.generatedLine !== index) continue;
        places += 1;
        expect(finder(index + 1 + linesBefore, column + 1), `${index + 1}:${column + 1} of ${text}`).toEqual({
          file: join(entry.originalSource),
          line: (entry.originalLine ?? 0) + 1,
        });
      }
    }
    expect(places).toBeGreaterThan(200);
  },
);

test("a place before the first run has no source", () => {
  expect(sourceLineFinder({ files: ["a.ts"], runs: "3 4 0 10" })(3, 4)).toBeUndefined();
  expect(sourceLineFinder({ files: ["a.ts"], runs: "3 4 0 10" })(3, 5)).toEqual({ file: "a.ts", line: 10 });
});
