import type { PushResult } from '../../domain/push.ts';
import { type PushFailed, pushFailed } from '../../domain/run-event.ts';
import { messageOf } from '../../errors/app-error.ts';
import type { Command } from '../../scheduler/core/commands.ts';
import type { SchedulerEvent } from '../../scheduler/core/events.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';

type PushBranch = Extract<Command, { type: 'push_branch' }>;

/** The pushes that operators asked for, while they are under way. */
export class BranchPushes {
  readonly #workspaces: () => Pick<Workspaces, 'push'>;
  readonly #post: (event: SchedulerEvent) => void;
  readonly #onFailed: (issueId: string, event: PushFailed) => void;
  readonly #pushes = new Map<string, Promise<PushResult>>();
  readonly #stop = new AbortController();

  constructor(
    workspaces: () => Pick<Workspaces, 'push'>,
    post: (event: SchedulerEvent) => void,
    onFailed: (issueId: string, event: PushFailed) => void,
  ) {
    this.#workspaces = workspaces;
    this.#post = post;
    this.#onFailed = onFailed;
  }

  start(command: PushBranch): void {
    this.#pushes.set(command.issueId, this.#push(command));
  }

  underWay(issueId: string): Promise<PushResult> | null {
    return this.#pushes.get(issueId) ?? null;
  }

  stop(): void {
    this.#stop.abort();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#pushes.values());
  }

  /** Bounded by the port; whatever goes wrong is an answer. */
  async #push({ issueId, identifier, commit }: PushBranch): Promise<PushResult> {
    const result = await this.#ask(identifier, commit).catch(failed);
    this.#pushes.delete(issueId);
    if (!result.ok) this.#onFailed(issueId, pushFailed(result));
    this.#post({ type: 'push_ended', issueId, result });
    return result;
  }

  async #ask(identifier: string, commit: string | null): Promise<PushResult> {
    return this.#workspaces().push(identifier, { commit, force: false }, this.#stop.signal);
  }
}

function failed(error: unknown): PushResult {
  return { ok: false, code: 'push_failed', message: messageOf(error), remoteLines: [] };
}
