import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addMissingPlatforms, missingOptional } from './lockfile.mjs';
import { root } from './program.mjs';

it('is complete in this repository: npm ci refuses it otherwise', () => {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  expect(Object.keys(lockfile.packages).length).toBeGreaterThan(50);
  expect(missingOptional(lockfile)).toEqual([]);
});

it('adds what a mirror of one platform left out', () => {
  const present = { version: '1.0.0', os: ['linux'], cpu: ['x64'], optional: true };
  const lockfile = {
    packages: {
      '': {},
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: {
          '@tool/linux-x64': '1.0.0',
          '@tool/darwin-arm64': '1.0.0',
          'tool-linux-arm64-musl': '1.0.1',
        },
      },
      'node_modules/@tool/linux-x64': present,
    },
  };
  expect(addMissingPlatforms(lockfile)).toEqual(['@tool/darwin-arm64', 'tool-linux-arm64-musl']);
  expect(missingOptional(lockfile)).toEqual([]);
  expect(lockfile.packages).toMatchObject({
    'node_modules/@tool/linux-x64': present,
    'node_modules/@tool/darwin-arm64': {
      version: '1.0.0',
      os: ['darwin'],
      cpu: ['arm64'],
      dev: true,
      optional: true,
    },
    'node_modules/tool-linux-arm64-musl': { version: '1.0.1', os: ['linux'], cpu: ['arm64'], libc: ['musl'] },
  });
  expect(addMissingPlatforms(lockfile)).toEqual([]);
});
