export const TYPES_FILE: string;

/** The types of the schema that is kept, laid out as every other source. */
export function formatTypes(): string;
