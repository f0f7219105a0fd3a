import { createHash } from 'node:crypto';
import type { AcpConfig } from '../../config/config.ts';
import { permissionSchema } from './protocol.ts';

export interface Verdict {
  readonly reply: object;
  /** What a person has to decide; the turn ends with it. Null when the request was granted. */
  readonly question: string | null;
}

const MAX_SUBJECT = 1500;
const CANCELLED = { outcome: { outcome: 'cancelled' } };

/** The codes in an operator's answer, such as `approve 1f0c22ab`. */
export function approvedCodes(answer: string | null): ReadonlySet<string> {
  const found = (answer ?? '').matchAll(/\bapprove[ :`"']+([0-9a-f]{8})\b/gi);
  return new Set(Array.from(found, ([, code = '']) => code.toLowerCase()));
}

export function decidePermission(
  params: unknown,
  mode: AcpConfig['permissions'],
  approved: ReadonlySet<string>,
): Verdict {
  const asked = permissionSchema.safeParse(params).data;
  const once = asked?.options.find(({ kind }) => kind === 'allow_once') ?? null;
  if (asked === undefined || once === null) {
    return { reply: CANCELLED, question: 'The agent asked for a permission without saying what it offers.' };
  }
  const { title, rawInput } = asked.toolCall;
  const subject = JSON.stringify([title ?? null, rawInput ?? null]);
  const code = createHash('sha256').update(subject).digest('hex').slice(0, 8);
  if (mode === 'allow' || approved.has(code)) {
    return { reply: { outcome: { outcome: 'selected', optionId: once.optionId } }, question: null };
  }
  const what = `${title ?? 'use a tool'} ${rawInput === undefined ? '' : JSON.stringify(rawInput)}`.trim();
  const how = `Answer "approve ${code}" to allow exactly this, or say what to do instead.`;
  return {
    reply: CANCELLED,
    question: `The agent asks for permission: ${what.slice(0, MAX_SUBJECT)}\n${how}`,
  };
}
