/** The body as text, or null when it is longer than `limit` bytes; no more than that is ever held. */
export async function readBody(request: Request, limit: number): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null;
  if (request.body === null) return '';
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.byteLength;
    if (length > limit) return null;
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
