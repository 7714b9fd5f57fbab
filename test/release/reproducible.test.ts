/** The release is the same wherever it is made: it takes as long as `npm run dist`. */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectedTargets, targets } from "../targets/targets.ts";
import { dist, run, temporaryFolder, top } from "./work-folder.ts";

test("another checkout of the same commit gives the same bytes", () => {
  const changes = run("git", ["status", "--porcelain", "--untracked-files=no"]);
  expect(changes, "changes that are in no commit").toBe("");
  const checkout = join(temporaryFolder(), "another folder's name");
  run("git", ["clone", "--quiet", top, checkout]);
  symlinkSync(join(top, "node_modules"), join(checkout, "node_modules"));
  mkdirSync(join(checkout, "build"));
  cpSync(join(top, "build/downloads"), join(checkout, "build/downloads"), {
    recursive: true,
    filter: (source) => !/linux|qjs|apt/.test(source.slice(top.length)),
  });
  const few = selectedTargets().length < targets.length ? ["--few"] : [];
  run("node", ["tools/dist/dist.mjs", "--engine", "any", ...few], { folder: checkout });
  expect(readFileSync(join(checkout, "dist/SHA256SUMS"), "utf8")).toBe(readFileSync(join(dist, "SHA256SUMS"), "utf8"));
});
