/** What the compiler, and with it an editor, says of names that are Node's or a browser's. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DeclaredPackage } from "./declared-package.ts";

let installed: DeclaredPackage;
beforeAll(async () => {
  installed = await DeclaredPackage.create();
});
afterAll(() => installed.remove());

function report(source: string): string {
  return installed.compile(new Map([["main.ts", `${source}\nexport {};\n`]]));
}

test.each([
  ['import { readFileSync } from "node:fs"; readFileSync("a");', "readText and listFolder"],
  ['import fs from "fs"; fs.readFileSync("a");', "readText and listFolder"],
  ['import * as http from "node:http"; http.createServer();', "Server of"],
  ['import { inflateSync } from "zlib"; inflateSync("a");', "nothing of"],
  ["process.exit(1);", "args, environment and onSignal"],
  ['Buffer.from("a");', "Uint8Array holds bytes"],
  ['require("fs");', "use import"],
  ['fetch("http://a");', "opens no connections"],
  ['new URL("http://a");', "take them apart"],
])("%s says what to use instead, and does not advise to install types", (source, instead) => {
  expect(report(source)).toContain(instead);
  expect(report(source)).toContain("NotOnADevice");
  expect(report(source)).not.toMatch(/npm i|@types|target library|'lib'/);
});

test("the global names that a device has need no import", () => {
  const source = `
    const timer: number = setTimeout((count: number) => console.log(count), 10, 1);
    clearTimeout(timer);
    clearInterval(setInterval(() => console.warn("warm", { degrees: 40 }), 1_000));
    queueMicrotask(() => console.error(new Error("stuck")));
    const text: string = new TextDecoder("utf-8", { fatal: true }).decode(new TextEncoder().encode("a"));
    console.info(text);
  `;
  expect(report(source)).toBe("");
  expect(report('setTimeout("text", 10);')).toContain("main.ts(1,12)");
});
