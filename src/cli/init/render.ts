import { parseRemote } from './address.ts';
import { type Plan, runnerOf, type TrackerPlan } from './plan.ts';
import { renderPrompt } from './render-prompt.ts';
import { statesOf } from './states.ts';

/** The text of the workflow file. */
export function renderWorkflow(plan: Plan): string {
  const sections = [
    trackerSection(plan.tracker),
    repoSection(plan),
    forgeSection(plan),
    agentSection(plan),
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

function trackerSection(tracker: TrackerPlan): readonly string[] {
  const { active, inactive, terminal } = statesOf(tracker);
  const states = [
    `  active_states: ${list(active)}`,
    `  inactive_states: ${list(inactive)}`,
    `  terminal_states: ${list(terminal)}`,
  ];
  return ['tracker:', `  kind: ${tracker.kind}`, ...ownKeys(tracker), ...states, ...trustKeys(tracker)];
}

function ownKeys(tracker: TrackerPlan): readonly string[] {
  if (tracker.kind === 'local') {
    return [
      '  # A folder of Markdown files, one for each issue, beside this file. `aiops issue new "…"` writes one.',
      `  path: ${scalar(tracker.path)}`,
      '  # Issues in the first list are worked on, the second waits for people, the third is finished.',
    ];
  }
  const token = [
    `  # Read from the environment of the worker. No agent ever gets it.`,
    `  api_key: $${tracker.tokenVariable}`,
  ];
  const endpoint = tracker.endpoint === null ? [] : [`  endpoint: ${scalar(tracker.endpoint)}`];
  if (tracker.kind === 'linear') {
    return [
      ...endpoint,
      ...token,
      `  project_slug: ${scalar(tracker.projectSlug)}`,
      '  # Workflow states of the team: the first list is worked on, the second waits for people, the third is finished.',
    ];
  }
  const labels =
    tracker.kind === 'github'
      ? '  # Each state but `closed` is a label of that name; `aiops labels sync` creates those that are missing.'
      : '  # Each state is a label: aiops/todo, aiops/in-progress, …; `aiops labels sync` creates those that are missing.';
  return [...endpoint, ...token, labels];
}

/** Everybody may write issues in a public repository; whose run by themselves is said in the file. */
function trustKeys({ kind }: TrackerPlan): readonly string[] {
  if (kind !== 'github') return [];
  return [
    '  # Issues of these people run when they have an active label; those of others need the label below as well.',
    '  trust:',
    '    associations: [OWNER, MEMBER, COLLABORATOR]',
    '    labels: [aiops/approved]',
  ];
}

function repoSection({ tracker, cloneUrl, defaultBranch, repoTokenVariable }: Plan): readonly string[] {
  const named =
    tracker.kind === 'github' || tracker.kind === 'gitea'
      ? [`  owner: ${scalar(tracker.owner)}`, `  name: ${scalar(tracker.name)}`]
      : [];
  const token =
    repoTokenVariable === null
      ? []
      : [
          '  # For pushes and pull requests. Read from the environment of the worker; no agent ever gets it.',
          `  token: $${repoTokenVariable}`,
        ];
  return [
    '# The repository agents work in. They push without a credential: the worker passes on what they push, to the branch of',
    '# their issue and to no other.',
    'repo:',
    ...named,
    `  clone_url: ${scalar(cloneUrl)}`,
    `  default_branch: ${scalar(defaultBranch)}`,
    ...token,
  ];
}

/** Where pull requests go is told by the address to clone, unless that leads elsewhere. */
function forgeSection({ tracker, cloneUrl }: Plan): readonly string[] {
  const isForge = tracker.kind === 'github' || tracker.kind === 'gitea';
  if (!isForge || parseRemote(cloneUrl) !== null) return [];
  return ['# Pull requests are opened where the issues are.', 'forge:', `  kind: ${tracker.kind}`];
}

function agentSection({ agent, passedVariables }: Plan): readonly string[] {
  const { runner, acpCommand } = runnerOf(agent);
  const block = agent === 'codex' ? 'codex' : acpCommand === null ? 'claude' : 'acp';
  const keys = [
    ...(acpCommand === null
      ? []
      : [
          `  command: ${acpCommand}`,
          '  # Such agents ask before they act; `ask` makes each question wait for you instead.',
          '  permissions: allow',
        ]),
    ...(passedVariables.length === 0
      ? []
      : [
          '  # Variables of its own account; of the rest of the environment the agent sees only basics such as PATH.',
          `  env_passthrough: ${list(passedVariables)}`,
        ]),
  ];
  const own = keys.length === 0 ? [] : ['', `${block}:`, ...keys];
  return [
    'agent:',
    `  default: ${runner}`,
    '  # Issues that are worked on at the same time.',
    '  max_concurrent_agents: 2',
    ...own,
  ];
}

function hooksSection({ setUp }: Plan): readonly string[] {
  if (setUp === null) return [];
  return [
    'hooks:',
    '  # Runs once in each new workspace, before the agent and outside of its sandbox, so it may use the network.',
    `  after_create: ${scalar(setUp)}`,
    '  timeout_ms: 600000',
  ];
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

function list(values: readonly string[]): string {
  return `[${values.map(scalar).join(', ')}]`;
}

/** Plain where YAML cannot mistake it for something else, else quoted: a JSON string is a YAML string. */
function scalar(text: string): string {
  const plain =
    /^[A-Za-z0-9_./~$-][A-Za-z0-9_./~$@:+=% -]*$/.test(text) &&
    !/^[-.]?[0-9]|^(?:-|~|true|false|null|yes|no|on|off)$|^- |: |:$| #| $/i.test(text);
  return plain ? text : JSON.stringify(text);
}
