/**
 * A noun for a router's facts: how long it runs, how busy it is, how well it hears its Wi-Fi (proc(5);
 * proc_net_wireless).
 */
import { defineNoun, listFolder, type Noun, readText } from "nound";

/** @returns the number in a column of a file, counted from 0; null if it has no number. */
async function column(path: string, index: number): Promise<number | null> {
  try {
    const value = Number.parseFloat((await readText(path)).split(" ")[index] ?? "");
    return Number.isFinite(value) ? value : null;
  } catch {
    return null;
  }
}

/** @returns the signal of a Wi-Fi interface in dBm, null while it has none. */
async function signal(name: string): Promise<number | null> {
  const text = await readText("/proc/net/wireless").catch(() => "");
  const line = text.split("\n").find((candidate) => candidate.trim().startsWith(`${name}:`));
  // The interface, its status, the quality of the link, the level of the signal.
  const level = Number.parseFloat(line?.trim().split(/ +/)[3] ?? "");
  return Number.isFinite(level) ? level : null;
}

/** @returns how many network interfaces there are, the loopback apart. */
async function interfaces(): Promise<number> {
  const names = await listFolder("/sys/class/net").catch(() => []);
  return names.filter((name) => name !== "lo").length;
}

/** @param wireless the Wi-Fi interface, such as `wlan0`. */
export function router(wireless: string): Noun {
  const measured = { type: "number", readOnly: true, nullable: true } as const;
  return defineNoun({
    shape: {
      uptime: { ...measured, unit: "s" },
      load: { ...measured, description: "Processes that run or wait, on average over one minute." },
      signal: { ...measured, unit: "dBm" },
      interfaces: { type: "integer", readOnly: true },
    },
    get: async () => ({
      uptime: await column("/proc/uptime", 0),
      load: await column("/proc/loadavg", 0),
      signal: await signal(wireless),
      interfaces: await interfaces(),
    }),
  });
}
