/** The way back to the default. It asks first where that moves something. */
import { Ask } from "./ask.tsx";
import type { NounView } from "./noun-view.ts";
import { say } from "./say.ts";

interface ResetProps {
  readonly view: NounView;
  /** Whether no other noun is shown with it. */
  readonly isAlone: boolean;
}

/** @returns what DELETE does to a noun, as far as the page knows. */
function textOf({ noun, settable, keys }: NounView): string {
  const [only] = settable;
  if (keys.some(({ isCounter }) => isCounter) && settable.every(({ isTotal }) => isTotal)) return say("resetCounters");
  return settable.length === 1 && only?.fallsBack?.to === only?.values[0] && noun.isPut && only?.kind === "switch"
    ? say("switchOff")
    : say("reset");
}

export function Reset({ view, isAlone }: ResetProps) {
  const { title, isPut, isPosted } = view.noun;
  const text = textOf(view);
  const spoken = say("ofNoun", text, title);
  const isGeneral = text === say("reset");
  return (
    <Ask
      label={isAlone ? text : spoken}
      spoken={spoken}
      question={(isPut || isPosted) && isGeneral ? say("resetQuestion", title) : ""}
      yes={say("resetNow")}
      onYes={() => view.reset()}
    />
  );
}
