import { parseForeignJson } from '../../domain/nesting.ts';
import { readBody } from '../../http/request/read-body.ts';

const PROBE_MS = 3_000;
const MAX_BYTES = 4_096;

/** Gitea and Forgejo answer `{"version": "…"}` without a sign-in. */
export async function isGitea(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/api/v1/version`, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    if (!response.ok) return false;
    const { text } = await readBody(response, MAX_BYTES);
    const answer: unknown = parseForeignJson(text);
    return typeof answer === 'object' && answer !== null && 'version' in answer;
  } catch {
    return false;
  }
}
