/** Where a setting's value came from. */
export interface ProvenanceEntry {
  readonly source: 'default' | 'env' | 'workflow' | 'cli';
  /** The variable it was read from, whether the worker looks for it by itself or the file names it. */
  readonly variable: string | null;
}

/** By dotted key as written, for every key there is. */
export type Provenance = ReadonlyMap<string, ProvenanceEntry>;
