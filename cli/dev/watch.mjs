/**
 * Notices changes of the sources within milliseconds. (esbuild's own watch checks each file only every two seconds.)
 */

import { readdirSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

/** ms to wait for further changes of a save: some editors write a file in two steps. */
const settling = 20;

/** All folders of a tree. One that is removed meanwhile is left out, with those below it. */
function foldersOf(folder) {
  try {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...folders.flatMap(({ name }) => foldersOf(join(folder, name)))];
  } catch {
    return [];
  }
}

export class SourceWatch {
  /**
   * @param {string} tree a folder that is watched with all its folders.
   * @param {(path: string) => void} onChange is called with one of the changed files.
   */
  constructor(tree, onChange) {
    this.tree = tree;
    this.onChange = onChange;
    this.watchers = new Map();
    this.update([]);
  }

  /** Also watches the files of a bundle, and new folders of the tree. @param {readonly string[]} files. */
  update(files) {
    for (const folder of new Set([...foldersOf(this.tree), ...files.map((file) => dirname(file))])) this.add(folder);
  }

  close() {
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  add(folder) {
    if (this.watchers.has(folder)) return;
    const watcher = this.watch(folder);
    if (watcher === undefined) return;
    watcher.once("error", () => this.remove(folder));
    this.watchers.set(folder, watcher);
  }

  /**
   * @returns {import("node:fs").FSWatcher | undefined} undefined if there is no such folder any more, which its own
   * folder tells.
   */
  watch(folder) {
    try {
      return watch(folder, (_, name) => {
        // The kernel reports by this name that the folder itself is gone. Another folder of the name needs a new watch.
        if (name === basename(folder)) this.remove(folder);
        this.notice(join(folder, name ?? ""));
      });
    } catch {
      return undefined;
    }
  }

  remove(folder) {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }

  notice(path) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onChange(path), settling);
  }
}
