/** The order in which nouns with guards are made and closed: a guarded noun before the nouns that its guard names. */

/**
 * @param namedBy gives the names of the nouns that the guard of an entry names.
 * @returns the entries, otherwise in their order.
 */
export function guardOrder<Entry extends readonly [name: string, ...unknown[]]>(
  entries: Iterable<Entry>,
  namedBy: (entry: Entry) => readonly string[],
): readonly Entry[] {
  const all = Array.from(entries);
  const dependents = new Map<string, Entry[]>();
  for (const entry of all) {
    for (const name of namedBy(entry)) {
      const others = dependents.get(name);
      if (others === undefined) dependents.set(name, [entry]);
      else others.push(entry);
    }
  }
  const ordered = new Set<Entry>();
  const entered = new Set<Entry>();
  function add(entry: Entry): void {
    if (entered.has(entry)) return;
    entered.add(entry);
    const others = dependents.get(entry[0]);
    if (others !== undefined) for (const dependent of others) add(dependent);
    ordered.add(entry);
  }
  for (const entry of all) add(entry);
  return Array.from(ordered);
}
