import { z } from 'zod';
import { quote } from '../read/problem.ts';
import { variableName } from '../resolve/context.ts';
import { Secret } from '../resolve/secret.ts';
import { block, elsewhere, filledText, optional, type Place, text, withDefault } from './key.ts';

export const repoBlock = block(
  {
    clone_url: elsewhere(
      optional(
        text,
        'What git clones: an https, ssh or scp-style address, or a path. Required once there is a `repo` block. ' +
          '`$VAR` allowed. A path that starts with `./`, `../` or `~/` is relative to the workflow file or the home directory.',
        { defaultText: 'none' },
      ),
    ),
    owner: elsewhere(
      optional(
        text,
        'Owner of the repository on its host. GitHub and Gitea trackers read issues from `owner/name`.',
        { defaultText: 'taken from `clone_url`' },
      ),
    ),
    name: elsewhere(
      optional(text, 'Name of the repository on its host.', { defaultText: 'taken from `clone_url`' }),
    ),
    default_branch: withDefault(filledText, 'main', 'Base branch of every work branch.', {
      read: readBranch,
    }),
    token: optional(
      text,
      'What the worker signs in to the host of `clone_url` with, to fetch and to push; agents never see it. `$VAR` expected. ' +
        'A user and password in `clone_url` go before it; without either, the key of a GitHub or Gitea tracker on the same host ' +
        "is used, else the worker's own ssh agent or credential helper.",
      { secret: true, defaultText: 'none', read: readToken },
    ),
    push: withDefault(
      z.enum(['worker', 'agent']),
      'worker',
      "Who pushes the agents' commits. `worker`: agents use `git push` or the tool `branch_push` without network or credential, " +
        "and the worker carries on the issue's own branch, nothing else. `agent`: agents push by themselves; a credential " +
        'in `clone_url` is then readable in every workspace.',
    ),
  },
  'The repository agents work in. A file with this block speaks the Go dialect; without it, the Symphony dialect: ' +
    'the workspace is an empty directory that hooks fill.',
);

/** What git itself would refuse, or take for an option, is reported. */
function readBranch(written: string, { at, key }: Place): string {
  const branch = written.trim();
  if (/^[-/]|\.\.|[\s~^:?*[\\\p{Cc}]|@\{|[/.]$|\.lock$/u.test(branch))
    at.problem(
      key,
      `${key} ${quote(written)} is not a branch name`,
      'Write the name as git branch prints it.',
    );
  return branch;
}

function readToken(written: string | undefined, { at, key }: Place): Secret | null {
  const token = written === undefined ? '' : (at.expand(key, written)?.trim() ?? '');
  if (written === undefined || token === '') return null;
  at.hidden.add(token);
  if (variableName(written) === null)
    at.warn(key, `${key} holds the credential itself`, `Put it into a variable and write ${key}: $NAME.`);
  return new Secret(token);
}
