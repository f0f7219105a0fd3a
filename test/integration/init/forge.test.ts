import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findForge } from '../../../src/cli/init/detect/forge.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a server that tells its version as Gitea and Forgejo do is one', async () => {
  const asked: string[] = [];
  const origin = await serve(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.authorization ?? 'without a credential'}`);
    response.end('{"version":"1.21.10"}');
  });
  const found = await findForge(`${origin}/team/app.git`);
  expect(found).toEqual({ kind: 'gitea', endpoint: origin, owner: 'team', name: 'app' });
  expect(asked).toEqual(['/api/v1/version without a credential']);
});

test.each<[string, RequestListener]>([
  ['answers with a page', (_request, response) => response.end('<html>')],
  ['does not know the path', (_request, response) => response.writeHead(404).end('{"version":"1"}')],
  ['leads elsewhere', (_request, response) => response.writeHead(302, { location: '/login' }).end()],
  ['answers without end', (_request, response) => response.write('x'.repeat(100_000))],
  ['never answers', () => {}],
  ['hangs up', ({ socket }) => socket.destroy()],
])('a server that %s is none, and is not waited for', async (_name, listener) => {
  const origin = await serve(listener);
  expect(await findForge(`${origin}/team/app.git`)).toBeNull();
});

test.each([
  'https://github.com/octo/app.git',
  'git@github.com:octo/app.git',
  'ssh://git@ssh.github.com:443/octo/app',
])('%s is known by its name', async (address) => {
  expect(await findForge(address)).toEqual({ kind: 'github', endpoint: null, owner: 'octo', name: 'app' });
});
