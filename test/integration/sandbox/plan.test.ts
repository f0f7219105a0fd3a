import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxConfig } from '../../../src/config/config.ts';
import { filterText } from '../../../src/runners/sandbox/firejail.ts';
import { planVisibility } from '../../../src/runners/sandbox/plan.ts';
import { createSandbox } from '../../../src/runners/sandbox/sandbox.ts';

let root: string;
let input: Parameters<typeof planVisibility>[0];

function file(...path: string[]): string {
  const whole = join(root, ...path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, '#!/bin/sh\n');
  chmodSync(whole, 0o755);
  return whole;
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'aiops-sandbox-')));
  file('bin', 'agent');
  mkdirSync(join(root, 'ws', '.git', 'objects', 'info'), { recursive: true });
  input = {
    command: 'agent',
    env: { PATH: `relative:${join(root, 'none')}:${join(root, 'bin')}`, HOME: join(root, 'home') },
    workspacePath: join(root, 'ws'),
    stateFolders: [join(root, 'home', '.codex')],
    programFiles: [],
    credentialFiles: [],
    borrowedFolders: [],
    writableFolders: [],
    mirrorRoot: join(root, 'mirrors'),
  };
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function borrow(...lines: string[]): void {
  writeFileSync(join(root, 'ws', '.git', 'objects', 'info', 'alternates'), lines.join('\n'));
}

describe('what a sandbox shows', () => {
  test('the program by its full path, with its folder read-only and the workspace writable', async () => {
    expect(await planVisibility(input)).toEqual({
      program: join(root, 'bin', 'agent'),
      home: join(root, 'home'),
      writable: [join(root, 'ws'), join(root, 'home', '.codex')],
      readOnly: [join(root, 'bin')],
    });
  });

  test('the packages a linked program belongs to', async () => {
    const real = file('lib', 'node_modules', '@scope', 'agent', 'node_modules', 'inner', 'bin.js');
    symlinkSync(real, join(root, 'bin', 'linked'));
    const { readOnly } = await planVisibility({ ...input, command: 'linked' });
    expect(readOnly).toContain(join(root, 'lib', 'node_modules'));
  });

  test('what the worker recorded as borrowed, whatever the workspace says about it', async () => {
    const objects = join(root, 'mirrors', 'repo.git', 'objects');
    const other = join(root, 'mirrors', 'other.git');
    mkdirSync(objects, { recursive: true });
    mkdirSync(join(other, 'objects'), { recursive: true });
    borrow(objects, join(other, 'objects'), other, join(root, 'mirrors', 'repo.git'), '/', '/etc');
    expect((await planVisibility(input)).readOnly).toEqual([join(root, 'bin')]);
    const recorded = { ...input, borrowedFolders: [objects, join(root, 'mirrors', 'gone')] };
    expect((await planVisibility(recorded)).readOnly).toEqual([join(root, 'bin'), objects]);
  });

  test('never the folder of all mirrors', async () => {
    mkdirSync(join(root, 'mirrors'));
    const recorded = { ...input, borrowedFolders: [join(root, 'mirrors'), root, '/'] };
    expect((await planVisibility(recorded)).readOnly).toEqual([join(root, 'bin')]);
  });

  test('what belongs to the program read-only, and what the workflow opens writable', async () => {
    const remote = join(root, 'home', 'app.git');
    mkdirSync(remote, { recursive: true });
    const shown = { programFiles: [join(root, 'pkg', 'agent')], writableFolders: [remote] };
    const { readOnly, writable } = await planVisibility({ ...input, ...shown });
    expect(readOnly).toEqual([join(root, 'bin'), join(root, 'pkg', 'agent')]);
    expect(writable).toContain(remote);
  });

  test('no folder around workspaces or mirrors is opened, by whatever name', async () => {
    mkdirSync(join(root, 'mirrors'));
    symlinkSync(root, join(root, 'link'));
    for (const folder of [root, join(root, 'ws'), join(root, 'mirrors'), join(root, 'link'), '/']) {
      await expect(planVisibility({ ...input, writableFolders: [folder] })).rejects.toMatchObject({
        message: expect.stringContaining(`sandbox.writable_folders has ${folder}, which holds`),
      });
    }
    const missing = { ...input, writableFolders: [join(root, 'none')] };
    await expect(planVisibility(missing)).rejects.toMatchObject({
      hint: expect.stringContaining('writable_folders'),
    });
  });

  test('a missing program or credential is named', async () => {
    await expect(planVisibility({ ...input, command: 'nobody' })).rejects.toMatchObject({
      code: 'agent_not_found',
    });
    const missing = { ...input, credentialFiles: [join(root, 'login')] };
    await expect(planVisibility(missing)).rejects.toMatchObject({
      hint: expect.stringContaining('credential_files'),
    });
  });
});

const config: SandboxConfig = {
  enabled: true,
  backend: 'bubblewrap',
  network: 'none',
  networkAllowlistCidrs: [],
  networkInterface: null,
  envAllowlist: ['PATH'],
  credentialFiles: [],
  writableFolders: [],
};

test('no sandbox unless it is enabled with a backend', () => {
  expect(createSandbox({ ...config, enabled: false }, '/m')).toBeNull();
  expect(createSandbox({ ...config, backend: 'none' }, '/m')).toBeNull();
});

test.runIf(process.platform === 'linux')(
  'variables pass by the list only, and never stand in the arguments',
  async () => {
    const env = {
      ...input.env,
      SECRET: 'dummy',
      AIOPS_RUN_OWNER: 'me',
      TMPDIR: join(root, 'ws', 'tmp'),
      CODEX_HOME: '/c',
    };
    const place = { workspacePath: join(root, 'ws'), stateFolders: [], variables: ['CODEX_HOME'] };
    const launch = await createSandbox(config, '/m')?.wrap({ command: 'agent', args: ['x'], env }, place);
    expect(Object.keys(launch?.env ?? {}).toSorted()).toEqual([
      'AIOPS_RUN_OWNER',
      'CODEX_HOME',
      'PATH',
      'TMPDIR',
    ]);
    expect(launch?.args).toContain('--unshare-net');
    expect(launch?.args.slice(-3)).toEqual(['--', join(root, 'bin', 'agent'), 'x']);
    expect(launch?.args.join(' ')).not.toContain('dummy');
  },
);

test('a filter drops what is not listed', () => {
  const lines = filterText(['10.0.0.0/8', ' 192.0.2.1/32 ']).split('\n');
  expect(lines).toContain(':OUTPUT DROP [0:0]');
  expect(lines.filter((line) => line.startsWith('-A OUTPUT -d'))).toEqual([
    '-A OUTPUT -d 10.0.0.0/8 -j ACCEPT',
    '-A OUTPUT -d 192.0.2.1/32 -j ACCEPT',
  ]);
});
