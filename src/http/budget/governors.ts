import { createHash } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { createGovernor, type Governor } from './governor.ts';

/** Governors by token, so that a reloaded workflow goes on with what it has left. */
export interface Governors {
  of(endpoint: string, token: string): Governor;
}

export function createGovernors(options: { readonly clock: Clock }): Governors {
  const governors = new Map<string, Governor>();
  return {
    of(endpoint, token) {
      const key = createHash('sha256')
        .update(JSON.stringify([endpoint, token]))
        .digest('hex');
      const existing = governors.get(key);
      if (existing !== undefined) return existing;
      const governor = createGovernor(options);
      governors.set(key, governor);
      return governor;
    },
  };
}
