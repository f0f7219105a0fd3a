import type { SeedIssue } from '../../contracts/tracker-fixture.ts';
import type { ForgeStore } from './store.ts';

/** Puts the issues into the repository, their state as a label; gives the number of each. */
export function seedIssues(
  store: ForgeStore,
  seed: readonly SeedIssue[],
  labelFor: (state: string) => string,
): (key: string) => number {
  const numbers = new Map<string, number>();
  for (const issue of seed) {
    const priority = issue.priority === undefined ? [] : [`priority: ${issue.priority}`];
    const added = store.add({
      title: issue.title ?? `Issue ${issue.key}`,
      body: issue.description ?? '',
      labels: [labelFor(issue.state), ...priority, ...(issue.labels ?? [])],
    });
    numbers.set(issue.key, added.number);
  }
  const numberOf = (key: string): number => {
    const number = numbers.get(key);
    if (number === undefined) throw new Error(`there is no issue ${key}`);
    return number;
  };
  for (const issue of seed) {
    for (const blocker of issue.blockedBy ?? [])
      store.issue(numberOf(issue.key)).blockedBy.push(numberOf(blocker));
  }
  return numberOf;
}
