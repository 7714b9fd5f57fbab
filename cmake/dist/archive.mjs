/**
 * Archives whose bytes depend on nothing but the names, texts and execute bits of the files in them: sorted, of one time,
 * owned by nobody in particular, compressed without a name.
 */

import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";

/** Packs `folder` as `file`, all in it of the time `seconds` (since 1970). The folder's name is the first part of each path. */
export function archive(folder, file, seconds) {
  const tar = `${file}.tar`;
  rmSync(`${tar}.gz`, { force: true });
  const options = ["--sort=name", "--format=ustar", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  execFileSync("tar", [...options, `--mtime=@${seconds}`, "-C", dirname(folder), "-cf", tar, basename(folder)], {
    env: { ...process.env, LC_ALL: "C" },
  });
  execFileSync("gzip", ["-n", "-9", tar]);
  renameSync(`${tar}.gz`, file);
}
