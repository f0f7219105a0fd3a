import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { PushRequest, PushResult } from '../../domain/push.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { refusal } from '../push/refusal.ts';
import type { OpenRelay } from '../workspaces.ts';
import { packedRef } from './make-relay.ts';
import { dropRelayFile, type RelayRequest, takeRequests, writeRelayFile } from './relay-files.ts';
import { RELAY } from './relay-hook.ts';

/** How often the relay is looked at when the system tells of no change. */
const LOOK_MS = 1_000;
const BEAT_MS = 5_000;
/** More pushes than this in one run are no work. */
const MAX_PUSHES = 300;

export interface RelayService {
  readonly workTree: string;
  readonly branch: string;
  readonly clock: Clock;
  readonly logger: Logger;
  push(request: PushRequest): Promise<PushResult>;
  /** Where the remote's branch is, as far as the mirror knows. */
  tip(): Promise<string | null>;
}

/** Carries on what an agent pushes with plain git, one push at a time. */
export function serveRelay(service: RelayService): OpenRelay {
  const { workTree, clock, logger } = service;
  let closed = false;
  let pushes = 0;
  let busy: Promise<void> | null = null;
  let again = false;
  let beats = 0;

  const beat = (): Promise<boolean> => {
    beats += 1;
    return writeRelayFile(workTree, ['beat'], `${beats}\n`);
  };

  async function answerAll(): Promise<void> {
    const requests = await takeRequests(workTree);
    if (requests.length === 0) return;
    await beat();
    const cancel = every(clock, BEAT_MS, () => void beat());
    try {
      for (const request of requests) {
        pushes += 1;
        const result =
          pushes > MAX_PUSHES
            ? refusal('too_many_pushes', `This run has pushed ${MAX_PUSHES} times already.`)
            : await carry(service, request);
        await writeRelayFile(workTree, ['answers', request.name], answerText(result));
      }
    } finally {
      cancel();
    }
  }

  function look(): void {
    if (closed) return;
    if (busy !== null) {
      again = true;
      return;
    }
    busy = answerAll()
      .catch((error: unknown) =>
        logger.warn('a pushed branch was not carried on', { error: messageOf(error) }),
      )
      .finally(() => {
        busy = null;
        if (again) {
          again = false;
          look();
        }
      });
  }

  const watcher = watchFolder(join(workTree, '.git', ...RELAY, 'requests'), look);
  const cancelLooking = every(clock, LOOK_MS, look);
  return {
    async close() {
      closed = true;
      cancelLooking();
      watcher?.close();
      while (busy !== null) await busy;
    },
  };
}

async function carry(
  service: RelayService,
  request: RelayRequest | { readonly name: string },
): Promise<PushResult> {
  if (!('ref' in request)) return refusal('invalid_request', 'The request to push could not be read.');
  if (request.ref !== `refs/heads/${service.branch}`)
    return refusal('not_own_branch', `Only ${service.branch} can be pushed, not ${request.ref}.`);
  const result = await service.push({ commit: request.commit, force: request.force });
  if (!result.ok) await showRemote(service);
  return result;
}

/** What the relay says of the remote's branch, so that the next push is compared with what is really there. */
export async function showRemote({ workTree, branch, tip }: RelayService): Promise<void> {
  const now = await tip();
  if (now === null) return;
  await writeRelayFile(workTree, ['packed-refs'], packedRef(branch, now));
  await dropRelayFile(workTree, ['refs', 'heads', ...branch.split('/')]);
}

function answerText(result: PushResult): string {
  const own = result.ok
    ? result.changed
      ? `The worker pushed ${result.branch} to the remote.`
      : `The remote has this commit of ${result.branch} already.`
    : result.message;
  return `${[result.ok ? 'ok' : 'no', ...result.remoteLines, ...own.split('\n')].join('\n')}\n`;
}

/** Null where the system cannot tell; looking now and then has to do. */
function watchFolder(path: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(path, onChange);
    watcher.on('error', () => watcher.close());
    watcher.unref();
    return watcher;
  } catch {
    return null;
  }
}

function every(clock: Clock, ms: number, act: () => void): () => void {
  let cancel = (): void => {};
  const next = (): void => {
    cancel = clock.setTimer(ms, () => {
      next();
      act();
    });
  };
  next();
  return () => cancel();
}
