/** TypeScript for what is used of an extracted schema: tables by method for each direction, then named types. */
export function typesOfSchema(schema: unknown): string;
