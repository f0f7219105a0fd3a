import { afterAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/resolve/secret.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { createGovernor } from '../../../src/http/budget/governor.ts';
import { createGiteaTracker } from '../../../src/trackers/gitea/adapter.ts';
import { trackerContract } from '../../contracts/tracker-contract.ts';
import {
  CONTRACT_STATES,
  type ContractSettings,
  type SeedIssue,
  type TrackerFixture,
} from '../../contracts/tracker-fixture.ts';
import { recordingLogger } from '../../fakes/forge/recording-logger.ts';
import { labelFor, STATE_LABELS } from '../../fakes/gitea/fixture.ts';
import { createRepository, forgeApi } from './forge-api.ts';
import { forge, missing, stopForge } from './real-forge.ts';

afterAll(stopForge);
let repositories = 0;

describe.skipIf(missing !== null)('a real forge', () => {
  trackerContract({ name: 'gitea adapter', create: createFixture });

  it('has every operation that the fake knows', async () => {
    const { url } = await forge();
    const served = (await (await fetch(`${url}/swagger.v1.json`)).json()) as {
      paths: Record<string, object>;
    };
    const { default: cut } = await import('../../../schema/gitea/api.json', { with: { type: 'json' } });
    for (const operation of Object.keys(cut.operations)) {
      const [method = '', path = ''] = operation.split(' ');
      expect(served.paths[path], operation).toHaveProperty(method);
    }
  });
});

async function createFixture(
  seed: readonly SeedIssue[],
  { allowTerminal }: ContractSettings,
): Promise<TrackerFixture> {
  const server = await forge();
  const api = forgeApi(server);
  repositories += 1;
  const name = `app${repositories}`;
  const root = `/repos/boss/${name}`;
  const plain = [...new Set(seed.flatMap((issue) => issue.labels ?? []).map((label) => label.trim()))];
  const wanted = [
    ...STATE_LABELS.map(({ label }) => label),
    'priority: 2',
    ...plain.filter((label) => label !== ''),
  ];
  const labels = await createRepository(api, name, wanted);
  const labelIds = (names: readonly string[]): number[] =>
    names.flatMap((label) => labels.get(label.trim()) ?? []);
  const numbers = new Map<string, number>();
  for (const issue of seed) {
    const priority = issue.priority === undefined ? [] : [`priority: ${issue.priority}`];
    const made = await api.expect('POST', `${root}/issues`, {
      title: issue.title ?? `Issue ${issue.key}`,
      body: issue.description ?? '',
      labels: labelIds([labelFor(issue.state), ...priority, ...(issue.labels ?? [])]),
    });
    numbers.set(issue.key, Number(made['number']));
  }
  for (const issue of seed) {
    for (const blocker of issue.blockedBy ?? []) {
      const body = { owner: 'boss', repo: name, index: numbers.get(blocker) };
      await api.expect('POST', `${root}/issues/${numbers.get(issue.key)}/dependencies`, body);
    }
  }
  const numberOf = (key: string): number => numbers.get(key) ?? 0;
  const corrupt = new Set<number>();
  let broken = false;
  const { logger, lines } = recordingLogger();
  const tracker = createGiteaTracker({
    endpoint: server.url,
    token: new Secret(server.token),
    repository: { owner: 'boss', name },
    activeStates: CONTRACT_STATES.active,
    terminalStates: CONTRACT_STATES.terminal,
    inactiveStates: CONTRACT_STATES.inactive,
    stateLabels: STATE_LABELS,
    allowTerminal,
    logger,
    clock: systemClock,
    governor: createGovernor({ clock: systemClock }),
    async fetch(input, init) {
      if (broken) throw new TypeError('fetch failed');
      return spoil(await fetch(input, init), corrupt);
    },
  });
  return {
    tracker,
    markerLabels: [...STATE_LABELS.map(({ label }) => label), 'priority: 2'],
    idOf: (key) => String(numberOf(key)),
    async move(key, state) {
      await api.expect('PUT', `${root}/issues/${numberOf(key)}/labels`, {
        labels: labelIds([labelFor(state)]),
      });
    },
    async corrupt(key) {
      corrupt.add(numberOf(key));
    },
    async remove(key) {
      await api.expect('DELETE', `${root}/issues/${numberOf(key)}`);
    },
    async breakDown() {
      broken = true;
    },
    async comments(key) {
      const { json } = await api.call('GET', `${root}/issues/${numberOf(key)}/comments`);
      return (json as { body: string }[]).map(({ body }) => body);
    },
    warnings: () => lines.filter(({ level }) => level === 'warn' || level === 'error').length,
    async dispose() {
      await api.expect('DELETE', root);
    },
  };
}

/** A real server has no broken issues: their titles are taken away on the way. */
async function spoil(response: Response, numbers: ReadonlySet<number>): Promise<Response> {
  if (numbers.size === 0) return response;
  const text = await response.text();
  const json = JSON.parse(text, (_key, value: unknown) => {
    const isIssue = typeof value === 'object' && value !== null && 'number' in value && 'title' in value;
    return isIssue && numbers.has(Number(value.number)) ? { ...value, title: '' } : value;
  }) as unknown;
  return new Response(JSON.stringify(json), { status: response.status, headers: response.headers });
}
