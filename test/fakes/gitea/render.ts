import { type FakeAnswer, type FakeForge, type FakeRequest, page } from '../forge/server.ts';

export const REPO = '/repos/{owner}/{repo}';

export const NOT_FOUND: FakeAnswer = { status: 404, body: { message: 'not found', url: 'x', errors: [] } };

export function userJson(login: string): Record<string, unknown> {
  return { id: 1, login, full_name: '', email: '' };
}

export function list(fake: FakeForge, request: FakeRequest, items: readonly unknown[]): FakeAnswer {
  const answer = page(request, items, 'limit', 50, `${fake.origin}/elsewhere`);
  return { ...answer, headers: { ...answer.headers, 'x-total-count': String(items.length) } };
}
