import { REDACTED, redactShapes } from './token-shapes.ts';

export interface Redactor {
  /** The text without any registered secret, in any of its encodings, and without anything shaped like one. */
  redact(text: string): string;
  /** From now on this value is a secret. Too short a value is ignored: it would shred every text. */
  register(secret: string): void;
}

const MIN_SECRET_LENGTH = 4;
const MIN_ENCODED_LENGTH = 8;

export function createRedactor({ secrets = [] }: { readonly secrets?: readonly string[] } = {}): Redactor {
  /** Longest first, so that no secret hides a part of another. */
  let forms: readonly string[] = [];

  function register(secret: string): void {
    const value = secret.trim();
    if (value.length < MIN_SECRET_LENGTH || forms.includes(value)) return;
    forms = [...new Set([...forms, ...formsOf(value)])].sort((a, b) => b.length - a.length);
  }

  for (const secret of secrets) register(secret);

  return {
    register,
    redact(text) {
      let result = text;
      for (const form of forms) result = result.replaceAll(form, REDACTED);
      return redactShapes(result);
    },
  };
}

/** The ways a value can appear in a text. */
function formsOf(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const wellFormed = Buffer.from(value, 'utf8').toString('utf8');
  return [value, json, encodeURIComponent(wellFormed), ...base64Forms(value)];
}

/**
 * Base64 of the value wherever it sits in the encoded bytes, e.g. behind `user:` in a Basic header: three alignments,
 * each without the characters that also depend on the neighbouring bytes; both alphabets.
 */
function base64Forms(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64url');
    const dependentStart = shift === 0 ? 0 : shift + 1;
    const dependentEnd = (shift + bytes.length) % 3 === 0 ? 0 : 1;
    return encoded.slice(dependentStart, encoded.length - dependentEnd);
  });
  return forms
    .filter((form) => form.length >= MIN_ENCODED_LENGTH)
    .flatMap((form) => [form, form.replaceAll('-', '+').replaceAll('_', '/')]);
}
