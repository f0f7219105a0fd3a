/** The part of a generated schema that matters here, with every definition it needs, sorted and without prose. */
export function extractSchema(bundle: unknown, version: string): unknown;
