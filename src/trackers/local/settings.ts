import type { TrackerSettings } from '../../config/kinds.ts';
import { quote } from '../../config/read/problem.ts';
import type { Place } from '../../config/schema/key.ts';
import { trackerText } from '../../config/schema/tracker.ts';

/** A folder of Markdown issues. */
export const localTracker: TrackerSettings = {
  kind: 'local',
  flatKeys: {
    path: trackerText('Folder of Markdown issues (kind local), relative to the workflow file.', {
      defaultText: '`issues`',
      read: readFolder,
    }),
    issue_prefix: trackerText('Prefix of new issue identifiers (kind local): `TASK` gives `TASK-1`.', {
      defaultText: '`TASK`',
      read: readPrefix,
    }),
  },
  providerKeys: {},
  aliases: {},
  credential: null,
  endpoint: null,
  inactiveStates: ['Backlog', 'Human Review'],
  maxPages: null,
  scope: { key: 'path', isFolder: true },
  hasOneAssignee: true,
};

function readFolder(written: string | undefined, { at, key }: Place): string {
  const path = written?.trim() ?? '';
  return at.expandPath(key, path === '' ? 'issues' : path) ?? at.absolute('issues');
}

function readPrefix(written: string | undefined, { at, key }: Place): string {
  const prefix = (written === undefined ? null : at.expand(key, written))?.trim() || 'TASK';
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(prefix))
    at.problem(
      key,
      `${key} ${quote(prefix)} is not a short word`,
      'Use letters and digits, such as TASK.',
      'invalid_tracker_config',
    );
  return prefix;
}
