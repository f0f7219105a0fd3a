import type { PushResult } from '../../domain/push.ts';

export type Refusal = Extract<PushResult, { ok: false }>;

export function refusal(code: string, message: string, remoteLines: readonly string[] = []): Refusal {
  return { ok: false, code, message, remoteLines };
}
