/** The first version number in a text, such as `2.39.5` in `git version 2.39.5`; null when there is none. */
export function findVersion(text: string): string | null {
  return /\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?/.exec(text)?.[0] ?? null;
}

/** Below zero when `a` is older than `b`. Only the numbers count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (const index of [0, 1, 2]) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): readonly number[] {
  return version.replace(/-.*$/, '').split('.').map(Number);
}
