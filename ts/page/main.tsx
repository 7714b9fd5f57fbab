/** The page: draws the device whenever it has changed. */
import { render } from "preact";
import { Card } from "./card.tsx";
import { Device, type Status } from "./device.ts";
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

function draw(): void {
  isDrawn = true;
  const { status, title, views, refusal } = device;
  document.title = title;
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
      </header>
      <main class={status}>
        {status === "token" ? (
          <TokenForm refusal={refusal} onToken={(value) => device.useToken(value)} />
        ) : (
          views.map((view, index) => (
            <Card key={view.noun.name} view={view} version={view.version} id={`noun-${index}`} />
          ))
        )}
        {status === "live" && views.length === 0 && <p>{texts.noNouns}</p>}
      </main>
    </>,
    document.body,
  );
}

/** ms between two drawings of an age; and after how many of these the line of a number is drawn again. */
const redrawTime = 1_000;
const redrawsOfAll = 10;
let redraws = 0;

setInterval(() => {
  device.watch();
  redraws += 1;
  if (document.hidden) return;
  for (const view of device.views) if (view.hasAge || redraws % redrawsOfAll === 0) view.changed();
}, redrawTime);
const look = () => device.see(document.hidden);
document.addEventListener("visibilitychange", look);
look();
addEventListener("online", () => device.retryNow());
draw();
void device.run();
