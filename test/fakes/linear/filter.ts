type Facts = Readonly<Record<string, unknown>>;

/** Whether facts satisfy a filter of Linear's. A comparator or key the fake does not know is an error, not a match. */
export function satisfies(facts: Facts, filter: Facts | null | undefined): boolean {
  return Object.entries(filter ?? {}).every(([key, wanted]) => {
    if (wanted === null || wanted === undefined) return true;
    if (key === 'and') return asList(wanted).every((part) => satisfies(facts, part));
    if (key === 'or') return asList(wanted).some((part) => satisfies(facts, part));
    if (!(key in facts)) throw new Error(`the fake cannot filter by ${key}`);
    const fact = facts[key];
    if (isFacts(fact)) return satisfies(fact, wanted as Facts);
    if (fact === null) return false;
    return compare(fact, wanted as Facts);
  });
}

function compare(fact: unknown, comparator: Facts): boolean {
  return Object.entries(comparator).every(([operator, value]) => {
    switch (operator) {
      case 'eq':
        return fact === value;
      case 'neq':
        return fact !== value;
      case 'in':
        return (value as readonly unknown[]).includes(fact);
      case 'nin':
        return !(value as readonly unknown[]).includes(fact);
      case 'eqIgnoreCase':
        return String(fact).toLowerCase() === String(value).toLowerCase();
      case 'neqIgnoreCase':
        return String(fact).toLowerCase() !== String(value).toLowerCase();
      default:
        throw new Error(`the fake cannot compare with ${operator}`);
    }
  });
}

function asList(value: unknown): readonly Facts[] {
  return (Array.isArray(value) ? value : [value]) as readonly Facts[];
}

function isFacts(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
