import { MAX_NESTING } from '../domain/nesting.ts';

const TOO_DEEP = '[too deep]';

/**
 * The same plain data with every text in it replaced. Data that is
 * nested deeper than anything from outside may be is cut there, so that no input can exhaust the stack. Never throws for plain data.
 */
export function redactTexts<T>(value: T, redact: (text: string) => string): T {
  return visit(value, redact, 2 * MAX_NESTING) as T;
}

function visit(value: unknown, redact: (text: string) => string, levels: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((entry) => visit(entry, redact, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, visit(entry, redact, levels - 1)]),
  );
}
