/** The options of `npm run dist` that make a part of a release. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { top } from "../../harness/top.ts";

function dist(...args: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  const env = { ...process.env, OPENWRT_SDK: "" };
  return spawnSync(process.execPath, [join(top, "tools/dist/dist.mjs"), ...args], { env, encoding: "utf8" });
}

test("--openwrt without an SDK ends at once, and names what is enough for a tree", () => {
  expect(dist("--openwrt")).toMatchObject({
    status: 1,
    stderr:
      "nound: --openwrt makes the packages by OpenWrt's SDK: set OPENWRT_SDK to its folder. For a tree of OpenWrt, " +
      "--source is enough\n",
  });
});

test("an option that there is not is answered by those that there are", () => {
  const { status, stderr } = dist("--sauce");
  expect(status).toBe(1);
  for (const option of ["--engine", "--few", "--debian", "--source", "--openwrt", "--sign"])
    expect(stderr).toContain(option);
});
