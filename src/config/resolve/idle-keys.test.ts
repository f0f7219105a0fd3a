import { describe, expect, it } from 'vitest';
import { evaluateWorkflow } from '../../../test/fakes/workflow-file.ts';

function evaluate(frontMatter: string) {
  return evaluateWorkflow(
    `---\ntracker: {kind: local}\nhooks: {after_create: "true"}\n${frontMatter}\n---\nDo it.`,
    {
      file: '/flows/WORKFLOW.md',
      environment: { HOME: '/home/me' },
    },
  );
}

describe('keys that do nothing', () => {
  it.each([
    ['worker: {ssh_hosts: [build-1]}', 'worker.ssh_hosts', /every run executes on this machine/],
    [
      'worker: {max_concurrent_agents_per_host: 2}',
      'worker.max_concurrent_agents_per_host',
      /limits nothing/,
    ],
  ])('are errors where they would decide about runs: %s', (yaml, key, message) => {
    const { problems } = evaluate(yaml);
    expect(problems).toEqual([
      expect.objectContaining({
        key,
        message: expect.stringMatching(message),
        hint: expect.stringContaining('Remove'),
      }),
    ]);
    expect(problems[0]?.line).toBe(4);
  });

  it.each([
    ['sandbox: {backend: bubblewrap}', 'sandbox'],
    ['sandbox: {network: none, env_allowlist: [PATH]}', 'sandbox'],
    [
      'sandbox: {enabled: true, backend: firejail, env_allowlist: [PATH], network: none, network_interface: eth0}',
      'sandbox.network_interface',
    ],
  ])('are warnings where a file of Symphony or the Go worker must go on loading: %s', (yaml, key) => {
    const { problems, warnings } = evaluate(yaml);
    expect([problems, warnings.map((warning) => warning.key)]).toEqual([[], [key]]);
    expect(warnings[0]?.message).toMatch(/does nothing/);
  });

  it.each([
    'worker: {ssh_hosts: []}',
    'sandbox: {enabled: false, backend: firejail}',
    'observability: {dashboard_enabled: true, refresh_ms: 250, render_interval_ms: 33}',
  ])('are nothing to speak of when they say what is so: %s', (yaml) => {
    const { problems, warnings } = evaluate(yaml);
    expect([problems, warnings]).toEqual([[], []]);
  });
});

describe('a word that is none of those to choose from', () => {
  it.each([
    ['agent: {default: codex}', 'Did you mean codex-app-server?'],
    ['agent: {default: Claud}', 'Did you mean claude?'],
    ['agent: {default: mok}', 'Did you mean mock?'],
    ['server: {require_token: action}', 'Did you mean actions?'],
    ['agent: {default: wizard}', 'Write one of mock, codex-app-server, claude, acp.'],
  ])('%s: %s', (yaml, hint) => {
    expect(evaluate(yaml).problems.map((problem) => problem.hint)).toEqual([hint]);
  });
});
