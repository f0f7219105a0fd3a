import type { ForgeServer } from './forge-server.ts';

export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** The hands of a person who works with the forge. */
export interface ForgeApi {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Fails the test when the forge refuses. */
  expect(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

export function forgeApi({ url, token }: Pick<ForgeServer, 'url' | 'token'>): ForgeApi {
  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? null : (JSON.parse(text) as unknown) };
  }
  return {
    call,
    async expect(method, path, body) {
      const { status, json } = await call(method, path, body);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
      return (json ?? {}) as Record<string, unknown>;
    },
  };
}

/** A new repository with a first commit and these labels; gives the number of each label. */
export async function createRepository(
  api: ForgeApi,
  name: string,
  labels: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  await api.expect('POST', '/user/repos', { name, auto_init: true, default_branch: 'main' });
  const ids = new Map<string, number>();
  for (const label of labels) {
    const made = await api.expect('POST', `/repos/boss/${name}/labels`, { name: label, color: '#00aabb' });
    ids.set(label, Number(made['id']));
  }
  return ids;
}
