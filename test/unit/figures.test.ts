/**
 * The figures of the pages for users: each is one that `npm run bench -- --document` wrote into
 * docs/dev/performance.md, or a limit of the program that is named below.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (page: string): string => readFileSync(join(root, page), "utf8").replace(/ +\|/g, " |");
const performance = read("docs/dev/performance.md");
const [, servers = ""] =
  /<!-- measured by npm run bench -->(.*)<!-- end of what was measured -->/s.exec(performance) ?? [];
const [, peers = ""] =
  /<!-- measured by npm run bench -- --peers -->(.*)<!-- end of the peers -->/s.exec(performance) ?? [];
const measured = `${servers}\n\n${peers}`;

/** A cell of a table of the measurement: of the row that begins so, in the column of this title. */
function cell(row: string, column: string): string {
  for (const table of measured.split("\n\n")) {
    const [head = "", , ...rows] = table
      .trim()
      .split("\n")
      .map((line) => line.split("|").map((text) => text.trim()));
    const index = head.indexOf(column);
    const found = rows.find((cells) => cells[1]?.startsWith(row));
    if (index > 0 && found !== undefined) return found[index] ?? "";
  }
  throw new Error(`The measurement has no ${column} of ${row}.`);
}

/** A number of a cell, in `digits` after the point. */
function figure(row: string, column: string, digits?: number): string {
  const text = cell(row, column);
  return digits === undefined ? (text.split(" ")[0] ?? "") : Number.parseFloat(text).toFixed(digits);
}

/** The cells of the peers, of which MQTT IO has no HTTP. */
function peerCells(column: string, unit: string, digits?: number): string {
  const names = ["nound", "myGPIOd", "MQTT IO", "Node-RED", "BusyBox"];
  const cells = names.map((name) => {
    const text = cell(name, column);
    return text === "no HTTP" ? text : `${figure(name, column, digits)} ${unit}`;
  });
  return ` | ${cells.join(" | ")} |`;
}

const idle = "idle, MB";
const afterLoad = "after load, MB (requests)";
const connections = "1,000 idle connections, MB";

/** What the pages claim, by the words around the figure, and the figure that was measured. */
const claims: readonly (readonly [page: string, words: string, figure: string])[] = [
  ["README.md", "one static binary of about # MB", figure("nound", "program, MB", 1)],
  ["README.md", "uses about # MB of\nmemory", figure("nound", idle, 0)],
  ["README.md", "| all its files#", peerCells("all its files, MB", "MB")],
  ["README.md", "| idle memory#", peerCells("idle memory, MB", "MB")],
  ["README.md", "| GET, CPU time#", peerCells("GET, µs of processor time", "µs", 0)],
  ["docs/fleet.md", "| memory when idle | # MB |", figure("nound", idle)],
  ["docs/fleet.md", "| # MB |", figure("nound", afterLoad)],
  ["docs/fleet.md", "| from the start to the first answer | # ms |", figure("nound", "first answer, ms", 0)],
  ["docs/fleet.md", "| the program for x86_64 | # MB;", figure("nound", "program, MB")],
  ["docs/dev/performance.md", "**Memory**: # MB when idle", figure("nound", idle)],
  ["docs/dev/performance.md", "when idle, # MB with 1,000 idle connections", figure("nound", connections)],
  ["docs/dev/performance.md", "idle connections. nginx has # MB", figure("nginx", connections)],
  ["docs/dev/performance.md", "MB, Node # MB.", figure("Node http", connections)],
  ["docs/dev/performance.md", "a GET takes # µs of processor time", figure("GET", "nound")],
  ["docs/dev/performance.md", "nginx # µs, Node's", figure("GET", "nginx return")],
  ["docs/dev/performance.md", "`http` # µs", figure("GET", "Node http")],
];

test.each(claims)("%s claims what was measured: %s", (page, words, figure) => {
  const spaces = (text: string): string => text.replace(/\s+/g, " ");
  expect(spaces(read(page))).toContain(spaces(words.replace("#", figure)));
});

test("the plot has the figures of the tables", () => {
  const plot = readFileSync(join(root, "docs/dev/performance.svg"), "utf8");
  const drawn = [...plot.matchAll(/class="value[^>]*>([\d.]+)</g)].map(([, text = ""]) => text);
  const cells = measured.split("|").map((text) => Number.parseFloat(text.replaceAll(",", "")));
  expect(drawn.length).toBeGreaterThan(30);
  const digits = (text: string): number => text.split(".")[1]?.length ?? 0;
  // The tables have rounded figures, and the plot rounds what was measured: 3.247 is 3.25 in a table, and 3.2 there.
  const halfUnit = (text: string): number => 0.5 * 10 ** -digits(text) + 1e-9;
  const isNear = (text: string, value: number): boolean => Math.abs(value - Number(text)) <= halfUnit(text);
  expect(drawn.filter((text) => !cells.some((value) => isNear(text, value)))).toEqual([]);
});

/** Sizes that are no measurement: limits of the program, of its tests, and of its tools. */
const given = [
  ...["at most 256 KiB", "at most 64 KiB", "another `bodyBytes` plus 1 KB", "up to 2 KB"],
  ...[
    "`stateBytes`, 16 KiB",
    "at most 64 changes and 16 KiB",
    "less than 2 KB",
    "less than 3 KB",
    "at most 25 KB",
    "a head of at most 8 KB",
    "a body of at most 64 KB",
    "`npm ci` takes 85 MB",
    "the packages of the tests, 530 MB",
  ],
];

test("a page for users has no size but these", () => {
  const pages = ["README.md", ...readdirSync(join(root, "docs")).filter((name) => /^(?!reference).*\.md$/.test(name))];
  const sizes = pages.flatMap((name) => {
    const page = name === "README.md" && pages.indexOf(name) === 0 ? "README.md" : `docs/${name}`;
    const text = read(page).replace(/\s+/g, " ");
    const known = [
      ...given,
      ...claims
        .filter(([of]) => of === page)
        .map(([, words, figure]) => words.replace(/\s+/g, " ").replace("#", figure)),
    ];
    const rest = known.reduce((left, sentence) => left.replaceAll(sentence, ""), text);
    return [...rest.matchAll(/.{0,30}\b\d[\d.,]* ?(?:KB|MB|KiB|MiB|µs)\b/g)].map(([found]) => `${page}: ${found}`);
  });
  expect(sizes).toEqual([]);
});
