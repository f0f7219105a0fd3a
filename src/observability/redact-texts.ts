/** The same plain data with every text in it replaced; objects without texts to change are kept as they are. */
export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  return visit(value, redact) as T;
}

function visit(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => visit(entry, redact));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, visit(entry, redact)]));
}
