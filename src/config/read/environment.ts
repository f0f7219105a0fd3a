/** The process environment, or a test's. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to more than white space, or null. */
export function nonBlank(environment: Environment, name: string): string | null {
  const value = environment[name];
  return value === undefined || value.trim() === '' ? null : value;
}
