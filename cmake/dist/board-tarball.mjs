/** nound-<version>-<target>.tar.gz: what is put on a board. */

import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { archive } from "./archive.mjs";

const root = resolve(import.meta.dirname, "../..");

/** A text of this folder with its @names@ replaced. */
function filled(name, values) {
  return readFileSync(resolve(import.meta.dirname, name), "utf8").replace(/@(\w+)@/g, (_, key) => values[key]);
}

/** Makes it of the binary in build/<target>. @returns the path. */
export function boardTarball({ target, version, components, seconds, dist, work }) {
  const name = `nound-${version}-${target}`;
  const folder = resolve(work, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(resolve(folder, "licences"), { recursive: true });

  const versionOf = (component) => components.find(({ name }) => name === component).version;
  const title = `nound ${version} for ${target}`;
  const values = {
    version,
    target,
    rule: "=".repeat(title.length),
    libgpiod: versionOf("libgpiod"),
    zig: versionOf("zig"),
  };
  for (const text of ["README.txt", "RELINKING.txt"]) writeFileSync(resolve(folder, text), filled(text, values));

  copyFileSync(resolve(root, "build", target, "nound"), resolve(folder, "nound"));
  copyFileSync(resolve(root, "examples/demo/nound.json"), resolve(folder, "nound.json"));
  copyFileSync(resolve(root, "examples/relay-board/nound.json"), resolve(folder, "relay-board.json"));
  cpSync(resolve(root, "packaging/systemd"), resolve(folder, "systemd"), { recursive: true });
  mkdirSync(resolve(folder, "docs"));
  for (const page of ["configuration.md", "wire-contract.md", "nouns.md", "hardware.md"])
    copyFileSync(resolve(root, "docs", page), resolve(folder, "docs", page));

  copyFileSync(resolve(root, "LICENSE"), resolve(folder, "licences/nound.txt"));
  for (const { name, what, version, license, address, notice } of components)
    writeFileSync(
      resolve(folder, `licences/${name}.txt`),
      `${name} (${version}), ${what}\n${address}\nSPDX-License-Identifier: ${license}\n\n${notice}`,
    );
  const file = resolve(dist, `${name}.tar.gz`);
  archive(folder, file, seconds);
  return file;
}
