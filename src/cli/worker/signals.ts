/** Calls `onFirst` for the first SIGINT or SIGTERM and `onSecond` for the next; the returned function stops listening. */
export function onSignals(onFirst: (signal: NodeJS.Signals) => void, onSecond: () => void): () => void {
  let seen = 0;
  const listener = (signal: NodeJS.Signals): void => {
    seen += 1;
    if (seen === 1) onFirst(signal);
    else onSecond();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}

export interface Signals {
  readonly first: Promise<NodeJS.Signals>;
  /** Stops listening. */
  forget(): void;
}

/** The first SIGINT or SIGTERM as a promise; the second ends the process at once. */
export function listenForSignals(): Signals {
  let forget = (): void => {};
  const first = new Promise<NodeJS.Signals>((resolve) => {
    forget = onSignals(resolve, () => process.exit(130));
  });
  return { first, forget: () => forget() };
}
