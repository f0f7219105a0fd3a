import { createHash } from 'node:crypto';

/** The codes in a person's answer, such as `approve 1f0c22ab`. */
export function approvedCodes(answer: string | null): ReadonlySet<string> {
  const found = (answer ?? '').matchAll(/\bapprove[ :`"']+([0-9a-f]{8})\b/gi);
  return new Set(Array.from(found, ([, code = '']) => code.toLowerCase()));
}

/** Stands for exactly what would be allowed; a change of one character gives another code. */
export function approvalCode(subject: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(subject)).digest('hex').slice(0, 8);
}

const MAX_ASKED = 1500;

/** A request for approval as a person reads it. */
export function approvalQuestion(asked: string, code: string): string {
  return `${asked.slice(0, MAX_ASKED)}\nAnswer "approve ${code}" to allow exactly this, or say what to do instead.`;
}
