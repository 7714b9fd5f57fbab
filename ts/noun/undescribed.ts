/**
 * A noun whose shape is not known yet, because another device has it and was not reached. What is missing in its
 * description may still be there. A symbol names the property, because an author's noun may have one of any name.
 */
import type { Noun } from "./noun.ts";

export const undescribed = Symbol("undescribed");

export interface UndescribedNoun extends Noun {
  readonly [undescribed]?: boolean;
}

export function isUndescribed(noun: Noun): boolean {
  return (noun as UndescribedNoun)[undescribed] === true;
}
