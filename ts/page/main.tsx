/** The page: draws the device whenever it has changed. */
import { render } from "preact";
import { arrange, type Group } from "./arrange.ts";
import { Card } from "./card.tsx";
import { Device, type Status } from "./device.ts";
import { ago } from "./format.ts";
import { GroupOfCards } from "./group-of-cards.tsx";
import { guardedBecause } from "./guard.ts";
import { offerHomeScreen } from "./home-screen.ts";
import { token } from "./http-client.ts";
import { texts } from "./texts.ts";
import { TokenForm } from "./token-form.tsx";

const statusTexts: { readonly [status in Status]: string } = {
  connecting: texts.connecting,
  live: texts.live,
  polling: texts.polling,
  lost: texts.lost,
  token: texts.locked,
};

/** ms between two drawings: many changes in a row are drawn together, and the first one at once. */
const drawTime = 200;

/** ms after which the browser learns how the page goes to a home screen: after the first pictures. */
const offerTime = 1_000;

let isDrawn = true;
/** When it was drawn last, in ms. */
let drawn = -drawTime;

/** The title that the browser has. */
let named: string | undefined;

function drawSoon(): void {
  const { title } = device;
  if (named !== title) {
    document.title = named = title;
    setTimeout(() => offerHomeScreen(title), offerTime);
  }
  if (!isDrawn) return;
  isDrawn = false;
  const rest = drawn + drawTime - performance.now();
  if (rest > 0) setTimeout(() => requestAnimationFrame(draw), rest);
  else requestAnimationFrame(draw);
}

const device = new Device(drawSoon);

/** How many cards the next picture has at most: few in the first one, so that it comes soon. */
let mostCards = 3;

/** @returns the cards of a group, of which there may be so many. */
function cardsOf({ title, cards }: Group, most: number) {
  return cards
    .slice(0, Math.max(most, 0))
    .map((plan) => (
      <Card
        key={plan.views.map(({ noun }) => noun.name).join()}
        plan={plan}
        version={plan.views.reduce((sum, { version }) => sum + version, 0)}
        id={`noun-${plan.views[0]?.noun.name}`}
        guarded={plan.views.map((view) => guardedBecause(view, device.views)).find((text) => text !== undefined)}
        isGrouped={title !== ""}
      />
    ));
}

function draw(): void {
  isDrawn = true;
  drawn = performance.now();
  const { status, title, views, refusal, isCurrent, heard, isSimulated } = device;
  const groups = arrange(views);
  let room = mostCards;
  const cards = (group: Group) => {
    room -= group.cards.length;
    return cardsOf(group, room + group.cards.length);
  };
  render(
    <>
      <header class="top">
        <h1 dir="auto">{title}</h1>
        {token.value !== "" && (
          <button type="button" onClick={() => device.useToken("")}>
            {texts.tokenForget}
          </button>
        )}
        <p class={`status ${status}`} role="status">
          {statusTexts[status]}
        </p>
        {isSimulated && <p class="note">{texts.simulatedDevice}</p>}
        {!isCurrent && heard > 0 && status !== "token" && (
          <p class="note">{texts.statesFrom(ago(performance.now() - heard))}</p>
        )}
      </header>
      <main class={`${status} ${isCurrent ? "" : "old"}`}>
        {status === "token" ? (
          <TokenForm refusal={refusal} onToken={(value) => device.useToken(value)} />
        ) : (
          groups.map((group) =>
            group.title === "" ? (
              <div key="" class="cards">
                {cards(group)}
              </div>
            ) : (
              <GroupOfCards key={group.title} title={group.title} isFolded={group.isFolded}>
                {cards(group)}
              </GroupOfCards>
            ),
          )
        )}
        {status === "live" && views.length === 0 && <p>{texts.noNouns}</p>}
      </main>
    </>,
    document.body,
  );
  if (room >= 0) return;
  mostCards *= 4;
  // After this picture has been shown.
  requestAnimationFrame(() => setTimeout(draw));
}

/** ms between two drawings of what falls back; of an age; and of the line of a number. */
const countTime = 250;
const ageTime = 1_000;
const lineTime = 10_000;
let ticks = 0;

setInterval(() => {
  ticks += 1;
  const isEach = (time: number) => (ticks * countTime) % time === 0;
  if (isEach(ageTime)) device.watch();
  if (document.hidden) return;
  for (const view of device.views)
    if (view.isCounting || (isEach(ageTime) && view.hasAge) || isEach(lineTime)) view.changed();
  if (isEach(ageTime) && !device.isCurrent) drawSoon();
}, countTime);
const look = () => device.see(document.hidden);
document.addEventListener("visibilitychange", look);
look();
addEventListener("online", () => device.retryNow());
void device.run();
