import type { Issue } from '../../domain/issue.ts';
import { includesState } from '../../domain/state-name.ts';
import { byStateAndPriority } from '../../trackers/local/editing/order.ts';
import { jsonText } from '../json-text.ts';
import type { Look } from '../terminal/look.ts';
import { formatIssues, toJson } from './format.ts';
import type { LocalIssues } from './local-issues.ts';

export interface ListFlags {
  readonly state?: readonly string[];
  readonly all?: boolean;
  readonly json?: boolean;
}

export interface Listed {
  readonly text: string;
  /** About files that are left out, and about an empty list. */
  readonly notes: readonly string[];
}

/** Issues that are not finished, unless asked for others. */
export function listIssues(local: LocalIssues, flags: ListFlags, look: Look): Listed {
  const { states } = local.settings;
  const wanted = flags.state?.map((name) => local.state(name, false)) ?? null;
  const isShown = (issue: Issue): boolean =>
    wanted === null
      ? flags.all === true || !includesState(states.terminal, issue.state)
      : includesState(wanted, issue.state);
  const issues = local.entries
    .flatMap((entry) => (entry.kind === 'issue' ? [local.normalise(entry)] : []))
    .filter(isShown)
    .sort(byStateAndPriority(states));
  const notes = [
    ...local.entries.flatMap((entry) =>
      entry.kind === 'broken'
        ? [`warning: ${local.folder.pathOf(entry.id)} is left out: ${entry.problem}`]
        : [],
    ),
    ...local.strangers.map(({ name, why }) => `warning: ${JSON.stringify(name)} is left out: ${why}`),
  ];
  if (flags.json === true) {
    const list = issues.map((issue) => toJson(issue, local.folder.pathOf(issue.id)));
    return { text: jsonText(list), notes };
  }
  if (issues.length > 0) return { text: formatIssues(issues, look), notes };
  const others = flags.all === true || local.entries.length === 0 ? '' : ' (--all shows every issue)';
  return { text: '', notes: [...notes, `no issues to show in ${local.folder.path}${others}`] };
}
