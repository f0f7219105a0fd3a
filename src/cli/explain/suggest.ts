import { standingOf } from '../../scheduler/rules/eligibility.ts';
import type { TargetFlags } from '../remote/find-worker.ts';
import { commandFor, nextCommands } from '../terminal/next-command.ts';
import type { Gathered } from './gather.ts';
import type { Outlook } from './outlook.ts';

/** Something a person can do about an issue; without a command it is done elsewhere, such as in the tracker. */
export interface Suggestion {
  readonly what: string;
  readonly command: string | null;
}

const MEANINGS: Readonly<Record<string, string>> = {
  answer: 'answer the question; the agent goes on with it',
  push: 'push its branch as the workspace has it',
  retry: 'run it again as soon as a slot is free',
  unblock: 'run it again, with its budgets counted from nothing',
};

/** What a person can do now, the most likely first; every command can be typed as it stands. */
export function suggest(
  identifier: string,
  outlook: Outlook,
  facts: Gathered,
  target: TargetFlags,
): readonly Suggestion[] {
  const run = (what: string, ...words: string[]): Suggestion => ({
    what,
    command: commandFor(words, target),
  });
  const hasWorker = facts.worker !== null;
  const start = hasWorker ? [] : [run('start a worker', 'worker')];
  const paused = facts.worker?.state?.paused === true ? [run('let runs start again', 'resume')] : [];
  const look = facts.runs.length === 0 ? [] : [run('read what its latest run did', 'logs', identifier)];
  switch (outlook.status) {
    case 'running':
      return [
        run('follow the agent', 'logs', identifier, '--follow'),
        run('say something to the agent', 'message', identifier, 'YOUR MESSAGE'),
        run('stop the run; the issue is then held', 'stop', identifier),
      ];
    case 'needs_you':
      return [...start, ...forHold(identifier, outlook, target), ...look];
    case 'retrying':
      return [
        ...start,
        ...paused,
        ...(hasWorker ? [run('do not wait any longer', 'retry', identifier)] : []),
        ...look,
      ];
    case 'waiting':
    case 'would_start':
    case 'unknown':
      return [...start, ...paused, ...forBlockers(facts, target), ...forLabels(facts), ...look];
    case 'in_review':
    case 'not_active':
    case 'over':
      return [...moves(identifier, facts, target), ...forWork(facts, target), ...look];
  }
}

function forHold(identifier: string, { hold }: Outlook, target: TargetFlags): Suggestion[] {
  const { method = '', question = null } = hold ?? {};
  const row = { issue_identifier: identifier, method, ...(question === null ? {} : { question }) };
  return nextCommands(row, target).map((command) => ({
    what: MEANINGS[command.split(' ')[1] ?? ''] ?? 'go on',
    command,
  }));
}

function forBlockers({ issue, settings }: Gathered, target: TargetFlags): Suggestion[] {
  if (issue === null || issue.dispatchable) return [];
  const open = issue.blockedBy.filter(
    ({ state }) => state === null || !settings.terminalSet.has(state.toLowerCase()),
  );
  return open.flatMap(({ identifier }) =>
    identifier === null
      ? []
      : [
          {
            what: `see why ${identifier} is not finished`,
            command: commandFor(['explain', identifier], target),
          },
        ],
  );
}

function forLabels({ issue, settings }: Gathered): Suggestion[] {
  const missing = settings.requiredLabels.filter((label) => issue !== null && !issue.labels.includes(label));
  return missing.map((label) => ({ what: `give it the label ${label} in the tracker`, command: null }));
}

/** Only a folder of issues can be changed from here. */
function moves(
  identifier: string,
  { config, settings, issue, runs }: Gathered,
  target: TargetFlags,
): Suggestion[] {
  const move = (what: string, state: string): Suggestion => ({
    what,
    command: commandFor(['issue', 'move', identifier, state], target),
  });
  const [active = ''] = settings.activeStates;
  const { terminalStates } = config.tracker;
  const final = terminalStates.find((state) => /^done$/i.test(state)) ?? terminalStates[0] ?? '';
  const isOver = issue !== null && standingOf(issue.state, settings) === 'terminal';
  const accept =
    isOver || runs[0]?.outcome.kind !== 'delivered'
      ? []
      : [move('accept the work: the issue is over', final)];
  if (config.tracker.isFolder) return [...accept, move('have it worked on (again)', active)];
  const where = issue?.url ?? 'the tracker';
  return [{ what: `move it to ${active} in ${where} to have it worked on (again)`, command: null }];
}

function forWork({ runs }: Gathered, target: TargetFlags): Suggestion[] {
  const url = runs.find((run) => run.result.evidence.pullRequestUrl !== null)?.result.evidence.pullRequestUrl;
  const review =
    url === undefined || url === null ? [] : [{ what: `review its pull request: ${url}`, command: null }];
  const [last] = runs;
  if (last === undefined) return review;
  return [
    ...review,
    { what: 'see what it left behind', command: commandFor(['runs', 'show', last.runId], target) },
  ];
}
