/** The figures of docs/dev/fleet.md and docs/fleet.md: `npm run test:fleet -- --document` wrote them into docs/dev/fleet.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const docs = join(import.meta.dirname, "../../docs");

interface Figures {
  readonly scenarios: { readonly [name: string]: { readonly right: number; attempts: number; most: number } };
}

const measured = JSON.parse(readFileSync(join(docs, "dev/fleet.json"), "utf8")) as { readonly [run: string]: Figures };
const { scenarios } = measured["mosquitto, 500 devices"] as Figures;
const clusters = ["ejabberd", "RabbitMQ, quorum queues", "RabbitMQ, classic queues"];
const page = readFileSync(join(docs, "dev/fleet.md"), "utf8");

/** The rows of the table of failures. */
const rows = [...page.matchAll(/^\| (.+?) +\| (\d+) s +\| (\d+) +\| (\d+) +\|$/gm)].map(([, ...cells]) => cells);

/** The rows of the table of clusters. */
const clusterRows = [...page.matchAll(/^\| (.+?) +\| (\d+) s +\| (\d+) s +\| (\d+) s +\|$/gm)].map(
  ([, ...cells]) => cells,
);

test("the page has figures of failures", () => {
  expect(rows.length).toBeGreaterThanOrEqual(5);
  expect(clusterRows.length).toBeGreaterThanOrEqual(6);
});

test.each(rows)("the page claims of '%s' what was measured", (name = "", right, attempts, most) => {
  const figures = scenarios[name];
  expect([right, attempts, most]).toEqual(
    [Math.ceil(figures?.right ?? 0), figures?.attempts, figures?.most].map(String),
  );
});

test.each(clusterRows)("the page claims of '%s' in a cluster what was measured", (name = "", ...claimed) => {
  const right = clusters.map((run) => Math.ceil(measured[`${run}, 500 devices`]?.scenarios[name]?.right ?? 0));
  expect(claimed).toEqual(right.map(String));
});

test("the page claims of 10,000 devices what was measured, within the limits", () => {
  const { scenarios } = measured["mosquitto, 10000 devices"] as Figures;
  const names = ["start", "a command to all", "broker killed without its store"];
  const [start = 0, command = 0, killed = 0] = names.map((name) => Math.ceil(scenarios[name]?.right ?? 0));
  const most = scenarios["broker killed without its store"]?.most ?? 0;
  const text = page.replaceAll(/\s+/g, " ");
  expect(text).toContain(
    `all were connected after ${start} s, a command reached all in ${command} s, and all was right`,
  );
  expect(text).toContain(`right ${killed} s after the broker was killed without its store.`);
  expect([start <= 120, command <= 10, killed <= 90]).toEqual([true, true, true]);
  expect(text).toContain(`In the busiest second, ${most.toLocaleString("en")} of them tried to connect.`);
  expect(most).toBeLessThanOrEqual(1_500);
  const shown = readFileSync(join(docs, "fleet.md"), "utf8").replaceAll(/\s+/g, " ");
  expect(shown).toContain(
    `10,000 devices take ${start} s to connect, and work again ${killed} s after their broker was killed.`,
  );
});

test("in no second do more than 15 of 100 devices try to connect", () => {
  for (const { most } of Object.values(scenarios)) expect(most).toBeLessThanOrEqual(0.15 * 500);
});
