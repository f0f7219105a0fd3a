import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../../src/server/app.ts';
import { ask } from './ask.ts';
import { scriptedSource } from './state-fixture.ts';

let root: string;
let app: App;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'aiops-pages-'));
  app = createApp(scriptedSource(), { dashboardDirectory: join(root, 'site') });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function build(): Promise<void> {
  await mkdir(join(root, 'site/assets/deep'), { recursive: true });
  await writeFile(join(root, 'site/index.html'), '<!doctype html><title>page</title>');
  await writeFile(join(root, 'site/assets/main-1a2b.js'), 'export {}');
  await writeFile(join(root, 'site/assets/deep/inner.js'), 'inner');
  await writeFile(join(root, 'site/assets/.hidden.js'), 'hidden');
  await writeFile(join(root, 'site/assets/notes.txt'), 'text');
  await writeFile(join(root, 'secret.js'), 'secret');
}

describe('the page', () => {
  it('says how to build it while it is not built, then appears without a restart (R-13.7.1-a)', async () => {
    const before = await ask(app, '/');
    expect(before.status).toBe(503);
    expect(before.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await before.text()).toContain('npm run build');
    await build();
    const after = await ask(app, '/');
    expect(after.status).toBe(200);
    expect(await after.text()).toContain('<title>page</title>');
  });

  it.each([
    '/history',
    '/history?days=7',
    '/issues',
    '/issues?issue=TASK-1',
    '/runs/run-1',
    '/runs/a%2Fb?tab=diff',
  ])('is served at %s too: it reads its own address', async (path) => {
    await build();
    const answer = await ask(app, path);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('<title>page</title>'),
    ]);
    expect((await ask(app, path, { method: 'POST' })).status).toBe(405);
  });

  it.each(['/runs', '/runs/a/b', '/history/x', '/other'])('is not served at %s', async (path) => {
    await build();
    expect((await ask(app, path)).status).toBe(404);
  });

  it('is revalidated by its tag', async () => {
    await build();
    const first = await ask(app, '/');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    const etag = first.headers.get('etag') ?? '';
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await ask(app, '/', { headers: { 'if-none-match': tag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    await writeFile(join(root, 'site/index.html'), 'rebuilt');
    const changed = await ask(app, '/', { headers: { 'if-none-match': etag } });
    expect([changed.status, await changed.text()]).toEqual([200, 'rebuilt']);
  });
});

describe('assets', () => {
  it('are kept forever, with the right type', async () => {
    await build();
    const response = await ask(app, '/assets/main-1a2b.js');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await response.text()).toBe('export {}');
    const head = await ask(app, '/assets/main-1a2b.js', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each([
    '/assets/',
    '/assets',
    '/assets/deep',
    '/assets/deep/',
    '/assets/deep/inner.js',
    '/assets/.hidden.js',
    '/assets/notes.txt',
    '/assets/../index.html',
    '/assets/..%2f..%2fsecret.js',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.js',
    '/assets/..%5c..%5csecret.js',
    '/assets/%252e%252e%252fsecret.js',
    '/assets//etc/passwd',
    '/assets/main-1a2b.js%00.txt',
    '/assets/main-1a2b.js/',
    '/index.html',
    '/secret.js',
  ])('%s is not served', async (path) => {
    await build();
    const response = await ask(app, path);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toMatch(/secret$|inner$|hidden$|^text$/);
  });

  it('do not follow a name to a folder', async () => {
    await build();
    await symlink(join(root, 'site'), join(root, 'site/assets/link.js'));
    expect((await ask(app, '/assets/link.js')).status).toBe(404);
  });
});
