import { scalar, type WrittenKey, writtenKeys } from '../../../config/show/written-keys.ts';
import type { Plan, TrackerPlan } from '../decide/plan.ts';
import { parseRemote } from '../detect/address.ts';
import { agentNamed } from '../kinds.ts';
import { renderPrompt } from './render-prompt.ts';

/** The text of the workflow file. */
export function renderWorkflow(plan: Plan): string {
  const sections = [
    trackerSection(plan.tracker),
    repoSection(plan),
    forgeSection(plan),
    section('agent', [
      { key: 'default', value: agentNamed(plan.agent).kind.kind },
      { key: 'max_concurrent_agents', value: 2, comment: 'Issues that are worked on at the same time.' },
    ]),
    ownAgentSection(plan),
    hooksSection(plan),
    verifySection(plan),
  ];
  return [
    '---',
    `# yaml-language-server: $schema=${plan.schema}`,
    '# Written by `aiops init`; every key is yours to change, and a running worker takes changes up at once.',
    '# `aiops config check` says what is wrong with this file, `aiops doctor` tries whether it would work.',
    sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
    '---',
    renderPrompt(plan),
  ].join('\n');
}

function section(name: string, keys: readonly WrittenKey[]): readonly string[] {
  return [`${name}:`, ...writtenKeys(keys, '  ')];
}

/** A key where there is a value for it. */
function keyOf(key: string, value: string | null, comment?: string): readonly WrittenKey[] {
  return value === null ? [] : [{ key, value, ...(comment === undefined ? {} : { comment }) }];
}

function trackerSection(tracker: TrackerPlan): readonly string[] {
  const { kind, endpoint, tokenVariable, keys, states, statesComment, laterKeys = [] } = tracker;
  const token = tokenVariable === null ? null : `$${tokenVariable}`;
  return section('tracker', [
    { key: 'kind', value: kind },
    ...keyOf('endpoint', endpoint),
    ...keyOf('api_key', token, 'Read from the environment of the worker. No agent ever gets it.'),
    ...keys,
    { key: 'active_states', value: states.active, comment: statesComment },
    { key: 'inactive_states', value: states.inactive },
    { key: 'terminal_states', value: states.terminal },
    ...laterKeys,
  ]);
}

function repoSection({ tracker, cloneUrl, defaultBranch, repoTokenVariable }: Plan): readonly string[] {
  const { owner = null, name = null } = tracker.repository ?? {};
  const token = repoTokenVariable === null ? null : `$${repoTokenVariable}`;
  const aboutToken =
    'For pushes and pull requests. Read from the environment of the worker; no agent ever gets it.';
  return [
    '# The repository agents work in. They push without a credential: the worker passes on what they push, to the branch of',
    '# their issue and to no other.',
    ...section('repo', [
      ...keyOf('owner', owner),
      ...keyOf('name', name),
      { key: 'clone_url', value: cloneUrl },
      { key: 'default_branch', value: defaultBranch },
      ...keyOf('token', token, aboutToken),
    ]),
  ];
}

/** Where pull requests go is told by the address to clone, unless that leads elsewhere. */
function forgeSection({ tracker, cloneUrl }: Plan): readonly string[] {
  if (tracker.repository === null || parseRemote(cloneUrl) !== null) return [];
  return [
    '# Pull requests are opened where the issues are.',
    ...section('forge', [{ key: 'kind', value: tracker.kind }]),
  ];
}

function ownAgentSection({ agent, passedVariables }: Plan): readonly string[] {
  const { kind, command = null, keys: own = [] } = agentNamed(agent);
  const passed: WrittenKey = {
    key: 'env_passthrough',
    value: passedVariables,
    comment:
      'Variables of its own account; of the rest of the environment the agent sees only basics such as PATH.',
  };
  const keys = [...keyOf('command', command), ...own, ...(passedVariables.length === 0 ? [] : [passed])];
  return keys.length === 0 ? [] : section(kind.section, keys);
}

function hooksSection({ setUp }: Plan): readonly string[] {
  if (setUp === null) return [];
  const comment =
    'Runs once in each new workspace, before the agent and outside of its sandbox, so it may use the network.';
  return section('hooks', [
    { key: 'after_create', value: setUp, comment },
    { key: 'timeout_ms', value: 600_000 },
  ]);
}

function verifySection({ verify }: Plan): readonly string[] {
  if (verify.length === 0) {
    return [
      '# Commands that a change has to pass, such as your tests. The agent is told to run them and allowed to.',
      '# verify:',
      '#   commands:',
      '#     - make test',
    ];
  }
  return [
    'verify:',
    '  # The agent is told to run these before it hands over, and allowed to.',
    '  commands:',
    ...verify.map((command) => `    - ${scalar(command)}`),
  ];
}
