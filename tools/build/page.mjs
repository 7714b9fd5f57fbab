/**
 * Makes the page that browsers get of ts/page: one HTML document with its script, style and icon inside, compressed by
 * gzip, as the C file that native/engine/page.h declares.
 *
 *     node tools/build/page.mjs <page.c>
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { minifySync } from "rolldown/utils";

const root = resolve(import.meta.dirname, "../..");
const bytesPerLine = 24;

/** The languages that have a file of words, besides English, which is in the page. */
const languages = readdirSync(resolve(root, "ts/page/words"))
  .map((name) => name.replace(".json", ""))
  .filter((name) => name !== "en")
  .sort();

/**
 * The names of properties that only the page's own objects have, by which they become shorter: questions (`isRead`),
 * the calls of components, and others. A text between quotes never names such a property.
 */
const ownNames = new RegExp(
  "^(?:is[A-Z]\\w+|component[DW]\\w+|shouldComponentUpdate|setState|labelledBy|describedBy|retryAfter|lastValue|" +
    "on(?:Close|Set|Open|Reply|Wrong|Move|Token|Forget)|waitFor|keepOnly|takeStates|showAnswer|mustBePosted|" +
    "expectToken|useToken|retryNow|requestOf|viewOf|readHistor\\w+|histories|" +
    "fallsBack|deviceClass|shareOf|guarded|condition|plan|channels|colour|because|props|byName|cards|heard|resting|" +
    "answered|sendPosition|commitNumber|noun|views?|sentence|changes|refus(?:al|ed)|deadline|kind|readOnly|nullable|" +
    "labels|commit|resume|begun|draft|playing|titleId|metrics|columns|least|taken|known|leave|t(?:ell|old)|ages|" +
    "sending|kids|instance|describe|follow|group)$",
);

/** Those of the browser that look like them. */
const namesOfBrowser = new RegExp(
  "^is(?:Array|Integer|SafeInteger|Finite|NaN|Frozen|WellFormed|Composing|Connected|Primary|SecureContext|Trusted|" +
    "Intersecting|ContentEditable)$",
);

/** Bundles a script or a style. @returns its text. */
async function bundle(entry) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    mangleProps: ownNames,
    reserveProps: namesOfBrowser,
    format: "iife",
    platform: "browser",
    // Browsers of the last four years.
    target: ["es2022", "chrome108", "firefox110", "safari16"],
    jsx: "automatic",
    jsxImportSource: "./dom",
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
    define: { languagesOfDevice: JSON.stringify(languages) },
  });
  // Described elements have many children. esbuild mangles no name that it makes of JSX.
  return outputFiles[0].text.trim().replace(/\bchildren\b/g, "dom");
}

/** @returns the script in fewer characters: Rolldown finds more to leave out than esbuild does. */
function shorten(script) {
  const { code, errors } = minifySync("page.js", script, {
    compress: { target: "es2022" },
    mangle: { toplevel: true },
  });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("; "));
  // A browser reads a function between parentheses once, because it is called at once, and an arrow function twice.
  const begin = '"use strict";(()=>{';
  if (!code.startsWith(begin)) throw new Error("The page's script is not one arrow function that is called.");
  return `"use strict";(function(){${code.slice(begin.length).trim()}`;
}

/** Escapes a script or style as raw text (the HTML standard, 13.1.2.6), so that nothing in it ends the element. */
function expectRaw(name, text) {
  if (new RegExp(`</${name}|<!--`, "i").test(text)) throw new Error(`The page's ${name} has what would end it.`);
  return text;
}

/** The name of an inline script or style in the policy (CSP 3, 2.3.1). */
function source(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** @returns the document's text and its Content-Security-Policy. */
export async function makePage() {
  const script = expectRaw("script", shorten(await bundle("ts/page/main.tsx")));
  const style = expectRaw("style", await bundle("ts/page/style.css"));
  const icon = readFileSync(resolve(root, "ts/page/icon.svg"), "utf8")
    .trim()
    .replace(/\s*\n\s*/g, "");
  const parts = {
    ICON: `data:image/svg+xml,${encodeURIComponent(icon).replace(/%(?:20|3D|3A|2F)/g, decodeURIComponent)}`,
    STYLE: style,
    SCRIPT: script,
  };
  const template = readFileSync(resolve(root, "ts/page/page.html"), "utf8").trim();
  // By a function, because a `$` in the script must not be special.
  const document = template.replace(/\s*\n\s*/g, "").replace(/\b(?:ICON|STYLE|SCRIPT)\b/g, (name) => parts[name]);
  const policy = [
    "default-src 'none'",
    `script-src ${source(script)}`,
    `style-src ${source(style)}`,
    "img-src data:",
    "manifest-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  return { document, policy };
}

/** Blocks of less text (`memLevel`; usually 8) have codes that fit the style and the script better. */
function compress(text) {
  return gzipSync(Buffer.from(text), { level: 9, memLevel: 6 });
}

function readWords(language) {
  return JSON.parse(readFileSync(resolve(root, `ts/page/words/${language}.json`), "utf8"));
}

/** @returns the words of a language, compressed: those that English does not have by their names, then the others. */
function wordsOf(language) {
  const words = readWords(language);
  const names = Object.keys(readWords("en"));
  const own = Object.fromEntries(Object.entries(words).filter(([name]) => !names.includes(name)));
  return compress(JSON.stringify([own, ...names.map((name) => words[name])]));
}

/** @param parts the document and the words of each language. */
function cFile(parts, policy) {
  const compressed = Buffer.concat(parts);
  const ends = parts.map((_, place) => Buffer.concat(parts.slice(0, place + 1)).length);
  const lines = [];
  for (let at = 0; at < compressed.length; at += bytesPerLine)
    lines.push(`    ${Array.from(compressed.subarray(at, at + bytesPerLine)).join(", ")},`);
  const tag = createHash("sha256").update(compressed).update(policy).digest("hex").slice(0, 32);
  return `/* Generated by the build from ts/page. */
#include "engine/page.h"

const uint8_t nound_page[] = {
${lines.join("\n")}
};
const size_t nound_page_size = sizeof nound_page;
const size_t nound_page_ends[] = {${ends.join(", ")}};
const size_t nound_page_parts = ${parts.length};
const char nound_page_languages[] = ${JSON.stringify(languages.join(" "))};
const char nound_page_tag[] = "\\"${tag}-gzip\\"";
const char nound_page_policy[] = ${JSON.stringify(policy)};
`;
}

const [path] = process.argv.slice(2);
if (path !== undefined) {
  const { document, policy } = await makePage();
  const compressed = compress(document);
  const words = languages.map(wordsOf);
  writeFileSync(path, cFile([compressed, ...words], policy));
  const each = words.map(({ length }, place) => `${languages[place]} ${length}`).join(", ");
  console.log(`The page: ${document.length} characters, ${compressed.length} bytes compressed; words: ${each}`);
}
