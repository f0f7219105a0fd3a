import type { Fields } from './connection.ts';
import { lifecycleSchema } from './protocol.ts';

/** Follows what becomes of the messages that are sent in the middle of a turn. */
export interface Steering {
  /**
   * False until Claude has told what became of a message. One that tells nothing might take a late message for a turn of
   * its own, so it is sent none.
   */
  canFollow(): boolean;
  /** Waits for the fate of a message: true when Claude has taken it. */
  follow(id: string): Promise<boolean>;
  acceptLifecycle(message: Fields): void;
  /** True while Claude has messages that it will go on with by itself after its present answer. */
  hasMore(): boolean;
  /** Whoever still waits is told no. */
  clear(): void;
}

export function createSteering(): Steering {
  const open = new Map<string, (taken: boolean) => void>();
  let canFollow = false;

  return {
    canFollow: () => canFollow,
    follow: (id) => new Promise((resolve) => void open.set(id, resolve)),
    acceptLifecycle(message) {
      const known = lifecycleSchema.safeParse(message).data;
      if (known === undefined) return;
      canFollow = true;
      const { command_uuid: id, state } = known;
      open.get(id)?.(state !== 'cancelled');
      if (state !== 'queued') open.delete(id);
    },
    hasMore: () => open.size > 0,
    clear() {
      for (const tell of open.values()) tell(false);
      open.clear();
    },
  };
}
