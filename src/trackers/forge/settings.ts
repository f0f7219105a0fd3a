import { quote } from '../../config/read/problem.ts';
import { type Place, text } from '../../config/schema/key.ts';
import { adapterKey, readTrackerText, trackerText } from '../../config/schema/tracker.ts';

const INVALID = 'invalid_tracker_config';

/** Keys of trackers whose issues live in a repository of a forge. */
export const forgeKeys = {
  repo: trackerText('GitHub and Gitea: `owner/name` of the repository whose issues are read.', {
    defaultText: 'the `repo` block',
    environment: '`GITHUB_REPO`: used when neither this nor a `repo` block is written',
    read: readRepository,
  }),
  identifier_prefix: adapterKey(
    text,
    'GitHub and Gitea: what an identifier starts with; `GH-` gives `GH-12`.',
    '`#`',
  ),
};

/** The key, else the `repo` block, else the variable; null after reporting that there is none. */
function readRepository(value: string | undefined, place: Place): string | null {
  const { at, key } = place;
  const { owner, name } = at.repository ?? {};
  const variable = at.trackerKind?.repositoryVariable ?? null;
  const fromBlock = owner && name ? `${owner}/${name}` : null;
  const fromVariable = at.repository === null && variable !== null ? at.variable(variable) : null;
  const written = readTrackerText(value, place);
  if (written === null && fromVariable !== null) at.from('tracker.provider.repo', 'env', variable);
  const repository = written ?? fromBlock ?? fromVariable;
  if (repository === null) {
    if (at.repository === null || at.repository.cloneUrl !== '')
      at.problem(
        'repo.owner',
        `${at.trackerKind?.kind} needs to know whose issues to read`,
        'Set repo.owner and repo.name, or tracker.provider.repo: owner/name.',
        INVALID,
      );
    return null;
  }
  if (!/^[^/\s]+\/[^/\s]+$/.test(repository)) {
    const where = written === null ? 'repo.name' : key;
    at.problem(
      where,
      `${where}: ${quote(repository)} is not owner/name`,
      'Write it like octo-org/app.',
      INVALID,
    );
  }
  return repository;
}
