/** The card of a noun: its title, and a control or a value for each of its keys. */
import { Component } from "preact";
import type { CardPlan } from "./arrange.ts";
import { Colour } from "./colour.tsx";
import { ago } from "./format.ts";
import { More } from "./more.tsx";
import type { NounView } from "./noun-view.ts";
import { Age, Failure, isPressed, Push, Row } from "./row.tsx";
import { texts } from "./texts.ts";
import type { Key } from "./thing.ts";

interface CardProps {
  readonly plan: CardPlan;
  /** Changes with everything visible. */
  readonly version: number;
  /** The id of the card, different from those of all other cards. */
  readonly id: string;
  /** Why its guard keeps the noun at its default; undefined if it does not. */
  readonly guarded: string | undefined;
  /** Whether it is below the title of a group. */
  readonly isGrouped: boolean;
}

interface CardState {
  readonly isOpen: boolean;
}

/** Whether people look at a key only to find a fault, or to set what another control sets for them. */
function isFolded(key: Key, keys: readonly Key[]): boolean {
  return key.isDiagnostic || key.isCounter || keys.some(({ shareOf }) => shareOf === key.name);
}

/** Whether a key has room beside the title of its card. */
function fitsLine({ kind, readOnly, shareOf }: Key): boolean {
  return kind === "switch" || (readOnly ? kind !== "text" : kind === "choice" && shareOf === undefined);
}

function isAge({ kind, readOnly, isTimeDependent }: Key): boolean {
  return kind === "number" && readOnly && isTimeDependent;
}

/** The card of a noun. It is drawn again only if its version has changed. */
export class Card extends Component<CardProps, CardState> {
  override state: CardState = { isOpen: false };

  override shouldComponentUpdate({ plan, version, id, guarded }: CardProps, { isOpen }: CardState): boolean {
    const { props, state } = this;
    return (
      version !== props.version ||
      isOpen !== state.isOpen ||
      id !== props.id ||
      guarded !== props.guarded ||
      plan.title !== props.plan.title ||
      plan.views.some((view, index) => view !== props.plan.views[index])
    );
  }

  render({ plan, id, isGrouped, guarded }: CardProps, { isOpen }: CardState) {
    const { title, views, colour } = plan;
    const [view] = views;
    if (view === undefined) return null;
    const { noun, state, failure } = view;
    const all = views.flatMap((one) => one.keys.map((key) => ({ view: one, key, keys: one.keys })));
    const ages = all.filter(({ key }) => isAge(key));
    const others = all.filter(({ key }) => !isAge(key));
    const main = colour === undefined ? others.filter(({ key, keys }) => !isFolded(key, keys)) : [];
    const folded = others.filter((one) => !main.includes(one) || one.key.shareOf !== undefined);
    const hasMore = folded.length > 0 || views.some((one) => one.noun.isReset);
    const [only] = main;
    const isSingle = main.length === 1 && only !== undefined && fitsLine(only.key);
    const Heading = isGrouped ? "h3" : "h2";
    const row = (of: Key, from: NounView, place: string, isPlain: boolean) => (
      <Row
        key={`${from.noun.name} ${of.name}`}
        view={from}
        of={of}
        id={`${id}-${place}`}
        cardId={id}
        isTitled={of.label === title}
        isPlain={isPlain}
        prefix={views.length > 1 ? `${from.noun.title}: ` : ""}
      />
    );
    return (
      <section class={`card ${isSingle ? "single" : ""}`} aria-labelledby={id}>
        <Heading id={id} dir="auto">
          {title}
        </Heading>
        {noun.description !== undefined && colour === undefined && (
          <p class="description" dir="auto">
            {noun.description}
          </p>
        )}
        {state === null && (
          <p class="absent">
            {texts.absent} {view.taken > 0 && texts.absentSince(ago(performance.now() - view.taken))}
          </p>
        )}
        {views.some(({ isSilent }) => isSilent) && <p class="absent">{texts.noSensor}</p>}
        {guarded !== undefined && (
          <p class="guarded" dir="auto">
            {guarded}
          </p>
        )}
        {!noun.isRead && <p class="absent">{texts.unread}</p>}
        {colour !== undefined && <Colour channels={colour} labelledBy={id} />}
        {main.map(({ view: from, key }, index) => row(key, from, String(index), false))}
        {colour === undefined && !main.some(({ key }) => isPressed(view, key)) && <Push view={view} />}
        {ages.map(({ view: from, key }) => (
          <Age key={key.name} view={from} of={key} />
        ))}
        {hasMore && (
          <button
            type="button"
            class="opener"
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${id}-more` : undefined}
            aria-label={texts.ofNoun(texts.more, title)}
            onClick={() => this.setState({ isOpen: !isOpen })}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M5 12h.01M12 12h.01M19 12h.01" />
            </svg>
          </button>
        )}
        {isOpen && (
          <More id={`${id}-more`} views={views}>
            {folded.map(({ view: from, key }, index) => row(key, from, `more-${index}`, true))}
          </More>
        )}
        <Failure id={id} sentence={failure?.key === "" ? failure.sentence : undefined} />
      </section>
    );
  }
}
