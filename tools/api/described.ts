/** Options that a page of docs/ describes for configurations already, so that the reference does not repeat it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const kinds = {
  ...{ CoverOptions: "cover", CoverTimes: "cover", GpioInputOptions: "gpio-input" },
  ...{ GpioOutputOptions: "gpio-output", InputNounOptions: "input", LedOptions: "led" },
  ...{ MirrorOptions: "mirror", ModbusKey: "modbus", ModbusOptions: "modbus", PwmOptions: "pwm" },
  ...{ SensorKey: "sensor", SensorOptions: "sensor", SwitchOptions: "switch", SysfsOptions: "sysfs" },
  ...{ SystemOptions: "system", ValueOptions: "value" },
};

/** The heading of the section about the options of a type, by its page. */
const headings: Readonly<Record<string, readonly [page: string, heading: string]>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([type, kind]) => [type, ["nouns.md", `\`"kind": "${kind}"\``]])),
  AnyKey: ["writing-nouns.md", "The shape"],
  KeyDescription: ["writing-nouns.md", "The shape"],
  MqttOptions: ["home-assistant.md", "The keys"],
  NounDescription: ["nouns.md", "Titles, descriptions and units"],
  RateOptions: ["nouns.md", "Meters"],
  ServerLimits: ["configuration.md", "`limits`"],
  TlsOptions: ["tls.md", "The keys"],
  TotalOptions: ["nouns.md", "Meters"],
};

/** A configuration has the path of a file with the password; an application has the password. */
const passwordItself = "password";

/** A section of a page that describes options. */
export interface Described {
  /** A link to it. */
  readonly link: string;
  /** Whether one of its tables has a row for this option. */
  describes(option: string): boolean;
}

/** @param root the repository's top. @returns the section about the options of a type, or undefined. */
export function describedOptions(root: string, type: string): Described | undefined {
  const [page, heading] = headings[type] ?? [];
  if (page === undefined || heading === undefined) return undefined;
  const text = readFileSync(join(root, "docs", page), "utf8");
  const section = text.split(/^##+ /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${page} has no section ${heading}`);
  const words = heading.replace(/`"kind": "([\w-]+)"`/, "`$1`");
  const anchor = heading
    .toLowerCase()
    .replace(/[^\w -]/g, "")
    .replaceAll(" ", "-");
  return {
    link: `[${words}](${page}#${anchor})`,
    describes: (option) => option !== passwordItself && new RegExp(`^\\|[^|]*\`${option}\``, "m").test(section),
  };
}
