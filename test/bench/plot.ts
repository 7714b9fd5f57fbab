/** Draws bar charts side by side as one SVG file, for light and dark pages: text, rectangles and nothing else. */

/** One bar. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value as it is written behind the bar. */
  readonly text: string;
  /** Whether it is the one that the plot is about. */
  readonly highlighted: boolean;
}

/** One chart. */
export interface Chart {
  readonly title: string;
  /** What is better, as a short remark: "less is better". */
  readonly remark: string;
  readonly bars: readonly Bar[];
}

const columns = 2;
const chartWidth = 430;
const rowHeight = 24;
const titleHeight = 46;
const gap = 30;
const labelWidth = 108;
const textWidth = 74;
const longestBar = chartWidth - labelWidth - textWidth;
/** A bar of more than so many times the highlighted one would make all others too short to compare: it is cut. */
const mostTimes = 8;

const style = `<style>
svg { --back: #ffffff; --ink: #1f2328; --soft: #59636e; --accent: #0969da; --bar: #afb8c1; }
@media (prefers-color-scheme: dark) {
svg { --back: #0d1117; --ink: #e6edf3; --soft: #9198a1; --accent: #4493f8; --bar: #656c76; }
}
text { fill: var(--ink); }
rect { fill: var(--bar); }
.back { fill: var(--back); }
.title { font-size: 14px; font-weight: 600; }
.remark { font-size: 11px; fill: var(--soft); }
.label { text-anchor: end; }
text.highlighted { font-weight: 600; }
rect.highlighted { fill: var(--accent); }
</style>`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function text(x: number, y: number, content: string, classes: string): string {
  return `<text x="${x}" y="${y}" class="${classes}">${escaped(content)}</text>`;
}

/** The value that has the longest bar. Bars of larger ones are cut. */
export function scaleOf(bars: readonly Bar[]): number {
  const reference = bars.find((bar) => bar.highlighted)?.value ?? Number.POSITIVE_INFINITY;
  const shown = bars.map(({ value }) => value).filter((value) => value <= mostTimes * reference);
  return Math.max(...shown, Number.MIN_VALUE);
}

function drawBar(bar: Bar, scale: number, y: number): string {
  const cut = bar.value > scale;
  const length = Math.max(1, Math.round((longestBar * Math.min(bar.value, scale)) / scale));
  const kind = bar.highlighted ? " highlighted" : "";
  const middle = y + rowHeight / 2 + 4;
  const outline = `M${labelWidth + length - 22} ${y + rowHeight} l6 -${rowHeight} h6 l-6 ${rowHeight} z`;
  const notch = `<path d="${outline}" class="back"/>`;
  return [
    text(labelWidth - 8, middle, bar.label, `label${kind}`),
    `<rect x="${labelWidth}" y="${y + 4}" width="${length}" height="${rowHeight - 8}" rx="2" class="bar${kind}"/>`,
    ...(cut ? [notch] : []),
    text(labelWidth + length + 6, middle, bar.text, `value${kind}`),
  ].join("\n");
}

function drawChart(chart: Chart, x: number, y: number): string {
  const scale = scaleOf(chart.bars);
  const isCut = chart.bars.some(({ value }) => value > scale);
  return [
    `<g transform="translate(${x} ${y})">`,
    text(0, 14, chart.title, "title"),
    text(0, 31, isCut ? `${chart.remark}; a bar with a gap is longer than drawn` : chart.remark, "remark"),
    ...chart.bars.map((bar, index) => drawBar(bar, scale, titleHeight - 4 + index * rowHeight)),
    "</g>",
  ].join("\n");
}

/** @param description what the plot shows, for those who cannot see it. @returns the SVG document. */
export function drawPlot(charts: readonly Chart[], description: string): string {
  const height = titleHeight + rowHeight * Math.max(...charts.map(({ bars }) => bars.length)) + gap;
  const total = [columns * (chartWidth + gap) + gap, Math.ceil(charts.length / columns) * height + gap] as const;
  const drawn = charts.map((chart, index) =>
    drawChart(chart, gap + (index % columns) * (chartWidth + gap), gap + Math.floor(index / columns) * height),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total[0]} ${total[1]}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>${escaped(description)}</title>
${style}
<rect width="100%" height="100%" class="back"/>
${drawn.join("\n")}
</svg>
`;
}
