/** The pictures of the tiles: lines on a ground of 24 by 24, drawn for this page. */

import type { NounView } from "./noun-view.ts";
import { roleOf } from "./role.ts";
import type { Key } from "./thing.ts";

/** By its name, the lines of each picture. Small whole numbers keep the page small. */
export const paths = {
  power: "M12 3v8M7 6a8 8 0 1 0 10 0",
  lamp: "M9 18h6m-5 3h4M9 15a6 6 0 1 1 6 0v1H9z",
  door: "M4 21h16M6 21V3h12v18m-4-9h0",
  window: "M4 4h16v16H4zm8 0v16M4 12h16",
  cover: "M4 4h16M6 4v12h12V4M6 8h12M6 12h12m-6 4v4",
  temperature: "M9 14V5a3 3 0 0 1 6 0v9a5 5 0 1 1-6 0zm3-5v9",
  drop: "M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11z",
  gauge: "M5 19a9 9 0 1 1 14 0m-7-5 4-5",
  bolt: "M13 3 5 14h6l-1 7 8-11h-6z",
  battery: "M3 8h15v8H3zm18 3v2M6 11v2m4-2v2",
  motion: "M12 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 21l2-7-3-2 4-3 4 4m-5 1 3 3v4",
  button: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-6a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  fan: "M12 12c-4-4-3-9 0-9s4 5 0 9c5-1 10 1 8 4s-7 1-8-4c-1 5-6 8-8 5s2-7 8-5z",
  sliders: "M4 7h9m6 0h1M4 17h1m6 0h9M16 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 20a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  chip: "M6 6h12v12H6zm4 4h4v4h-4zM9 3v3m6-3v3M9 18v3m6-3v3M3 9h3m-3 6h3M18 9h3m-3 6h3",
  scene: "M5 4h14v16H5zm5 4v8l5-4z",
  rule: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l4 2",
  send: "M21 3 10 14M21 3l-7 18-4-7-7-4z",
  bell: "M6 17v-6a6 6 0 0 1 12 0v6l1 1H5zm4 4h4M12 3v2",
  lock: "M5 11h14v10H5zm3 0V8a4 4 0 0 1 8 0v3",
  alert: "M12 4 2 20h20zm0 6v4m0 3h0",
  plug: "M9 3v5m6-5v5M6 8h12v3a6 6 0 0 1-12 0zm6 9v4",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0-14v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12 1 1M5 19l1-1M18 6l1-1",
  text: "M5 4h14v16H5zm4 5h6m-6 4h4",
  flame: "M12 21a6 6 0 0 0 6-6c0-5-4-6-4-11-3 2-4 4-4 6-1 0-1-1-1-2-2 2-3 4-3 7a6 6 0 0 0 6 6z",
  dots: "M12 5h0m0 7h0m0 7h0",
  cross: "M6 6l12 12M18 6 6 18",
  up: "M5 15l7-7 7 7",
  stop: "M7 7h10v10H7z",
  down: "M5 9l7 7 7-7",
} as const;

export type IconName = keyof typeof paths;

/** Texts, and the picture of each. */
type Pictures = readonly (readonly [Pick<RegExp, "test">, IconName])[];

/** Device classes that are not called like a picture. */
const byClass: Pictures = [
  [/^(?:garage_door|garage|gate|opening)$/, "door"],
  [/^(?:awning|blind|curtain|shade|shutter)$/, "cover"],
  [/^(?:heat|cold|temperature_delta)$/, "temperature"],
  [/^(?:humidity|moisture|water|precipitation)$/, "drop"],
  [/^(?:pressure|atmospheric_pressure|speed|wind_speed)$/, "gauge"],
  [/^(?:energy|current|voltage)$/, "bolt"],
  [/^(?:occupancy|presence|moving|vibration)$/, "motion"],
  [/^(?:problem|safety|smoke|gas|carbon_monoxide|tamper)$/, "alert"],
  [/^(?:outlet|connectivity)$/, "plug"],
  [/^(?:illuminance|light)$/, "sun"],
  [/^(?:doorbell|sound)$/, "bell"],
];

