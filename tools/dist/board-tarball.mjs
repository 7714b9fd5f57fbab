/** nound-<version>-<target>.tar.gz: the files for a board. */

import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { archive } from "./archive.mjs";
import { filled, writeNotices } from "./notices.mjs";
import { fitPage } from "./packed-pages.mjs";

const root = resolve(import.meta.dirname, "../..");
const pages = ["configuration", "wire-contract", "nouns", "hardware"].map((name) => `docs/${name}.md`);

/** Makes it of the binary in build/<target>. @returns the path. */
export function boardTarball({ target, version, components, seconds, dist, work }) {
  const name = `nound-${version}-${target}`;
  const folder = resolve(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const title = `nound ${version} for ${target}`;
  writeFileSync(
    resolve(folder, "README.txt"),
    filled("README.txt", { version, target, rule: "=".repeat(title.length) }),
  );
  writeNotices(folder, { version, target, components });

  copyFileSync(resolve(root, "build", target, "nound"), resolve(folder, "nound"));
  copyFileSync(resolve(root, "examples/demo/nound.json"), resolve(folder, "nound.json"));
  copyFileSync(resolve(root, "examples/relay-board/nound.json"), resolve(folder, "relay-board.json"));
  cpSync(resolve(root, "packaging/systemd"), resolve(folder, "systemd"), { recursive: true });
  mkdirSync(resolve(folder, "docs"));
  for (const page of pages) copyFileSync(resolve(root, page), resolve(folder, page));
  for (const page of pages) fitPage(folder, page);
  const file = resolve(dist, `${name}.tar.gz`);
  archive(folder, file, seconds);
  return file;
}
