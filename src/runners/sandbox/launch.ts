/** A program to be started, with its whole environment. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Removes what was made for this launch; called once when the process has ended. */
  dispose?(): Promise<void>;
}
