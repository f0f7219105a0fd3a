import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import config from '../../vitest.config.ts';
import { repositoryRoot } from './repository.ts';

const FAST = ['units', 'whole'];

describe('suites', () => {
  it('have a command each, so that none is forgotten by .ci/run', () => {
    const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = Object.entries(scripts).filter(([name]) => name.startsWith('test:'));
    const projects = (config.test?.projects ?? []).map((project) =>
      typeof project === 'object' && 'test' in project ? project.test?.name : project,
    );
    expect(commands).toEqual(
      projects
        .filter((name) => !FAST.includes(String(name)))
        .map((name) => [`test:${name}`, `node scripts/heavy-suite.mjs ${name}`])
        .sort(),
    );
  });
});
