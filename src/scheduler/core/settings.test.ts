import { describe, expect, it } from 'vitest';
import { makeIssue } from '../../../test/fakes/scheduler-fixture.ts';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';
import { agentFor, type SchedulerSettings, schedulerSettings } from './settings.ts';

function settingsOf(frontMatter: string): SchedulerSettings {
  const { config, problems } = evaluateWorkflow(`---\n${frontMatter}\n---\n`, {
    file: '/f/WORKFLOW.md',
    environment: { GITHUB_TOKEN: 'dummy' },
  });
  expect(problems).toEqual([]);
  return schedulerSettings(config, []);
}

describe('agents in the settings', () => {
  const settings = settingsOf(
    'tracker: {kind: local}\n' +
      'codex: {stall_timeout_ms: 1}\nclaude: {stall_timeout_ms: 2}\nacp: {command: gemini, stall_timeout_ms: 3}\n' +
      'agent: {default: codex-app-server, max_turns: 9, profiles: {claude: {}, acp: {max_turns: 4}, ' +
      'slow: {runner: claude, states: [in_progress], claude: {stall_timeout_ms: 5}, max_concurrent_agents: 2}}}',
  );
  const agentOf = (state: string, ...labels: string[]) =>
    agentFor(makeIssue('a', { state, labels }), settings).agent;

  it('have the patience and the limits of their own block', () => {
    expect(agentOf('Todo')).toEqual({
      profile: null,
      runner: 'codex-app-server',
      stallTimeoutMs: 1,
      maxTurns: 9,
      maxConcurrent: null,
    });
    expect(agentOf('Todo', 'agent:claude')).toMatchObject({
      runner: 'claude',
      stallTimeoutMs: 2,
      maxTurns: 9,
    });
    expect(agentOf('Todo', 'agent:acp')).toMatchObject({ runner: 'acp', stallTimeoutMs: 3, maxTurns: 4 });
    expect(agentOf('In Progress')).toMatchObject({ profile: 'slow', stallTimeoutMs: 5, maxConcurrent: 2 });
  });

  it('are not asked for by labels that are states or required', () => {
    const forge = settingsOf(
      'tracker: {kind: github, active_states: ["agent:todo", "Agent:Rework"], inactive_states: ["agent:review"], ' +
        'terminal_states: [closed], required_labels: ["agent:yes"]}\nrepo: {owner: o, name: n, clone_url: /x}',
    );
    const choose = (...labels: string[]) => agentFor(makeIssue('a', { labels }), forge).warning;
    expect(choose('agent:todo', 'agent:rework', 'agent:review', 'agent:yes')).toBeNull();
    expect(choose('agent:todo', 'agent:no')).toContain('label agent:no chooses no profile');
  });
});
