/** The kinds of nouns that a configuration can name. A new kind is a file in `kinds/` and a line here. */
import { switchKind } from "./kinds/switch.ts";
import { valueKind } from "./kinds/value.ts";
import type { NounBuilder } from "./noun-kind.ts";
import type { Setting } from "./setting.ts";

/** By the name that a noun's `kind` gives. */
export const nounKinds: { readonly [kind: string]: Setting<NounBuilder> } = {
  switch: switchKind,
  value: valueKind,
};
