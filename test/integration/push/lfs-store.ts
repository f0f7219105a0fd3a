import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a Git LFS server was sent, by the hash of the content. */
export type LfsStore = Map<string, Buffer>;

interface BatchRequest {
  readonly operation: string;
  readonly objects: readonly { readonly oid: string; readonly size: number }[];
}

/** Answers what belongs to Git LFS: the batch API and the uploads it asks for. False for every other request. */
export function answerLfs(store: LfsStore, request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  const [, oid] = /\/lfs-store\/([0-9a-f]{64})$/.exec(pathname) ?? [];
  const isBatch = pathname.endsWith('/info/lfs/objects/batch');
  if (oid === undefined && !/\/info\/lfs\//.test(pathname)) return false;
  const fail = (): void => void response.writeHead(507).end('{"message":"no room"}');
  void readBody(request)
    .then((body): unknown => {
      if (oid !== undefined && request.method === 'PUT') {
        const isWhole = createHash('sha256').update(body).digest('hex') === oid;
        if (isWhole) store.set(oid, body);
        return response.writeHead(isWhole ? 200 : 422).end();
      }
      response.setHeader('content-type', 'application/vnd.git-lfs+json');
      if (!isBatch) return response.writeHead(404).end('{"message":"not here"}');
      const { objects } = JSON.parse(body.toString()) as BatchRequest;
      const origin = `http://${request.headers.host}`;
      const answers = objects.map((object) => ({
        ...object,
        ...(store.has(object.oid)
          ? {}
          : { actions: { upload: { href: `${origin}/lfs-store/${object.oid}` } } }),
      }));
      return response.writeHead(200).end(JSON.stringify({ transfer: 'basic', objects: answers }));
    })
    .catch(fail);
  return true;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
