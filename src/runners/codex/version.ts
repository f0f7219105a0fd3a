import { runCommand } from '../../process/run-command.ts';
import { programOf } from './command.ts';
import { CODEX_VERSION } from './protocol.ts';

/** The version in `name/1.2.3 (…)`; null when there is none. */
export function versionInUserAgent(userAgent: string): string | null {
  return /\/(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(userAgent)?.[1] ?? null;
}

export type CodexVersion =
  | { readonly kind: 'tested'; readonly version: string }
  | { readonly kind: 'other'; readonly version: string; readonly tested: string }
  /** `reason` says what `--version` did instead. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Asks the program of `codex.command` for its version, for `aiops doctor`. Never rejects. */
export async function readCodexVersion(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<CodexVersion> {
  const direct = programOf(command);
  const program = direct.command === 'bash' ? 'codex' : direct.command;
  const result = await runCommand({ command: program, args: ['--version'], cwd, env, timeoutMs: 10_000 });
  if (result.outcome !== 'exited' || result.code !== 0) {
    return {
      kind: 'unknown',
      reason: result.spawnError ?? `${program} --version failed: ${result.stderr.trim()}`,
    };
  }
  const version = /(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(result.stdout)?.[1];
  if (version === undefined) return { kind: 'unknown', reason: `${program} --version named no version` };
  return version === CODEX_VERSION
    ? { kind: 'tested', version }
    : { kind: 'other', version, tested: CODEX_VERSION };
}
