import { describe, expect, test } from "vitest";
import { chartsOf } from "../../bench/charts.ts";
import { type Bar, drawPlot, scaleOf } from "../../bench/plot.ts";
import { good } from "./results.ts";

function bar(value: number, highlighted = false): Bar {
  return { label: `bar ${value}`, value, text: String(value), highlighted };
}

function widths(svg: string): readonly number[] {
  return [...svg.matchAll(/<rect x="\d+" y="\d+" width="(\d+)"/g)].map(([, width]) => Number(width));
}

describe("a chart", () => {
  test("has bars in proportion to their values", () => {
    const [first = 0, second = 0] = widths(
      drawPlot([{ title: "t", remark: "r", bars: [bar(10, true), bar(20)] }], "description"),
    );
    expect(second / first).toBeCloseTo(2, 1);
  });

  test("cuts a bar that would leave no room for the others", () => {
    const bars = [bar(10, true), bar(20), bar(1_000)];
    expect(scaleOf(bars)).toBe(20);
    const svg = drawPlot([{ title: "t", remark: "r", bars }], "description");
    expect(widths(svg)[2]).toBe(widths(svg)[1]);
    expect(svg.match(/<path /g)).toHaveLength(1);
  });

  test("has its texts escaped", () => {
    const svg = drawPlot([{ title: "a < b & c", remark: "r", bars: [bar(1, true)] }], "x > y");
    expect(svg).toContain("a &lt; b &amp; c");
    expect(svg).toContain("<title>x &gt; y</title>");
  });

  test("is drawn of a value of 0, too", () => {
    expect(drawPlot([{ title: "t", remark: "r", bars: [bar(0, true)] }], "d")).not.toContain("NaN");
  });
});

describe("the plot of the results", () => {
  test("has a bar for each server that was measured", () => {
    const [get] = chartsOf(good);
    expect(get?.bars.map(({ label, text }) => [label, text])).toEqual([
      ["nound", "9.0"],
      ["floor", "8.0"],
      ["node", "20.0"],
    ]);
  });

  test("takes its colours from the page's scheme, light or dark", () => {
    const [style = "", ...drawn] = drawPlot(chartsOf(good), "nound and others").split("</style>");
    expect(style).toContain("@media (prefers-color-scheme: dark)");
    expect(drawn.join("")).not.toMatch(/#[0-9a-f]{3,6}|fill=|stroke=/);
  });

  test("is one SVG document in which every tag is closed", () => {
    const svg = drawPlot(chartsOf(good), "nound and others");
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    const open: string[] = [];
    for (const [, closing, name = "", rest = ""] of svg.matchAll(/<(\/?)([a-z]+)([^>]*)>/g)) {
      if (closing === "/") expect(open.pop()).toBe(name);
      else if (!rest.endsWith("/")) open.push(name);
    }
    expect(open).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined/);
  });
});
