import { execFileSync, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { answerLfs, type LfsStore } from './lfs-store.ts';

export interface HttpRemote {
  readonly url: string;
  /** The Authorization headers that came, decoded. */
  readonly signedIn: string[];
  /** Files of Git LFS that were sent. */
  readonly large: LfsStore;
}

/** A bare repository behind HTTP on loopback that wants a user and password for everything. */
export async function serveWithPassword(
  repository: string,
  userAndPassword: string,
  onSignedIn: () => void = () => {},
): Promise<HttpRemote> {
  execFileSync('git', ['config', 'http.receivepack', 'true'], { cwd: repository });
  const signedIn: string[] = [];
  const large: LfsStore = new Map();
  const wanted = `Basic ${Buffer.from(userAndPassword).toString('base64')}`;
  const origin = await listen((request, response) => {
    const given = request.headers.authorization;
    if (given !== undefined) signedIn.push(Buffer.from(given.replace('Basic ', ''), 'base64').toString());
    if (given === wanted) {
      onSignedIn();
      if (!answerLfs(large, request, response)) answerByGit(repository, request, response);
      return;
    }
    request.resume();
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
  });
  return { url: `${origin}/${basename(repository)}`, signedIn, large };
}

/** Sends every request on to another host. */
export function serveRedirect(target: () => string): Promise<string> {
  return listen((request, response) => {
    request.resume();
    response.writeHead(302, { location: `${target()}${request.url ?? ''}` }).end();
  });
}

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `git http-backend` as a web server runs it. */
function answerByGit(repository: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: dirname(repository),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      REMOTE_USER: 'bot',
      ...(request.headers['content-encoding'] === undefined
        ? {}
        : { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      ...(typeof request.headers['git-protocol'] === 'string'
        ? { GIT_PROTOCOL: request.headers['git-protocol'] }
        : {}),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const whole = Buffer.concat(chunks);
    const end = whole.indexOf('\r\n\r\n');
    const headers = whole
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': '));
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.statusCode = Number.parseInt(status, 10);
    for (const [name = '', value = ''] of headers) if (name !== 'Status') response.setHeader(name, value);
    response.end(whole.subarray(end + 4));
  });
}
