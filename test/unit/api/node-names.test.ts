/** What the compiler, and with it an editor, says of names that are Node's or a browser's. */
import { beforeAll, expect, test } from "vitest";
import { DeclaredPackage } from "./declared-package.ts";

/** What an author may write, and a part of the sentence that says what to use instead. */
const mistakes: readonly (readonly [source: string, instead: string])[] = [
  ['import { readFileSync } from "node:fs"; readFileSync("a");', "readText and listFolder"],
  ['import fs from "fs"; fs.readFileSync("a");', "readText and listFolder"],
  ['import * as http from "node:http"; http.createServer();', "Server of"],
  ['import { inflateSync } from "zlib"; inflateSync("a");', "nothing of"],
  ["process.exit(1);", "args, environment and onSignal"],
  ['Buffer.from("a");', "Uint8Array holds bytes"],
  ['require("fs");', "use import"],
  ['fetch("http://a");', "import fetch of"],
  ['new URL("http://a");', "take them apart"],
];

const right = `
  const timer: number = setTimeout((count: number) => console.log(count), 10, 1);
  clearTimeout(timer);
  clearInterval(setInterval(() => console.warn("warm", { degrees: 40 }), 1_000));
  queueMicrotask(() => console.error(new Error("stuck")));
  const text: string = new TextDecoder("utf-8", { fatal: true }).decode(new TextEncoder().encode("a"));
  console.info(text);
  const controller = new AbortController();
  controller.signal.addEventListener("abort", () => console.info(controller.signal.reason));
  controller.abort();
`;

/** What the compiler says of each source, by its place in the list. One run of it takes as long as for all of them. */
let reports: readonly string[];
beforeAll(async () => {
  const installed = await DeclaredPackage.create();
  const sources = [...mistakes.map(([source]) => source), right, 'setTimeout("text", 10);'];
  const files = sources.map((source, index) => [`${index}.ts`, `${source}\nexport {};\n`] as const);
  const lines = installed.compile(new Map(files)).split(/\n(?=src\/)/);
  reports = sources.map((_, index) => lines.filter((line) => line.includes(`src/${index}.ts(`)).join("\n"));
  installed.remove();
});

test.each(mistakes.map(([source, instead], index) => [source, instead, index] as const))(
  "%s says what to use instead, and does not advise to install types",
  (_, instead, index) => {
    expect(reports[index]).toContain(instead);
    expect(reports[index]).toContain("NotOnADevice");
    expect(reports[index]).not.toMatch(/npm i|@types|target library|'lib'/);
  },
);

test("the global names that a device has need no import", () => {
  expect(reports.at(-2)).toBe("");
  expect(reports.at(-1)).toContain("(1,12)");
});
