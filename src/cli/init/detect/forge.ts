import { parseForeignJson } from '../../../domain/nesting.ts';
import { parseRemote } from '../address.ts';
import type { ForgeFacts } from '../facts.ts';

const PROBE_MS = 3_000;
const MAX_BYTES = 4_096;

/** The forge behind an address: github.com by its name, a Gitea or Forgejo by asking. Null when it is neither. */
export async function findForge(cloneUrl: string): Promise<ForgeFacts | null> {
  const remote = parseRemote(cloneUrl);
  if (remote === null) return null;
  const { host, origin, owner, name } = remote;
  if (host === 'github.com' || host === 'ssh.github.com')
    return { kind: 'github', endpoint: null, owner, name };
  return (await isGitea(origin)) ? { kind: 'gitea', endpoint: origin, owner, name } : null;
}

/** Both answer `{"version": "…"}` without a sign-in. */
async function isGitea(origin: string): Promise<boolean> {
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
