import { useState } from 'react';
import { ApiError } from '../../../src/contract/client.ts';

/** Where a wish stands; `failed` carries what the worker said. */
export type ActionState =
  | { readonly kind: 'idle' | 'asking' | 'done' }
  | { readonly kind: 'failed'; readonly why: string };

/** Runs one wish at a time and remembers how it went. */
export function useAction(run: () => Promise<unknown>): { state: ActionState; start: () => void } {
  const [state, setState] = useState<ActionState>({ kind: 'idle' });
  const start = (): void => {
    if (state.kind === 'asking') return;
    setState({ kind: 'asking' });
    run().then(
      () => setState({ kind: 'done' }),
      (error: unknown) => setState({ kind: 'failed', why: describe(error) }),
    );
  };
  return { state, start };
}

function describe(error: unknown): string {
  return error instanceof ApiError ? error.message : 'the page could not ask';
}
