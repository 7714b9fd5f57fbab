/** The page: draws the device whenever it has changed. */
import { render } from "preact";
import { arrange, type Group } from "./arrange.ts";
import { Card } from "./card.tsx";
import { Device, type Status } from "./device.ts";
import { ago } from "./format.ts";
import { GroupOfCards } from "./group.tsx";
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

let isDrawn = true;

/** Draws at most once for each frame of the screen. */
function drawSoon(): void {
  if (isDrawn) requestAnimationFrame(draw);
  isDrawn = false;
}

const device = new Device(drawSoon);

/** The title that the browser has. */
let offered: string | undefined;

function cardsOf({ title, cards }: Group) {
  return cards.map((plan) => (
    <Card
      key={plan.views.map(({ noun }) => noun.name).join()}
      plan={plan}
      version={plan.views.reduce((sum, { version }) => sum + version, 0)}
      id={`noun-${plan.views[0]?.noun.name}`}
      isGrouped={title !== ""}
    />
  ));
}

function draw(): void {
  isDrawn = true;
  const { status, title, views, refusal, isCurrent, heard, isSimulated } = device;
  if (offered !== title) {
    document.title = offered = title;
    offerHomeScreen(title);
  }
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
          arrange(views).map((group) =>
            group.title === "" ? (
              <div key="" class="cards">
                {cardsOf(group)}
              </div>
            ) : (
              <GroupOfCards key={group.title} title={group.title} isFolded={group.isFolded}>
                {cardsOf(group)}
              </GroupOfCards>
            ),
          )
        )}
        {status === "live" && views.length === 0 && <p>{texts.noNouns}</p>}
      </main>
    </>,
    document.body,
  );
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
draw();
void device.run();
