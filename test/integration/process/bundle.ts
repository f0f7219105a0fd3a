import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Makes one plain module out of a source module, for tests that need it inside other processes. */
export async function bundleModule(source: string, folder: string): Promise<string> {
  const file = `${basename(source, '.ts')}.mjs`;
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    build: {
      ssr: join(root, source),
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: file } },
    },
  });
  return join(folder, file);
}
