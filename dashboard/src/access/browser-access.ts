import { createClient } from '../../../src/contract/client.ts';
import { type Access, createAccess } from './access.ts';

const ANSWER_MS = 10_000;

/** The platform's fetch, with the token of this tab when there is one. */
export function authorisedFetch<Init extends { readonly headers: Record<string, string> }>(
  url: string,
  init: Init,
): Promise<Response> {
  const { token } = access;
  if (token === null) return fetch(url, init);
  return fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
}

/** Calls of the API in the name of this tab. */
export const client = createClient({ baseUrl: '', fetch: authorisedFetch });

export const access: Access = createAccess({
  fragment: () => location.hash,
  clearFragment: () => history.replaceState(null, '', `${location.pathname}${location.search}`),
  storage: sessionStorage,
  askMayAct: async () => (await client.worker(AbortSignal.timeout(ANSWER_MS))).may_act,
  exchange: async (code) => (await client.session(code, AbortSignal.timeout(ANSWER_MS))).token,
});
