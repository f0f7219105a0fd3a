import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** Packages that users install themselves and this repository does not have: only their names are real. */
const STAND_INS: Readonly<Record<string, string>> = { '@anthropic-ai/claude-agent-sdk': '0.3.0' };

interface Offer {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
}

/** A registry on this machine that has what is installed here, each package in that one version. Closed with the test. */
export async function startRegistry(): Promise<string> {
  const standIns = mkdtempSync(join(tmpdir(), 'registry-'));
  onTestFinished(() => rmSync(standIns, { recursive: true, force: true }));
  const offers = new Map<string, Offer>();
  const find = (name: string): Offer => {
    const offer = offers.get(name) ?? packageIn(name, standIns);
    offers.set(name, offer);
    return offer;
  };
  const server = createServer((request, response) => {
    const [name = '', isTarball] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    try {
      const { manifest, tarball } = find(name);
      if (isTarball !== undefined) return response.end(tarball);
      const dist = {
        tarball: `http://${request.headers.host}/${name}/-/package.tgz`,
        integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
      };
      const { version } = manifest;
      const known = {
        name,
        'dist-tags': { latest: version },
        versions: { [version]: { ...manifest, dist } },
      };
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(known));
    } catch {
      response.statusCode = 404;
      return response.end('{"error":"not found"}');
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function packageIn(name: string, standIns: string): Offer {
  const version = STAND_INS[name];
  if (version !== undefined)
    writeFileSync(join(standIns, 'package.json'), JSON.stringify({ name, version, license: 'Apache-2.0' }));
  const folder = version === undefined ? join(MODULES, name) : standIns;
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const tarball = execFileSync('tar', ['-czf', '-', '--transform', 's,^[.],package,', '-C', folder, '.'], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return { manifest, tarball };
}
