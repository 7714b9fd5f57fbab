/** Stands for a noun that cannot be made now, because its hardware or its file is missing. The log says why. */
import { HttpError } from "../core/http/http-error.ts";
import type { Noun } from "../core/noun/noun.ts";

const sentence = "The hardware or a file of this noun is missing. The log of the device has the reason.";

function refuse(): never {
  throw HttpError.keeping(503, sentence);
}

/** @returns a noun whose operations are all refused by 503. Its shape is unknown. */
export function absentNoun(): Noun {
  return { getState: refuse, setState: refuse, updateState: refuse, deleteState: refuse };
}
