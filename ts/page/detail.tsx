/** All of one noun: its keys, its last day and its last changes. */

import type { CardPlan } from "./arrange.ts";
import { TimerButtons } from "./buttons.tsx";
import { LightControls } from "./colour.tsx";
import { conditionOf } from "./condition.ts";
import { formOf, headOf } from "./form.ts";
import { LastChanges } from "./last-changes.tsx";
import { isPressed, type NounView } from "./noun-view.ts";
import { Plot, SaveDay } from "./plot.tsx";
import { Reset } from "./reset.tsx";
import { roleOf } from "./role.ts";
import { Confirm, Failure, Push, Row } from "./row.tsx";
import { translatedSentence } from "./sentence.ts";
import { Sheet } from "./sheet.tsx";
import type { Key } from "./thing.ts";
import { Age, labelBeside, Today } from "./value.tsx";

interface DetailProps {
  readonly plan: CardPlan;
  readonly guarded: string | undefined;
  /** The titles of all nouns, as sentences of rules have them. */
  readonly titles: readonly string[];
  /** Whether the states are old, so that nothing can be sent. */
  readonly isLost: boolean;
  readonly onClose: () => void;
}

/** Whether the noun's title says all that the key's label does. */
function isClear(view: NounView, key: Key): boolean {
  const { main } = formOf(view);
  return main.length === 1 && main[0] === key && labelBeside(view, key, main) === "";
}

export function Detail({ plan: { title, views, colour }, guarded, titles, isLost, onClose }: DetailProps) {
  const [view] = views;
  const { ages, name, main } = formOf(view);
  const role = roleOf(view.keys);
  // What switches a rule or a schedule off comes first.
  const isFirst = ({ key }: { readonly key: Key }) => (role !== undefined && key.name === "enabled" ? 0 : 1);
  const all = views
    .flatMap((from) => from.keys.map((key) => ({ from, key })))
    .sort((one, other) => isFirst(one) - isFirst(other));
  const condition = conditionOf(view, guarded);
  const { description } = view.noun;
  const others = main.filter((key) => colour?.every((channel) => channel.key !== key));
  // What is one lamp has one switch, also where each of its channels has its own.
  const head = headOf(others, colour !== undefined);
  return (
    <Sheet title={title} onClose={onClose}>
      {description !== undefined && colour === undefined && (
        <p class="sub" dir="auto">
          {role === undefined ? description : translatedSentence(description, titles)}
        </p>
      )}
      {condition !== undefined && (
        <p class={`notice ${condition.name}`} dir="auto">
          {!condition.because.startsWith(condition.word) && <b>{condition.word} </b>}
          {condition.because}
        </p>
      )}
      <fieldset disabled={isLost}>
        {head !== undefined && (
          <Row view={view} of={head} id="detail-head" titleId="detail" isBare={false} colour={colour} />
        )}
        {colour !== undefined && (
          <LightControls channels={colour} others={others} labelledBy="detail" isOnTile={false} />
        )}
        {all
          .filter(
            ({ from, key }) =>
              (key.name !== head?.name || views.length > 1) &&
              !ages.includes(key) &&
              !(key.readOnly && from.lastValue(key) === undefined),
          )
          .map(({ from, key }, index) => (
            <div key={`${from.noun.name} ${key.name}`}>
              <Row
                view={from}
                of={key}
                id={`detail-${index}`}
                titleId="detail"
                isBare={isClear(from, key)}
                prefix={views.length > 1 ? `${from.noun.title}: ` : ""}
              />
              {key.isTotal && <Today view={from} of={key} />}
              {key.isMeasured && !key.isDiagnostic && <Plot view={from} of={key} />}
            </div>
          ))}
        <TimerButtons view={view} />
        {ages.map((age) => (
          <Age key={age.name} view={view} of={age} />
        ))}
        {colour === undefined && name !== "cover" && !view.keys.some((key) => isPressed(view, key)) && (
          // Who opens a rule wants to read it or to switch it off, and seldom to run it.
          <Push view={view} name={role === "rule" || role === "schedule" ? "aside" : "push"} />
        )}
        {views.map((one) => one.noun.isReset && <Reset key={one.noun.name} view={one} isAlone={views.length === 1} />)}
        <Confirm view={view} />
        <Failure view={view} of={undefined} id="detail-whole" />
      </fieldset>
      {view.noun.isRead && all.some(({ key }) => key.isMeasured || key.isTotal) && <SaveDay view={view} />}
      <LastChanges view={view} isLost={isLost} />
    </Sheet>
  );
}
