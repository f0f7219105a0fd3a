import { join } from 'node:path';
import { RESERVED_NAME } from './workspace-key.ts';

/** Where the worker keeps its own files under a workspace root, out of the agents' reach. */
export interface Layout {
  readonly root: string;
  /** One ownership record per workspace, named by the lower-cased key. */
  readonly owners: string;
  /** What is known of the remote's branch of each workspace, named likewise. */
  readonly branches: string;
  readonly locks: string;
  /** Checkouts in the making; nothing in it is worth keeping. */
  readonly staging: string;
  /** Workspaces on their way out, their work already saved. */
  readonly trash: string;
  readonly rescue: string;
}

export function layoutOf(root: string): Layout {
  const own = join(root, RESERVED_NAME);
  return {
    root,
    owners: join(own, 'owners'),
    branches: join(own, 'branches'),
    locks: join(own, 'locks'),
    staging: join(own, 'staging'),
    trash: join(own, 'trash'),
    rescue: join(own, 'rescue'),
  };
}
