/** Stands for a folder of /sys that an earlier process had, and whose device is gone. */
import type { AttributeFolder } from "../../native/sysfs.ts";

/** The texts of attributes, by their names. */
export type AttributeTexts = { readonly [attribute: string]: string };

/** @param texts the attributes that decide the shape of a noun. There are no others. */
export function absentFolder(path: string, texts: AttributeTexts): AttributeFolder {
  const refuse = (): never => {
    throw new Error(`${path} is gone`);
  };
  const has = (attribute: string) => Object.hasOwn(texts, attribute);
  return {
    path,
    has,
    read: (attribute) => (has(attribute) ? texts[attribute] : undefined) ?? refuse(),
    write: refuse,
    open: refuse,
  };
}
