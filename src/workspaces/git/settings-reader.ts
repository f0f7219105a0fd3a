import { createHash } from 'node:crypto';
import { createKeyedMutex } from '../locks/mutex.ts';
import type { Git, GitCall } from './git.ts';

/** Texts whose settings are remembered: the same workspace is looked at many times, and its settings seldom change. */
const MAX_REMEMBERED = 64;
const MAX_REMEMBERED_LENGTH = 16 * 1024;
const MAX_EQUALS = 10_000;

export function createSettingsReader(attempt: Git['attempt']): Pick<Git, 'settingsIn' | 'addsNoSettings'> {
  const remembered = new Map<string, string>();
  /** By the hash of a text, the text that has the same settings. */
  const equals = new Map<string, string>();
  const mutex = createKeyedMutex();

  async function ask(question: string, text: string, pattern: string, call: GitCall): Promise<string> {
    const known = remembered.get(question);
    if (known !== undefined) return known;
    // Through a pipe: git opens no file that could be another one by then.
    const args = ['config', '--file', '-', '--no-includes', '-z', '--get-regexp', pattern];
    const result = await attempt(args, { ...call, input: text, limited: true });
    const answer = result.code === 0 ? result.stdout : '';
    if (text.length <= MAX_REMEMBERED_LENGTH) remember(remembered, question, answer, MAX_REMEMBERED);
    return answer;
  }

  return {
    async settingsIn(text, pattern, call) {
      const meant = equals.get(hash(text)) ?? text;
      const question = `${pattern}\0${meant}`;
      return (
        remembered.get(question) ?? (await mutex.run(question, () => ask(question, meant, pattern, call)))
      );
    },
    addsNoSettings: (text, to) => remember(equals, hash(text), to, MAX_EQUALS),
  };
}

/** The oldest makes way. */
function remember(memory: Map<string, string>, key: string, value: string, limit: number): void {
  const [oldest] = memory.keys();
  if (memory.size >= limit && oldest !== undefined) memory.delete(oldest);
  memory.set(key, value);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
