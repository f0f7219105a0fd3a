import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodexSettingsFacts } from '../../runners/inspection.ts';

/** The few things of Codex's own settings that matter before it starts, read without a parser of their language. */
export async function readCodexSettings(env: Readonly<Record<string, string>>): Promise<CodexSettingsFacts> {
  const folder = env['CODEX_HOME'] ?? join(env['HOME'] ?? '/', '.codex');
  const text = await readFile(join(folder, 'config.toml'), 'utf8').catch(() => '');
  return {
    provider: /^\s*model_provider\s*=\s*["']([^"'\n]{1,60})["']/m.exec(text)?.[1] ?? null,
    network: /^\s*(?:sandbox_workspace_write\.)?network_access\s*=\s*true\b/m.test(text),
  };
}
