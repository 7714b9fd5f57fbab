/**
 * dist/home-assistant: the app of Home Assistant, as a folder. The Supervisor builds its image where it is installed.
 */

import { copyFileSync, cpSync, rmSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** The targets of the processors that Home Assistant OS runs on, with its words for them. */
const architectures = { aarch64: "aarch64", x86_64: "amd64" };

/** Makes it of the binaries in build/<target>. @returns the path. */
export function homeAssistantApp({ dist, targets }) {
  const folder = resolve(dist, "home-assistant");
  rmSync(folder, { recursive: true, force: true });
  cpSync(resolve(root, "packaging/home-assistant"), folder, { recursive: true });
  for (const [target, name] of Object.entries(architectures))
    if (targets.includes(target))
      copyFileSync(resolve(root, "build", target, "nound"), resolve(folder, `nound-${name}`));
  return folder;
}
