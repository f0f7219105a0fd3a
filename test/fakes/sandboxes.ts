import { execFileSync } from 'node:child_process';
import type { SandboxConfig } from '../../src/config/config.ts';

/** Whether a program can be run here with success. */
export function works(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** Whether a sandbox can be used here: it is installed, and the kernel lets this user make one. */
export function sandboxWorks(backend: 'bubblewrap' | 'firejail'): boolean {
  return backend === 'bubblewrap'
    ? works('bwrap', '--ro-bind', '/', '/', '--unshare-pid', 'true')
    : works('firejail', '--quiet', '--noprofile', 'true');
}

/** A sandbox with the network of the host, in which an agent on a test's fixture can work. */
export function sandboxSettings(overrides: Partial<SandboxConfig> = {}): SandboxConfig {
  return {
    enabled: true,
    backend: 'bubblewrap',
    network: 'normal',
    networkAllowlistCidrs: [],
    networkInterface: null,
    envAllowlist: ['PATH', 'HOME', 'TMPDIR', 'GIT_CONFIG_NOSYSTEM', 'GIT_CONFIG_GLOBAL'],
    credentialFiles: [],
    writableFolders: [],
    ...overrides,
  };
}
