/** The page: draws the device whenever it has changed. */

import { arrange, type CardPlan, type Group } from "./arrange.ts";
import { guardedBecause } from "./condition.ts";
import { Detail } from "./detail.tsx";
import { Device } from "./device.ts";
import { DeviceSheet } from "./device-sheet.tsx";
import { render } from "./dom/dom.ts";
import { fill } from "./fill.ts";
import { formOf } from "./form.ts";
import { ago } from "./format.ts";
import { GroupOfTiles } from "./group-of-tiles.tsx";
import { offerHomeScreen } from "./home-screen.ts";
import { token } from "./http-client.ts";
import { Icon } from "./icons.tsx";
import { type Count, filteredBy, switchableOff } from "./lit.ts";
import { closePlace, onPlace, openedPlace, openPlace } from "./place.ts";
import { keepPressed } from "./press.ts";
import { hasPresses } from "./role.ts";
import { learn, say } from "./say.ts";
import { simulatedPrefix } from "./thing.ts";
import { longestWord, Tile } from "./tile.tsx";
import { TokenForm } from "./token-form.tsx";
import { currentOf } from "./value.tsx";

/** ms between two drawings: many changes in a row are drawn together, and the first one at once. */
const drawTime = 200;

/** ms after which the browser learns how the page goes to a home screen: after the first pictures. */
const offerTime = 1_000;

let isDrawn = true;
/** Whether the page has the words of its language. */
let hasWords = false;
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
  if (!isDrawn || !hasWords) return;
  isDrawn = false;
  const rest = drawn + drawTime - performance.now();
  if (rest > 0) setTimeout(() => requestAnimationFrame(draw), rest);
  else requestAnimationFrame(draw);
}

const device = new Device(drawSoon);

/** Whether the columns are no guess any more. */
let isMeasured = false;

/** How many tiles the first picture has at most: few, so that it comes soon. */
const firstTiles = 3;

/** How many tiles the next picture has at most. */
let mostTiles = firstTiles;

/** Whether the last picture has all tiles. */
let isWhole = true;

/** The narrowest tile and the gap between two, in rem. */
const tileWidth = 12.25;
const gap = 0.5;

/** @param room in rem. @returns how many columns of tiles it has room for. */
function columnsIn(room: number): number {
  return Math.max(Math.floor((room + gap) / (tileWidth + gap)), room < 16 ? 1 : 2);
}

/** @returns the width that the window has for tiles, in rem, which the browser must lay out for that. */
function roomOfWindow(): number {
  const { paddingLeft, fontSize } = getComputedStyle(document.body);
  return (document.body.clientWidth - Number.parseFloat(paddingLeft) * 2) / Number.parseFloat(fontSize);
}

/** The narrowest lane of groups, in rem. On a wide screen, groups stand beside each other. */
const laneWidth = 30;

/** The width for tiles, in rem: in the first picture a guess, of which few windows differ, so that it comes sooner. */
let room = 0;

/** The columns of tiles in each lane of groups. */
let columns = 1;
/** The width of one, in rem. */
let columnWidth = 0;

/** The nouns that a person wants to see: those that the line at the top counts so; all by default. */
let wanted: Count | undefined;

/** The place of the device's own sheet. No noun has this name. */
const devicePlace = ".";

/** Whether a column has no room for a word of a title beside the picture and the dots, in a broad font. */
function isLong({ title }: CardPlan): boolean {
  return longestWord(title) > (columnWidth - 4.8) * 1.6;
}

function widthOf(plan: CardPlan): number {
  if (isButton(plan) || plan.colour !== undefined) return 2;
  return Math.max(formOf(plan.views[0]).width, isLong(plan) ? 2 : 1);
}

function guardOf({ views }: CardPlan): string | undefined {
  for (const view of views) view.guarded = guardedBecause(view, device.views);
  return views.find(({ guarded }) => guarded)?.guarded;
}

/** Whether a simulated input is a button whose presses are counted. */
function isButton({ views: [{ noun: input }] }: CardPlan): boolean {
  const name = input.name.replace(simulatedPrefix, "");
  return input.isSimulated && device.views.some(({ noun, keys }) => noun.name === name && hasPresses(keys));
}

/** Shares groups among lanes by what they contain, and not by how high they are, so that each stays where it is. */
function lanesOf(groups: readonly Group[], most: number): readonly (readonly Group[])[] {
  if (most === 1) return [groups];
  const lanes = Array.from({ length: Math.min(most, groups.length) }, () => ({ size: 0, groups: [] as Group[] }));
  for (const group of groups) {
    const [least] = [...lanes].sort((one, other) => one.size - other.size);
    least?.groups.push(group);
    if (least !== undefined)
      least.size += group.cards.reduce((sum, plan) => sum + Math.min(widthOf(plan), columns), columns / 2);
  }
  return lanes.map((lane) => lane.groups);
}

/** @returns the tiles of a group, of which there may be so many. */
function tilesOf({ title, cards }: Group, most: number, columns: number) {
  return (
    <div class="tiles" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {fill(cards.slice(0, Math.max(most, 0)), widthOf, columns).map(({ item: plan, width }) => (
        <Tile
          key={plan.views.map(({ noun }) => noun.name).join()}
          plan={plan}
          version={plan.views.reduce((sum, { version }) => sum + version, 0)}
          guarded={guardOf(plan)}
          current={currentOf(plan.views[0], device.views)}
          isGrouped={title !== ""}
          columns={width}
          isButton={isButton(plan)}
        />
      ))}
    </div>
  );
}

