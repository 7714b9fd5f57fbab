import { describe, expect, test } from "vitest";
import { type Workload, workloads } from "../../bench/workloads.ts";
import { parseLoad, wrkScript } from "../../bench/wrk.ts";

function workload(name: string): Workload {
  const found = workloads.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no workload ${name}.`);
  return found;
}

describe("what wrk says", () => {
  test("is read from the script's own line", () => {
    const output = "Running 1s test @ http://127.0.0.1:1/led\n  1 threads\nload 45302 3\nTransfer/sec: 4 MB\n";
    expect(parseLoad(output)).toEqual({ requests: 45_302, errors: 3 });
  });

  test("is repeated when the line is missing", () => {
    expect(() => parseLoad("unable to connect to 127.0.0.1:1\n")).toThrow("unable to connect to 127.0.0.1:1");
  });
});

describe("the script for wrk", () => {
  test("has no function that wrk would call for each request when all are the same", () => {
    expect(wrkScript(workload("get"))).not.toMatch(/^request = /m);
    expect(wrkScript(workload("get"))).toContain(
      String.raw`wrk.format = function() return "GET /led HTTP/1.1\r\nHost: 127.0.0.1:18080\r\n\r\n" end`,
    );
  });

  test("sends as many requests at once as are pipelined", () => {
    expect(wrkScript(workload("pipelined")).split("GET /led ")).toHaveLength(1 + 8);
  });

  test("makes requests that are never the same if the workload says so", () => {
    const script = wrkScript(workload("browser-new"));
    expect(script).toMatch(/^request = /m);
    expect(script).toContain('visit=" .. string.format("%012d", serial) .. ";');
  });

  test("has the number in each field if no field is ever the same", () => {
    expect(wrkScript(workload("browser-all-new")).split('string.format("%012d", serial)')).toHaveLength(1 + 14);
  });

  test("goes through all nouns if the workload says so", () => {
    expect(wrkScript(workload("nouns-each")).split("GET /led")).toHaveLength(1 + 1_000);
  });

  test.each(workloads.map((one) => [one.title, one] as const))("reports what was measured: %s", (_title, one) => {
    expect(wrkScript(one)).toContain('print(string.format("load ');
  });
});
