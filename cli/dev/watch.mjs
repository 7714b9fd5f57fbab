/**
 * Notices changes of the sources within milliseconds. (esbuild's own watch checks each file only every two seconds.)
 */

import { readdirSync, watch } from "node:fs";
import { dirname, join } from "node:path";

/** ms to wait for further changes of a save: some editors write a file in two steps. */
const settling = 20;

/** All folders of a tree. */
function foldersOf(folder) {
  const below = readdirSync(folder, { withFileTypes: true, recursive: true });
  return [
    folder,
    ...below.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  ];
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
    const watcher = watch(folder, (_, name) => this.notice(join(folder, name ?? "")));
    watcher.once("error", () => this.remove(folder));
    this.watchers.set(folder, watcher);
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
