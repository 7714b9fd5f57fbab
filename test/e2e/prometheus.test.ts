/** A real Prometheus, with the configuration of examples/prometheus, that scrapes with a bearer token. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { freeAddress } from "../harness/address.ts";
import { onBuildServer } from "../harness/environment.ts";
import { eventually } from "../harness/eventually.ts";
import { startNound, temporaryPath } from "../harness/nound-process.ts";
import { forAllTests } from "../harness/served.ts";
import { makeToken, tokenFile } from "../harness/token-file.ts";

function isMissing(): boolean {
  try {
    execFileSync("prometheus", ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
}

interface Result {
  readonly metric: { readonly [label: string]: string };
  readonly value: readonly [number, string];
}

describe.skipIf(!onBuildServer && isMissing())("Prometheus", () => {
  let token = "";
  let begun = Number.NaN;
  const nound = forAllTests(async () => {
    const { token: made, line } = await makeToken("prometheus");
    token = made;
    begun = Date.now();
    const reading = line.replace("GET,PUT,POST,DELETE", "GET,PUT");
    return await startNound({
      access: { tokens: tokenFile(reading) },
      nouns: {
        "hall.lamp-1~a": { kind: "switch", key: "lit", values: [0, 1], default: 0 },
        room: { kind: "value", default: { "celsius.now": 20.5, text: 'a "free" string' } },
      },
    });
  });

  /** Starts Prometheus with the example, on this device and every second. @returns the address it listens on. */
  async function startPrometheus(): Promise<string> {
    const folder = temporaryPath("prometheus");
    mkdirSync(folder);
    const example = fileURLToPath(new URL("../../examples/prometheus/prometheus.yml", import.meta.url));
    const text = readFileSync(example, "utf8").replaceAll("192.0.2.7:8080", nound().address).replace(": 15s", ": 1s");
    writeFileSync(join(folder, "prometheus.yml"), text);
    writeFileSync(join(folder, "token"), token, { mode: 0o600 });
    const address = await freeAddress();
    const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
    const prometheus = spawn("prometheus", [...args, `--web.listen-address=${address}`], { stdio: "ignore" });
    const ended = new Promise((resolve) => prometheus.once("close", resolve));
    onTestFinished(async () => {
      prometheus.kill();
      await ended;
    });
    return address;
  }

  test("has rules for alerts and a configuration for many devices that promtool accepts", () => {
    const cwd = fileURLToPath(new URL("../../examples/fleet", import.meta.url));
    const promtool = (...words: readonly string[]): string =>
      execFileSync("promtool", words, { cwd, encoding: "utf8" });
    expect(promtool("test", "rules", "alerts-test.yml")).toContain("SUCCESS");
    expect(promtool("check", "config", "--syntax-only", "prometheus.yml")).toContain("SUCCESS");
  });

  test("shows the device as up, and a noun's value as it was set", async () => {
    const body = JSON.stringify({ lit: 1 });
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const put = await fetch(`http://${nound().address}/hall.lamp-1~a`, { method: "PUT", headers, body });
    expect(put.status).toBe(200);
    const address = await startPrometheus();
    async function query(expression: string): Promise<readonly Result[] | undefined> {
      try {
        const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`);
        const { data } = (await answer.json()) as { readonly data: { readonly result: readonly Result[] } };
        return data.result.length > 0 ? data.result : undefined;
      } catch {
        return undefined; // it does not listen yet
      }
    }
    const values = await eventually("Prometheus has scraped", () => query("nound_noun_value"));
    expect(values.map(({ metric: { noun, key }, value: [, value] }) => [noun, key, value]).toSorted()).toEqual([
      ["hall.lamp-1~a", "lit", "1"],
      ["room", "celsius.now", "20.5"],
    ]);
    // A scrape of which nothing came within its second is a failed one. Its values are gone until the next.
    expect(await eventually("it is up", () => query('up{job="nound"} == 1'))).toHaveLength(1);
    const [start] = await eventually("its start", () => query("process_start_time_seconds"));
    // The clock of the kernel and this one's round in their own ways.
    expect(Number(start?.value[1])).toBeGreaterThan(begun / 1_000 - 2);
    expect(Number(start?.value[1])).toBeLessThan(Date.now() / 1_000 + 2);
  });
});
