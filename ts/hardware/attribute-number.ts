/** Numbers in sysfs attributes. */
import type { AttributeFolder } from "../native/sysfs.ts";

/** @throws Error when the attribute cannot be read or holds no number. */
export function readNumber(folder: AttributeFolder, attribute: string): number {
  const text = folder.read(attribute).trim();
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) throw new Error(`${folder.path}/${attribute} holds no number`);
  return value;
}
