/** The tile of a noun: its picture, its name, its value, and what a person can do with it. */

import type { CardPlan } from "./arrange.ts";
import { CoverButtons, PressButtons } from "./buttons.tsx";
import { LightControls } from "./colour.tsx";
import { type Condition, conditionOf } from "./condition.ts";
import { Switch } from "./controls.tsx";
import { Component } from "./dom/component.ts";
import { type Form, type FormName, formOf, headOf } from "./form.ts";
import { Icon } from "./icons.tsx";
import { isOn, pictureOf } from "./lit.ts";
import type { NounView } from "./noun-view.ts";
import type { IconName } from "./pictures.ts";
import { openPlace } from "./place.ts";
import { Range, Sparkline } from "./plot.tsx";
import { hasPresses, roleOf } from "./role.ts";
import { Confirm, controlOf, Failure, Push, Row } from "./row.tsx";
import { say, translated } from "./say.ts";
import { isShort, type Key } from "./thing.ts";
import {
  Age,
  coverText,
  labelBeside,
  pressText,
  Rest,
  ruleText,
  scheduleText,
  sentText,
  Today,
  textOfValue,
  unknownText,
  Value,
} from "./value.tsx";

interface TileProps {
  readonly plan: CardPlan;
  /** Changes with everything visible. */
  readonly version: number;
  /** Why its guard keeps the noun at its default; undefined if it does not. */
  readonly guarded: string | undefined;
  /** The temperature that is, of a thermostat whose sensor is another noun. */
  readonly current: string | undefined;
  /** Whether it is below the title of a group. */
  readonly isGrouped: boolean;
  /** The columns that it takes. */
  readonly columns: number;
  /** Whether the button of this simulated input counts presses. */
  readonly isButton: boolean;
}

/** The pictures of what keeps a noun from being as it should be. */
const conditionIcons: { readonly [name in Condition["name"]]?: IconName } = {
  failing: "alert",
  absent: "plug",
  guarded: "lock",
  unread: "lock",
};

/** @returns the letters of the longest word of a title. */
export function longestWord(title: string): number {
  return Math.max(...title.split(/[\s-]/).map(({ length }) => length));
}

/** Says what a press does. The button itself is the whole tile. */
function Action({ text }: { text: string | undefined }) {
  return (
    <span class="action" aria-hidden={true}>
      {text}
    </span>
  );
}

function actionOf({ noun }: NounView): string {
  return translated(noun.action ?? "");
}

/** The words below the name. */
function Words({ view, form, condition }: { view: NounView; form: Form; condition: Condition | undefined }) {
  const { main, ages, name } = form;
  const [key] = main;
  if (name === "rule")
    return (
      <p class="state" dir="auto">
        {ruleText(view)}
      </p>
    );
  const role = roleOf(view.keys);
  const isButton = key !== undefined && name === "reading" && hasPresses(view.keys);
  const said =
    role === "cover"
      ? coverText(view)
      : role === "send"
        ? sentText(view)
        : role === "schedule"
          ? scheduleText(view)
          : role === "scene"
            ? ruleText(view)
            : isButton
              ? pressText(view, key, pictureOf(view) === "bell")
              : undefined;
  const bad = condition?.name === "guarded" ? undefined : condition?.word;
  const text = bad ?? said;
  const isGate = name === "toggle" && view.noun.isConfirmed && key?.deviceClass === "opening";
  const turn = isGate ? say(view.valueOf(key) === key.values[1] ? "close" : "open") : undefined;
  const action = (name === "press" || isGate) && <Action text={turn ?? actionOf(view)} />;
  const lasting = key && view.state === null ? textOfValue(view, key, view.lastValue(key)) : undefined;
  const isPlainSwitch = name === "toggle" && key !== undefined;
  const word = isPlainSwitch ? textOfValue(view, key, view.valueOf(key)) : undefined;
  const label = key && name === "reading" ? labelBeside(view, key, main) : "";
  return (
    <>
      {text !== undefined ? (
        <p class={bad === undefined ? "state" : "state word"}>
          {text} {action}
        </p>
      ) : (
        key !== undefined &&
        ["toggle", "press", "reading"].includes(name) && (
          // A switch itself tells a screen reader that it is on or off; a button does not, and other words are its own.
          <p
            class="state"
            aria-hidden={
              isPlainSwitch &&
              say("offOn")
                .split("|")
                .includes(word ?? "")
                ? true
                : undefined
            }
          >
            {label !== "" && (
              <span class="label" dir="auto">
                {say("ofNoun", label, "")}
              </span>
            )}
            <Value view={view} of={key} value={view.valueOf(key)} /> {action}
            {key.isMeasured && <Range history={view.history(key.name)} />}
          </p>
        )
      )}
      {condition !== undefined && condition.because !== "" && (
        <p class="sub because" dir="auto">
          {lasting !== undefined && <span class="value">{`${lasting}. `}</span>}
          {condition.because}
        </p>
      )}
      {condition === undefined && main.map((one) => <Rest key={one.name} view={view} of={one} />)}
      {condition === undefined &&
        name === "meter" &&
        main.filter(({ isTotal }) => isTotal).map((of) => <Today key={of.name} view={view} of={of} />)}
      {condition === undefined &&
        role !== "scene" &&
        name !== "meter" &&
        !(isButton && said !== undefined) &&
        ages.map((age) => <Age key={age.name} view={view} of={age} />)}
    </>
  );
}

