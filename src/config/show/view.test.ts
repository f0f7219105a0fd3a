import { describe, expect, it } from 'vitest';
import { evaluateWorkflow, WORKFLOW_FORMAT } from '../../../test/fakes/workflow-file.ts';
import { leafKeys } from '../schema/shape.ts';
import { configView, valueAt } from './view.ts';

const SECRET = 'dummy-secret';

function viewOf(frontMatter: string) {
  const evaluation = evaluateWorkflow(`---\n${frontMatter}\n---\n`, {
    file: '/f/WORKFLOW.md',
    environment: { HOME: '/home/me', KEY: SECRET },
  });
  return configView({ ...evaluation, fromVariables: new Set() });
}

describe('configView', () => {
  it('has a value for every key of the schema', () => {
    const view = viewOf('tracker: {kind: local}');
    const missing = leafKeys(WORKFLOW_FORMAT.schema).filter((key) => valueAt(view, key) === undefined);
    expect(missing.filter((key) => !key.startsWith('tracker.provider.'))).toEqual([]);
  });

  it('shows no credential, however it got in', () => {
    const view = viewOf(
      `tracker: {kind: gitea, api_key: $KEY, endpoint: "https://u:${SECRET}@git.example", ` +
        `provider: {client_secret: ${SECRET}, deep: {access_token: [${SECRET}]}}}\n` +
        `repo: {clone_url: "https://u:${SECRET}@git.example/a/b.git"}\nsandbox: {credential_files: [/home/${SECRET}]}`,
    );
    expect(JSON.stringify(view)).not.toContain(SECRET);
    expect(view['tracker']).toMatchObject({ api_key: '***', endpoint: 'https://git.example' });
    expect(view['repo']).toMatchObject({ clone_url: 'https://git.example/a/b.git' });
    expect(view['sandbox']).toMatchObject({ credential_files: ['***'] });
  });

  it('prints durations as Go does', () => {
    expect(viewOf('tracker: {kind: local}\nagent: {timeout: 90m}')['agent']).toMatchObject({
      timeout: '1h30m0s',
    });
  });
});
