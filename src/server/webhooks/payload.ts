import { parseForeignJson } from '../../domain/nesting.ts';

/** The little that is read of a webhook's body, once its signature is known to be right. Null: the body does not say. */
export interface Payload {
  /** Epoch milliseconds at which it was sent. */
  readonly sentAt: number | null;
  /** `owner/name`. */
  readonly repository: string | null;
  readonly type: string | null;
}

/** JSON, or a form whose `payload` is JSON. Whatever else comes says nothing. */
export function readPayload(text: string | null, contentType: string | null): Payload {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '');
  const inForm = isForm ? new URLSearchParams(text ?? '').get('payload') : null;
  const body = parseJson(inForm ?? text ?? '');
  const sentAt = fieldOf(body, 'webhookTimestamp');
  const repository = fieldOf(fieldOf(body, 'repository'), 'full_name');
  const type = fieldOf(body, 'type');
  return {
    sentAt: typeof sentAt === 'number' ? sentAt : null,
    repository: typeof repository === 'string' ? repository : null,
    type: typeof type === 'string' ? type : null,
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}
