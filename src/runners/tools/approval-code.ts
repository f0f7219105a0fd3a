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

const MAX_QUESTION = 1500;

/** A request for approval as a person reads it. */
export function approvalQuestion(request: string, code: string): string {
  return `${request.slice(0, MAX_QUESTION)}\nAnswer "approve ${code}" to allow exactly this, or say what to do instead.`;
}

export interface AgentQuestion {
  readonly question: string;
  readonly options?: readonly { readonly label: string }[] | null | undefined;
}

/** Questions of an agent with the answers it offers, as a person reads them. */
export function questionText(questions: readonly AgentQuestion[]): string {
  const texts = questions.map(({ question, options }) => {
    const labels = (options ?? []).map(({ label }) => label).join(' / ');
    return labels === '' ? question : `${question} (${labels})`;
  });
  return texts.join('\n').slice(0, MAX_QUESTION) || 'The agent asked a question without words.';
}
