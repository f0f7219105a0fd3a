import { execFileSync } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { onTestFinished } from 'vitest';

/** A git repository behind TLS on loopback, under the name `localhost` and a certificate of its own. */
export async function serveOverTls(folder: string, repository: string): Promise<string> {
  const files = { key: join(folder, 'tls.key'), certificate: join(folder, 'tls.pem') };
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', files.key, '-out', files.certificate],
    ],
    { stdio: 'pipe' },
  );
  execFileSync('git', ['update-server-info'], { cwd: repository });
  const options = { key: readFileSync(files.key), cert: readFileSync(files.certificate) };
  const server = createServer(options, ({ url = '' }, response) => {
    const path = normalize(new URL(url, 'https://localhost').pathname);
    createReadStream(join(repository, path))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}/`;
}
