import type { FetchLike } from '../../contract/client.ts';

/** `fetch` for one question and its answer, over Node's own HTTP: the platform's takes a command that soon ends longer to load than to use. */
export const askOverHttp: FetchLike = async (url, { method, headers, body, signal }) => {
  const { request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const status = response.statusCode ?? 0;
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ ok: status >= 200 && status < 300, status, text: async () => text });
      });
    });
    asking.once('error', reject);
    asking.end(body);
  });
};
