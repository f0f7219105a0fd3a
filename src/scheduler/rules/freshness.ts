/** What the tracker said this short a while ago need not be asked again. */
const FRESH_MS = 2_000;

/** False after a jump of the clock in either direction. */
export function isFresh(heardAt: number, now: number): boolean {
  const age = now - heardAt;
  return age >= 0 && age <= FRESH_MS;
}
