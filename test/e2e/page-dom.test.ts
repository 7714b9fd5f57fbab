/** The part of the page that draws it, in Chromium: after any changes, the document is as if it had been drawn anew. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newPage, noChromium, startChromium } from "../harness/chromium.ts";

const folder = fileURLToPath(new URL("../../ts/page/dom", import.meta.url));

/** Draws random trees one after another, and each also anew. The same seed gives the same trees. */
const program = `
import { Component } from "./component.ts";
import { Fragment, jsx } from "./jsx-runtime.ts";
import { render } from "./dom.ts";

let seed = 1;
const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
let lives = 0;
class Part extends Component {
  componentDidMount() { lives++; }
  componentWillUnmount() { lives--; }
  render({ children }) { return children; }
}
const List = ({ children }) => [children, "end"];
const types = ["p", "b", "svg", Part, List, Fragment];

function shuffled(list) {
  return list.map((one) => [random(1000), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
}

/** A function of the seed that makes a tree, because a description is drawn once. */
function tree(depth) {
  const kind = random(9);
  if (depth === 0 || kind === 0) return random(3) === 0 ? null : "text " + random(3);
  const keyed = (key) => jsx("i", { id: "k" + key, children: tree(depth - 1) }, key);
  if (kind === 1) return shuffled([1, 2, 3, 4, 5]).slice(random(5)).map(keyed);
  const children = Array.from({ length: random(4) }, () => tree(depth - 1));
  return jsx(types[random(types.length)], { class: random(2) ? "c" + random(3) : undefined, children });
}

/** @returns a place whose content differs from that of a new document; "" if none does. */
globalThis.compare = (rounds) => {
  for (let round = 1; round <= rounds; round++) {
    seed = round * 7919;
    for (let before = 0; before < 3; before++) render(tree(4));
    const begin = seed;
    render(tree(4));
    const changed = document.body.innerHTML;
    const { body } = document;
    render(null);
    if (lives !== 0 || body.childNodes.length !== 0) return "left over in round " + round;
    seed = begin;
    render(tree(4));
    if (body.innerHTML !== changed) return round + ": " + changed + " instead of " + body.innerHTML;
  }
  return "";
};

globalThis.keep = () => {
  const rows = (names) => names.map((name) => jsx("input", { id: name, value: name, "aria-hidden": false }, name));
  render(rows(["a", "b", "c"]));
  const [a, b, c] = document.body.children;
  b.focus();
  b.value = "typed";
  render(rows(["c", "b", "d"]));
  const after = [...document.body.children];
  return [
    after.map(({ id }) => id).join(),
    after[0] === c && after[1] === b && !a.isConnected,
    document.activeElement === b || document.activeElement === document.body,
    b.value,
    b.getAttribute("aria-hidden"),
  ];
};
`;

describe.skipIf(noChromium !== undefined)(`Chromium${noChromium ?? ""}`, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium();
    page = await newPage(browser);
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: folder },
      bundle: true,
      write: false,
      format: "iife",
    });
    await page.evaluate(outputFiles[0]?.text ?? "");
  });
  afterAll(() => browser.close());

  test("a tree that was changed is the same as one that was drawn anew, and nothing lives on", async () => {
    expect(await page.evaluate("compare(500)")).toBe("");
  });

  test("an element keeps its identity by its key, and shows the value of its description", async () => {
    expect(await page.evaluate("keep()")).toEqual(["c,b,d", true, true, "b", "false"]);
  });
});
