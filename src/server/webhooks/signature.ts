import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookFacts } from '../../trackers/tracker-kind.ts';

/** The signature a request claims; `malformed` when the header is there but holds no SHA-256 in hexadecimal. */
export function claimedSignature(
  headers: Headers,
  { signatures }: Pick<WebhookFacts, 'signatures'>,
): Buffer | 'missing' | 'malformed' {
  for (const { header, prefix } of signatures) {
    const value = headers.get(header);
    if (value === null) continue;
    const digits = value.startsWith(prefix) ? value.slice(prefix.length) : '';
    return /^[0-9a-f]{64}$/i.test(digits) ? Buffer.from(digits, 'hex') : 'malformed';
  }
  return 'missing';
}

/** Takes the same time wherever the two differ; both are 32 bytes. */
export function sameSignature(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b);
}

export interface SignedBody {
  readonly signature: Buffer;
  /** Null when it is longer than what is kept. */
  readonly text: string | null;
}

export interface BodyLimits {
  readonly maxBytes: number;
  /** Of a longer body only the signature is made. */
  readonly keptBytes: number;
}

/** Reads a body to its end and signs it on the way; null when it is larger than allowed. */
export async function signBody(
  request: Request,
  secret: string,
  { maxBytes, keptBytes }: BodyLimits,
): Promise<SignedBody | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null;
  const hmac = createHmac('sha256', secret);
  let kept: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    length += part.value.byteLength;
    if (length > maxBytes) return null;
    hmac.update(part.value);
    if (length <= keptBytes) kept.push(part.value);
    else kept = [];
  }
  const text = length <= keptBytes ? Buffer.concat(kept).toString('utf8') : null;
  return { signature: hmac.digest(), text };
}
