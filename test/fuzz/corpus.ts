/**
 * The inputs that every run of the fuzzer begins with: a line of corpus.txt each, a string of JSON whose characters are
 * the bytes. One that was a crash once has a name before it; the name of another is its hash, as libFuzzer has it.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const file = "test/fuzz/corpus.txt";

const nameOf = (bytes: Buffer): string => createHash("sha1").update(bytes).digest("hex");

/** Writes the inputs to a folder, as files. */
export function unpackCorpus(folder: string): void {
  for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
    const [, name = "", text = ""] = /^([\w-]*) ?(".*")$/.exec(line) ?? [];
    const bytes = Buffer.from(JSON.parse(text) as string, "latin1");
    writeFileSync(`${folder}/${name === "" ? nameOf(bytes) : name}`, bytes);
  }
}

/** Makes corpus.txt of the files of a folder. */
export function packCorpus(folder: string): void {
  const lines = readdirSync(folder).map((name) => {
    const bytes = readFileSync(`${folder}/${name}`);
    const text = JSON.stringify(bytes.toString("latin1")).replace(
      /[\x7f-\xff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    return name === nameOf(bytes) ? text : `${name} ${text}`;
  });
  writeFileSync(file, `${lines.toSorted().join("\n")}\n`);
}
