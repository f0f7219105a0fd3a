/** The process environment, or a test's. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to more than white space, or null. */
export function nonBlank(environment: Environment, name: string): string | null {
  const value = variableIn(environment, name);
  return value === undefined || value.trim() === '' ? null : value;
}

/** The value of a variable that somebody else has named: `constructor` and `__proto__` are names like any other. */
export function variableIn(environment: Environment, name: string): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}