/** Values side by side, each with its label below. */
function Readings({ view, main }: { view: NounView; main: readonly Key[] }) {
  return (
    <dl class="values">
      {main.map((key) => (
        <div key={key.name}>
          <dt dir="auto" class={labelBeside(view, key, main) === "" ? "unseen" : ""} title={key.description}>
            {key.label}
          </dt>
          <dd>
            <Value view={view} of={key} value={view.state === null ? view.lastValue(key) : view.valueOf(key)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The tile of a noun. It is drawn again only if its version has changed. */
export class Tile extends Component<TileProps> {
  override shouldComponentUpdate({ plan, version, guarded, current, columns }: TileProps): boolean {
    const { props } = this;
    return (
      version !== props.version ||
      guarded !== props.guarded ||
      current !== props.current ||
      columns !== props.columns ||
      plan.title !== props.plan.title ||
      plan.views.some((view, index) => view !== props.plan.views[index])
    );
  }

  render({ plan, isGrouped, guarded, current, columns, isButton }: TileProps) {
    const { title, views, colour } = plan;
    const [view] = views;
    const id = `noun-${view.noun.name}`;
    const form = formOf(view);
    const { name, main } = form;
    const [key] = main;
    const condition = conditionOf(view, guarded);
    const Heading = isGrouped ? "h3" : "h2";
    const isLit = views.some(isOn) && (condition === undefined || condition.name === "pending");
    const icon = pictureOf(view);
    const special = condition && conditionIcons[condition.name];
    const hasRows = name === "controls";
    const others = colour === undefined ? main : main.filter((of) => !colour.some((channel) => channel.key === of));
    const isMeter = name === "meter";
    const isReading = name === "reading" || name === "readings" || isMeter;
    const plotted = isMeter ? main.find(({ isMeasured }) => isMeasured) : name === "reading" ? key : undefined;
    const measured = plotted?.isMeasured && view.state !== null ? plotted : undefined;
    const keyOf = (form: FormName, of: string) =>
      name === form ? view.keys.find((one) => one.name === of) : undefined;
    const enabled = keyOf("rule", "enabled");
    // A slider for a place that nobody knows would stand in the middle.
    const places = ["position", "tilt"].flatMap((part) => {
      const of = keyOf("cover", part);
      if (of === undefined || typeof view.valueOf(of) !== "number") return [];
      return [part === "tilt" && !of.isTitled ? { ...of, label: say("slats") } : of];
    });
    const spoken = view.noun.isSimulated ? say("ofNoun", say("simulatedOne"), title) : title;
    const head = headOf(others, colour !== undefined);
    const row = (of: Key) => (
      <Row
        key={of.name}
        view={view}
        of={of}
        id={`${id}-${of.name}`}
        titleId={id}
        isBare={of === head || (name === "cover" ? of.name === "position" : labelBeside(view, of, main) === "")}
        isHead={of === head}
        colour={colour}
      />
    );
    const isPaired = hasRows && head !== undefined && isShort(head);
    const isHeaded = hasRows && !isPaired && (head !== undefined || colour !== undefined);
    const marks = [isLit && "on", condition?.name, icon === "lamp" && "warm", measured && "measured"];
    const classes = ["tile", name, ...marks, isPaired ? "paired" : isHeaded && "headed"];
    return (
      <section
        class={classes.filter((one) => one).join(" ")}
        aria-labelledby={id}
        style={{ gridColumn: `span ${columns}` }}
      >
        <span class="ground">
          <Icon name={special !== undefined && condition?.name !== "guarded" ? special : icon} />
          {condition?.name === "guarded" && <Icon name="lock" />}
        </span>
        <div class={`words ${name === "cover" || name === "rule" || isHeaded ? "" : "dotted"}`}>
          <Heading id={id} dir="auto" class={columns === 1 && longestWord(title) > 8 ? "tight" : ""}>
            {spoken !== title && <span class="unseen">{say("ofNoun", say("simulatedOne"), "")}</span>}
            {title}
          </Heading>
          {(name === "readings" || isMeter) && !["failing", "absent"].includes(condition?.name ?? "") && (
            <Readings view={view} main={main} />
          )}
          {view.noun.isSimulated && view.noun.group !== "" && (
            <p class="sub" dir="auto">
              {view.noun.group}
            </p>
          )}
          {current !== undefined && (
            <p class="state" dir="auto">
              {current}
            </p>
          )}
          {colour === undefined && <Words view={view} form={form} condition={condition} />}
        </div>
        {hasRows && head !== undefined && row(head)}
        {colour !== undefined && <LightControls channels={colour} others={others} labelledBy={id} isOnTile={true} />}
        {hasRows && <div class="rows">{others.filter((of) => of !== head).map(row)}</div>}
        {isButton && key !== undefined && <PressButtons view={view} of={key} />}
        {name === "cover" && <CoverButtons view={view} />}
        {places.map(row)}
        {name === "cover" && condition === undefined && <p class="sub once">{unknownText(view)}</p>}
        {name === "toggle" && key !== undefined && <Switch {...controlOf(view, key, id, id)} isWhole={true} />}
        {enabled !== undefined &&
          (enabled.readOnly ? null : <Switch {...controlOf(view, enabled, id, id)} isWhole={false} />)}
        {name === "press" && <Push view={view} name="hit" />}
        {name === "press" && key === undefined && roleOf(view.keys) === undefined && <Action text={actionOf(view)} />}
        <Confirm view={view} />
        {measured !== undefined && <Sparkline history={view.history(measured.name)} of={measured} />}
        <button
          type="button"
          class={isReading ? "hit more" : "more"}
          aria-haspopup="dialog"
          aria-label={say("ofNoun", say("more"), spoken)}
          onClick={() => openPlace(view.noun.name)}
        >
          <Icon name="dots" />
        </button>
        {key !== undefined && !hasRows && !key.readOnly && <Failure view={view} of={key} id={id} />}
        <Failure view={view} of={undefined} id={`${id}-whole`} />
      </section>
    );
  }
}
