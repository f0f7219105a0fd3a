import { parseForeignJson } from '../../domain/nesting.ts';

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
    if (!response.ok || response.body === null) return false;
    const text = await readStart(response.body);
    const answer: unknown = parseForeignJson(text);
    return typeof answer === 'object' && answer !== null && 'version' in answer;
  } catch {
    return false;
  }
}

async function readStart(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BYTES) break;
  }
  return text;
}
