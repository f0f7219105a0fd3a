import { EXIT } from '../errors/exit-codes.ts';

/** Asked to end by a person, a service manager, or the terminal that went away. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `onFirst` for the first SIGINT, SIGTERM or SIGHUP and `onNext` for each after it; the returned function stops listening. */
export function onSignals(
  onFirst: (signal: NodeJS.Signals) => void,
  onNext: (signal: NodeJS.Signals) => void,
): () => void {
  let seen = 0;
  const listener = (signal: NodeJS.Signals): void => {
    seen += 1;
    if (seen === 1) onFirst(signal);
    else onNext(signal);
  };
  for (const signal of ENDING) process.on(signal, listener);
  return () => {
    for (const signal of ENDING) process.off(signal, listener);
  };
}

export interface Signals {
  readonly first: Promise<NodeJS.Signals>;
  /** As if the signal had come: a key that means the same. */
  raise(signal: NodeJS.Signals): void;
  /** Stops listening. */
  forget(): void;
}

/**
 * The first such signal as a promise. The second ends the process, once `endChildren` has ended what the worker started; the
 * third at once.
 */
export function listenForSignals(endChildren: () => Promise<unknown>): Signals {
  let heard = 0;
  let resolveFirst: (signal: NodeJS.Signals) => void = () => {};
  const leave = (): void => process.exit(EXIT.interrupted);
  const first = new Promise<NodeJS.Signals>((resolve) => {
    resolveFirst = resolve;
  });
  const raise = (signal: NodeJS.Signals): void => {
    heard += 1;
    if (heard === 1) resolveFirst(signal);
    else if (heard === 2) endChildren().then(leave, leave);
    else leave();
  };
  return { first, raise, forget: onSignals(raise, raise) };
}
