/**
 * Archives whose bytes depend on nothing but the names, texts and execute bits of the files in them: sorted, with the
 * same time, without an owner, compressed without a name.
 */

import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";

/** The options by which tar makes the same archive of the same files everywhere and at any time. */
function tarOptions(seconds, user = 0) {
  const owner = [`--owner=${user}`, `--group=${user}`, "--numeric-owner", "--mode=u=rwX,go=rX"];
  return ["--sort=name", "--format=ustar", ...owner, `--mtime=@${seconds}`];
}

const environment = { ...process.env, LC_ALL: "C" };

/**
 * Packs `folder` as `file`, by xz if its name ends so and else by gzip. All files get the time `seconds` (since 1970).
 * The folder's name is the first part of each path.
 */
export function archive(folder, file, seconds) {
  const tar = `${file}.tar`;
  const [program, ...words] = file.endsWith(".xz") ? ["xz", "-9", "--threads=1"] : ["gzip", "-n", "-9"];
  const packed = `${tar}.${program === "xz" ? "xz" : "gz"}`;
  rmSync(packed, { force: true });
  execFileSync("tar", [...tarOptions(seconds), "-C", dirname(folder), "-cf", tar, basename(folder)], {
    env: environment,
  });
  execFileSync(program, [...words, tar]);
  renameSync(packed, file);
}

/** Packs what `names` name in `folder` as `file`, uncompressed. All files belong to `user`, a number. */
export function tarOf(folder, file, seconds, names, user = 0) {
  execFileSync("tar", [...tarOptions(seconds, user), "-C", folder, "-cf", file, ...names], { env: environment });
}

/** The bytes of a .tar.xz with all that is in `folder`, whose own name is `./`. */
export function archiveContents(folder, seconds) {
  const tar = execFileSync("tar", [...tarOptions(seconds), "-C", folder, "-cf", "-", "."], {
    env: environment,
    maxBuffer: 2 ** 28,
  });
  return execFileSync("xz", ["-9", "--threads=1", "--stdout"], { input: tar, maxBuffer: 2 ** 28 });
}
