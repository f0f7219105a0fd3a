/** The body is larger than may be read; nothing of it is kept. */
export class BodyTooLarge extends Error {}

/** The body as text, never more than `maxBytes` of it in memory. */
export async function readBody(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly bytes: number }> {
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > maxBytes) {
    await response.body?.cancel();
    throw new BodyTooLarge();
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), bytes };
}
