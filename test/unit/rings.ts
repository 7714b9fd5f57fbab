/** @returns the names that are in a ring of `needs`, or lead to one; none where nothing needs itself by others. */
export function ringsOf(needs: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Set(needs.keys());
  const isFree = (name: string): boolean => !Array.from(needs.get(name) ?? []).some((other) => left.has(other));
  // Takes away what needs nothing of what is left, until there is nothing to take: a ring is never taken away.
  for (let free = Array.from(left).filter(isFree); free.length > 0; free = Array.from(left).filter(isFree)) {
    for (const name of free) left.delete(name);
  }
  return Array.from(left);
}