function draw(): void {
  isDrawn = true;
  drawn = performance.now();
  const { status, title, views, refusal, isCurrent, heard, description, news } = device;
  const all = arrange(views);
  const cards = all.flatMap((group) => group.cards);
  const { summary, groups } = filteredBy(all, wanted);
  // Asked at the start, the browser would lay out the page before the first request.
  room ||= innerWidth / 17 - 1.5;
  const most = Math.min(
    Math.max(Math.floor(room / laneWidth), 1),
    Math.max(all.filter(({ isWide }) => !isWide).length, 1),
  );
  const lane = (room - (most - 1)) / most;
  columns = columnsIn(lane);
  columnWidth = lane / columns;
  let left = mostTiles;
  const tiles = (group: Group) => {
    left -= group.cards.length;
    return tilesOf(group, left + group.cards.length, group.isWide ? columnsIn(room) : columns);
  };
  const groupOf = (group: Group) =>
    group.title === "" ? (
      <div key="">{tiles(group)}</div>
    ) : (
      <GroupOfTiles
        key={group.title}
        title={group.title}
        isFolded={group.isFolded}
        isForced={wanted !== undefined}
        lit={switchableOff(group.cards.flatMap((plan) => plan.views))}
      >
        {tiles(group)}
      </GroupOfTiles>
    );
  const place = openedPlace();
  const opened = cards.find((plan) => plan.views.some(({ noun }) => noun.name === place));
  const isLost = status === "lost";
  render(
    <>
      <header class="top">
        <h1 dir="auto">{title}</h1>
        {token.value !== "" && (
          <button type="button" onClick={() => device.useToken("")}>
            {say("tokenForget")}
          </button>
        )}
        <p class={`status ${status}`} role="status">
          {say(status === "token" ? "locked" : status)}
        </p>
        {description !== undefined && status !== "token" && (
          <button
            type="button"
            class="square"
            aria-haspopup="dialog"
            aria-label={say("device")}
            onClick={() => openPlace(devicePlace)}
          >
            <Icon name="chip" />
          </button>
        )}
        {status !== "token" && views.length > 0 && (
          // It is as high with nothing in it, so that no tile moves away from below a finger.
          <div class="summary">
            {summary.every(({ name, found }) => found.length === 0 && name !== wanted) && (
              <span class="sub">{say("quiet")}</span>
            )}
            {summary
              .filter(({ name, found }) => found.length > 0 || name === wanted)
              .map(({ name, text }) => (
                <button
                  key={name}
                  type="button"
                  class={name}
                  aria-pressed={name === wanted}
                  onClick={() => {
                    wanted = name === wanted ? undefined : name;
                    drawSoon();
                  }}
                >
                  {text}
                </button>
              ))}
          </div>
        )}
        {description?.isSimulated && <p class="note">{say("simulatedDevice")}</p>}
        {news !== "" && (
          <p class="note notice" role="status">
            {news}
            <button type="button" onClick={() => location.reload()}>
              {say("reload")}
            </button>
          </p>
        )}
        {!isCurrent && heard > 0 && status !== "token" && (
          <p class="note">{say("statesFrom", ago(performance.now() - heard))}</p>
        )}
      </header>
      <main class={`${status} ${isCurrent ? "" : "old"}`}>
        {status === "token" ? (
          <TokenForm refusal={refusal} onToken={(value, isRemembered) => device.useToken(value, isRemembered)} />
        ) : (
          <fieldset disabled={isLost}>
            <div class={most > 1 ? "lanes" : ""}>
              {lanesOf(
                groups.filter(({ isWide }) => !isWide),
                most,
              ).map((lane, index) => (
                <div class="lane" key={index}>
                  {lane.map(groupOf)}
                </div>
              ))}
            </div>
            {groups.filter(({ isWide }) => isWide).map(groupOf)}
          </fieldset>
        )}
        {status === "live" && views.length === 0 && <p>{say("noNouns")}</p>}
      </main>
      {place === devicePlace && description !== undefined && status !== "token" && (
        <DeviceSheet {...description} onClose={closePlace} />
      )}
      {opened !== undefined && status !== "token" && (
        <Detail
          key={place}
          plan={opened}
          guarded={guardOf(opened)}
          titles={views.map(({ noun }) => noun.title)}
          isLost={isLost}
          onClose={closePlace}
        />
      )}
    </>,
  );
  if (!isMeasured && views.length > 0) {
    isMeasured = true;
    requestAnimationFrame(() => setTimeout(measureWindow));
  }
  isWhole = left >= 0;
  if (isWhole) return;
  mostTiles *= 4;
  // After this picture has been shown. Work in the second frame from now would hold up the first one on a weak phone.
  let frames = mostTiles > firstTiles * 4 ? 2 : 3;
  const next = () => (frames-- > 0 ? requestAnimationFrame(next) : setTimeout(draw));
  next();
}

function measureWindow(): void {
  const now = roomOfWindow();
  if (now === room) return;
  room = now;
  // Another picture comes anyway.
  if (isWhole) drawSoon();
}

addEventListener("resize", measureWindow);
onPlace(drawSoon);
keepPressed();

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
  if (isEach(ageTime)) for (const view of device.views) view.lookAgain();
  for (const view of device.views)
    if (view.isCounting || (isEach(ageTime) && view.hasAge) || isEach(lineTime)) view.changed();
  if (isEach(ageTime) && !device.isCurrent) drawSoon();
}, countTime);
const look = () => device.see(document.hidden);
document.addEventListener("visibilitychange", look);
look();
addEventListener("online", () => device.retryNow());
const learning = learn();
void device.run();
void learning.then(() => {
  hasWords = true;
  // Until then there is nothing to draw but the title.
  if (device.status !== "connecting" || device.description !== undefined) drawSoon();
});