/** Units of measurements, and words that people call things by. */
const byUnit: Pictures = [
  [/Cel|degF|^K$/, "temperature"],
  [/^[mk]?(?:V|A|W|Wh)$/, "bolt"],
  [/Pa$|bar$/, "gauge"],
  [/^lx$/, "sun"],
];

/**
 * @param whole words of English, French and Spanish.
 * @param ends of German words, which are often compounds.
 * @param signs of Chinese, which puts nothing between words.
 */
function words(whole: string, ends: string, signs: string): Pick<RegExp, "test"> {
  // Made when it is asked for: few pages need all of them, and each takes a weak phone a millisecond.
  let made: RegExp | undefined;
  return {
    test(text) {
      made ??= RegExp(`(?:(?<!\\p{L})(?:${whole})|(?:${ends}))(?:e?[nrs])?(?!\\p{L})|${signs}`, "iu");
      return made.test(text);
    },
  };
}

// cspell:disable
const byName: Pictures = [
  [words("light|lamp|led|lampe|lumière|éclairage|lámpara|luz|luce", "licht|lampe|leuchte|strahler", "灯"), "lamp"],
  [words("socket|outlet|plug|prise|enchufe", "dose|stecker", "插座"), "plug"],
  [words("bell|doorbell|buzzer|siren|sonnette|timbre|sirène|sirena", "klingel|glocke|sirene|gong", "铃"), "bell"],
  [words("door|gate|garage|porte|portail|puerta|portón", "tür|tor|garage|türöffner", "门"), "door"],
  [words("window|fenêtre|ventana", "fenster", "窗"), "window"],
  [words("shutter|blind|awning|curtain|volet|store|persiana|toldo", "laden|jalousie|markise|vorhang", "帘"), "cover"],
  [
    words("fan|hood|ventilation|ventilateur|hotte|ventilador|extractor", "lüfter|ventilator|lüftung|abzug", "风扇"),
    "fan",
  ],
  [words("pump|water|valve|pompe|eau|vanne|bomba|agua|válvula", "pumpe|wasser|ventil", "水|泵"), "drop"],
  [
    words(
      "heat|heater|heating|boiler|chauffage|chaudière|calefacción|caldera",
      "heizung|heizer|boiler|ofen",
      "暖|锅炉",
    ),
    "flame",
  ],
  [words("battery|batterie|backup|batería", "batterie|akku", "电池"), "battery"],
  [words("electricity|power|électricité|electricidad", "strom", "电"), "bolt"],
  [words("system|processor|cpu|système|sistema", "system|prozessor", "系统"), "chip"],
];

// cspell:enable

function match(list: Pictures, text: string): IconName | undefined {
  return list.find(([words]) => words.test(text))?.[1];
}

/** @returns the picture that a noun is called by, if nobody has chosen one. */
export function calledBy({ title, name }: { readonly title: string; readonly name: string }): IconName | undefined {
  return match(byName, title) ?? match(byName, name);
}

/** @returns the picture of a noun: by its role, its device class, its unit, its name, and what a person can do. */
export function iconOf({ noun, keys }: NounView, key: Key | undefined): IconName {
  if (noun.icon !== undefined && Object.hasOwn(paths, noun.icon)) return noun.icon as IconName;
  if (noun.climate !== undefined) return "temperature";
  if (keys.some(({ colour }) => colour !== undefined)) return "lamp";
  const role = roleOf(keys);
  if (role !== undefined) return role === "schedule" ? "rule" : role;
  const { deviceClass = "", unit = "", kind, readOnly: isOnlyRead, isTotal } = key ?? {};
  // What a meter shows can be set, and seldom is.
  const readOnly = isOnlyRead || isTotal;
  const icon = deviceClass && (match(byClass, deviceClass) ?? deviceClass);
  if (Object.hasOwn(paths, icon)) return icon as IconName;
  const measured = readOnly ? match(byUnit, unit) : undefined;
  const told = measured === "temperature" ? measured : (calledBy(noun) ?? measured);
  if (told !== undefined) return told;
  if (kind === "text") return "text";
  if (kind === "switch") return readOnly ? "button" : "power";
  return readOnly ? "gauge" : kind === undefined ? "send" : "sliders";
}
