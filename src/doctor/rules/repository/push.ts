import type { RepoConfig } from '../../../config/config.ts';
import { fail, ok, skip } from '../../../domain/verdict.ts';
import { AppError, messageOf } from '../../../errors/app-error.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';
import { mayHeal } from '../../passing.ts';
import { OFFLINE } from '../tracker/tracker.ts';

/** That the remote lets this worker push, asked without sending anything. */
export function pushCheck(
  { cloneUrl, push, credential }: RepoConfig,
  place: { readonly identity: string; readonly offline: boolean },
  { tryPush }: Pick<Effects, 'tryPush'>,
): Check {
  return {
    id: 'push',
    title: 'Push',
    needs: 'repository',
    doctorOnly: true,
    async run(signal) {
      if (place.offline && !place.identity.startsWith('local/')) return skip(OFFLINE);
      if (push === 'agent') return skip('repo.push is agent: the agent pushes with a credential of its own');
      try {
        await tryPush(cloneUrl, signal);
      } catch (error) {
        const hint = error instanceof AppError ? error.hint : null;
        const verdict = fail(messageOf(error), `${fixFor(credential)} ${hint ?? ''}`.trim(), 'repo.token');
        return { ...verdict, heals: mayHeal(error) };
      }
      const isHere = place.identity.startsWith('local/');
      return ok(
        isHere
          ? `${cloneUrl} would take a branch`
          : `${place.identity} would take a branch, with ${sourceOf(credential)}`,
      );
    },
  };
}

function sourceOf(credential: RepoConfig['credential']): string {
  if (credential === null) return "git's own credential helper or ssh key";
  const names = {
    clone_url: "the clone URL's credential",
    'repo.token': 'repo.token',
    tracker: "the tracker's token",
  };
  return names[credential.source];
}

function fixFor(credential: RepoConfig['credential']): string {
  return credential === null
    ? 'Set repo.token: $NAME to a token that may write to the repository.'
    : `Give ${sourceOf(credential)} the right to write to the repository, or set repo.token: $NAME to one that has it.`;
}
