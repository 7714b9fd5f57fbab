/** All of the corpus, by subject. */
import { encoding } from "./encoding.ts";
import type { Entry } from "./entry.ts";
import { keys } from "./keys.ts";
import { numbers } from "./numbers.ts";
import { strings } from "./strings.ts";
import { structure } from "./structure.ts";
import { whiteSpace } from "./white-space.ts";

/** The texts, each with its verdict. */
export const corpus = {
  structure,
  numbers,
  strings,
  keys,
  "white space": whiteSpace,
  encoding,
} as const satisfies { readonly [subject: string]: readonly Entry[] };

/** The name of a part of the corpus. */
export type Subject = keyof typeof corpus;

/** The names of all parts. */
export const subjects = Object.keys(corpus) as Subject[];
