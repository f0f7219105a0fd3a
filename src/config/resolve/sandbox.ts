import { isIPv4 } from 'node:net';
import type { SandboxConfig } from '../config.ts';
import { quote } from '../read/problem.ts';
import type { Resolution } from './context.ts';

export function resolveSandbox(at: Resolution): SandboxConfig {
  const { sandbox } = at.written;
  if (sandbox.enabled) checkEnabled(at);
  reportIdleKeys(at);
  if (sandbox.network === 'allowlist') checkAllowlist(at);
  sandbox.network_allowlist_cidrs.forEach((cidr, index) => {
    const key = `sandbox.network_allowlist_cidrs[${index}]`;
    if (!isIPv4Range(cidr)) {
      at.problem(
        key,
        `${key} ${quote(cidr)} is not an IPv4 range`,
        'Write it like 10.0.0.0/8; IPv6 is not supported.',
      );
    }
  });
  return {
    enabled: sandbox.enabled,
    backend: sandbox.backend,
    network: sandbox.network,
    networkAllowlistCidrs: sandbox.network_allowlist_cidrs,
    networkInterface: sandbox.network_interface ?? null,
    envAllowlist: sandbox.env_allowlist,
    credentialFiles: sandbox.credential_files.flatMap((file, index) => {
      return at.expandPath(`sandbox.credential_files[${index}]`, file) ?? [];
    }),
    writableFolders: sandbox.writable_folders.flatMap((folder, index) => {
      return at.expandPath(`sandbox.writable_folders[${index}]`, folder) ?? [];
    }),
  };
}

/** Whoever writes these expects a sandbox, or a limit, that is not there. `enabled: false` says that it is meant. */
function reportIdleKeys(at: Resolution): void {
  const written = at.namesUnder('sandbox').filter((name) => name !== 'enabled');
  if (written.length > 0 && !at.has('sandbox.enabled')) {
    const keys = written.map((name) => `sandbox.${name}`).join(', ');
    at.warn(
      'sandbox',
      `there is no sandbox, so this does nothing: ${keys}`,
      'Write sandbox.enabled: true or false.',
    );
  }
  if (!at.written.sandbox.enabled || at.written.sandbox.network === 'allowlist') return;
  for (const name of ['network_allowlist_cidrs', 'network_interface']) {
    const key = `sandbox.${name}`;
    if (at.has(key))
      at.warn(
        key,
        `${key} does nothing unless sandbox.network is allowlist`,
        'Set sandbox.network: allowlist, or remove it.',
      );
  }
}

function checkEnabled(at: Resolution): void {
  const { sandbox } = at.written;
  if (sandbox.backend === 'none') {
    at.problem(
      'sandbox.backend',
      'sandbox.enabled needs a backend',
      'Set sandbox.backend to bubblewrap or firejail.',
    );
  }
  if (sandbox.env_allowlist.length === 0) {
    at.problem(
      'sandbox.env_allowlist',
      'sandbox.enabled needs an env_allowlist: nothing else reaches the agent',
      'List what the agent needs, such as PATH, HOME and LANG.',
    );
  }
}

function checkAllowlist(at: Resolution): void {
  const { sandbox } = at.written;
  const because = 'sandbox.network: allowlist';
  if (sandbox.backend !== 'firejail') {
    at.problem(
      'sandbox.network',
      `${because} works only with firejail`,
      'Set sandbox.backend: firejail, or network: none.',
    );
  }
  if (sandbox.network_allowlist_cidrs.length === 0) {
    at.problem(
      'sandbox.network_allowlist_cidrs',
      `${because} needs ranges`,
      'List at least one, such as 10.0.0.0/8.',
    );
  }
  if ((sandbox.network_interface ?? '').trim() === '') {
    at.problem(
      'sandbox.network_interface',
      `${because} needs an interface`,
      'Name the host interface, such as eth0.',
    );
  }
}

function isIPv4Range(text: string): boolean {
  const [address = '', bits = '', ...more] = text.trim().split('/');
  return more.length === 0 && isIPv4(address) && /^\d{1,2}$/.test(bits) && Number(bits) <= 32;
}
