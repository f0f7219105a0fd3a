import { z } from 'zod';

export const MAX_TEXT_BYTES = 64 * 1024;

export const longText = z
  .string()
  .refine((text) => text.trim() !== '', 'must not be blank')
  .refine((text) => Buffer.byteLength(text) <= MAX_TEXT_BYTES, 'must be at most 64 KiB');
export const shortText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((text) => !/\p{Cc}/u.test(text), 'must be one line of text');
export const webAddress = z
  .string()
  .trim()
  .max(2048)
  .refine(isWebAddress, 'must be an http or https address without a user name');

export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
