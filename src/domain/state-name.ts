/** Tracker state names compare after trimming and lower-casing. */
export function normaliseState(name: string): string {
  return name.trim().toLowerCase();
}

export function sameState(a: string, b: string): boolean {
  return normaliseState(a) === normaliseState(b);
}

export function includesState(names: readonly string[], name: string): boolean {
  const wanted = normaliseState(name);
  return names.some((candidate) => normaliseState(candidate) === wanted);
}
