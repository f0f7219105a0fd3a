import { describe, expect, it } from 'vitest';
import { boundaryViolations } from './boundaries.ts';
import { LAYERS, MAY_NAME_ADAPTERS, MAY_SAY_KINDS, ROOM_EXCEPTIONS } from './layers.ts';
import { readRepositoryFile, sourceFiles } from './repository.ts';

describe('the import graph of this repository', () => {
  const sources = new Map(
    [...sourceFiles('src'), ...sourceFiles('dashboard')].map((path) => [path, readRepositoryFile(path)]),
  );

  it('points from higher layers to lower ones only (R-3.2-a)', () => {
    expect(sources.size).toBeGreaterThan(20);
    expect(boundaryViolations(sources)).toEqual([]);
  });

  it('has no exception that is no longer needed', () => {
    const used = new Set<string>();
    boundaryViolations(sources, (exception) => used.add(exception));
    const known = [
      ...Object.keys(ROOM_EXCEPTIONS),
      ...Object.keys(MAY_SAY_KINDS),
      ...MAY_NAME_ADAPTERS.map(({ place, adapter }) => `${place} -> ${adapter}`),
    ];
    expect(known.filter((exception) => !used.has(exception))).toEqual([]);
  });

  it('has a layer for every folder', () => {
    const folders = new Set(
      [...sources.keys()].filter((path) => path.startsWith('src/')).map((path) => path.split('/')[1]),
    );
    expect([...folders].filter((folder) => !LAYERS.flat().some((layer) => layer.folder === folder))).toEqual(
      [],
    );
  });
});

describe('boundaryViolations', () => {
  it('finds the name of a kind outside of its folder, in a text of its own only', () => {
    const files = {
      'src/trackers/linear/kind.ts': "export const kind = 'linear';",
      'src/cli/a.ts': "const text = 'linear search';\nif (kind === 'linear') ask();",
      'src/config/b.ts': "const usual = 'codex-app-server';",
    };
    expect(boundaryViolations(new Map(Object.entries(files)))).toEqual([
      'src/cli/a.ts:2: only its own folder may name the kind linear',
      'src/config/b.ts:1: only its own folder may name the kind codex-app-server',
    ]);
  });

  /** Each file imports nothing but what the row says; the targets exist. */
  function judge(files: Record<string, string>): readonly string[] {
    return boundaryViolations(new Map(Object.entries(files)));
  }

  it('accepts a downward import, a port, a registry and type imports', () => {
    expect(
      judge({
        'src/domain/issue.ts': 'export interface Issue { readonly id: string }',
        'src/config/config.ts': "import type { Issue } from '../domain/issue.ts';",
        'src/scheduler/order.ts':
          "import type { Config } from '../config/config.ts';\nconst at = Date.parse(text);",
        'src/trackers/tracker.ts': '',
        'src/trackers/local/adapter.ts':
          "import type { Tracker } from '../tracker.ts';\nimport './schema.ts';",
        'src/trackers/local/schema.ts': "import { parse } from 'yaml';",
        'src/trackers/registry.ts': "const load = () => import('./local/adapter.ts');",
        'src/run/run.ts':
          "import type { Tracker } from '../trackers/tracker.ts';\nimport type { X } from './generated/x.d.ts';",
        'src/contract/state.ts': "import { z } from 'zod';",
        'dashboard/src/app.tsx': "import { useState } from 'react';\nimport '../../src/contract/state.ts';",
      }),
    ).toEqual([]);
  });

  it.each([
    [
      'a higher layer',
      'src/config/a.ts',
      "import { x } from '../orchestrator/b.ts';",
      'src/orchestrator/b.ts',
    ],
    ['a higher layer, as a type', 'src/store/a.ts', "import type { X } from '../run/b.ts';", 'src/run/b.ts'],
    ['a higher layer, dynamically', 'src/store/a.ts', "await import('../run/b.ts');", 'src/run/b.ts'],
    ['a higher layer, re-exported', 'src/store/a.ts', "export * from '../run/b.ts';", 'src/run/b.ts'],
    [
      'a higher layer, over several lines',
      'src/store/a.ts',
      "import {\n  x,\n} from\n'../run/b.ts';",
      'src/run/b.ts',
    ],
    ['a sibling', 'src/trackers/a.ts', "import '../runners/b.ts';", 'src/runners/b.ts'],
    ['another adapter', 'src/trackers/linear/a.ts', "import '../local/b.ts';", 'src/trackers/local/b.ts'],
    [
      'an adapter from its port',
      'src/trackers/tracker.ts',
      "import './local/b.ts';",
      'src/trackers/local/b.ts',
    ],
    [
      'an adapter from above',
      'src/orchestrator/a.ts',
      "import '../trackers/local/b.ts';",
      'src/trackers/local/b.ts',
    ],
    [
      'the config as a value',
      'src/scheduler/a.ts',
      "import { x } from '../config/config.ts';",
      'src/config/config.ts',
    ],
    [
      'another config file',
      'src/scheduler/a.ts',
      "import type { X } from '../config/load.ts';",
      'src/config/load.ts',
    ],
    ['more than the contract', 'dashboard/src/a.ts', "import '../../src/domain/b.ts';", 'src/domain/b.ts'],
    [
      'more than its messages',
      'src/runners/mock/agent/a.ts',
      "import '../script.ts';",
      'src/runners/mock/script.ts',
    ],
    ['a higher room', 'src/scheduler/core/a.ts', "import '../phases/b.ts';", 'src/scheduler/phases/b.ts'],
    ['a room beside its own', 'src/cli/record/a.ts', "import '../compose/b.ts';", 'src/cli/compose/b.ts'],
    ['a room without a place', 'src/cli/hall/a.ts', "import '../record/b.ts';", 'src/cli/record/b.ts'],
    [
      'an adapter from a command',
      'src/cli/status/a.ts',
      "import '../../trackers/local/b.ts';",
      'src/trackers/local/b.ts',
    ],
    ['a folder without a layer', 'src/cli/a.ts', "import '../helpers/b.ts';", 'src/helpers/b.ts'],
    ['a test helper', 'src/cli/a.ts', "import '../../test/b.ts';", 'test/b.ts'],
  ])('refuses %s', (_what, path, text, target) => {
    const found = judge({ [path]: text, [target]: '' });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(path);
  });

  it.each([
    ['src/scheduler/a.ts', "import { readFile } from 'node:fs';", 'pure'],
    ['src/domain/a.ts', "import { z } from 'zod';", 'depends on nothing'],
    ['src/contract/a.ts', "import { join } from 'node:path';", 'browser'],
    ['src/workspaces/a.ts', "import { spawn } from 'node:child_process';", 'src/process/'],
    ['src/workspaces/a.ts', "const { spawn } = require('child_process');", 'src/process/'],
    ['src/run/a.ts', "import pino from 'pino';", 'src/observability/'],
    ['src/server/a.ts', "import './missing.ts';", 'no source file'],
    ['src/server/a.ts', "import { x } from './generated/x.d.ts';", 'no source file'],
    ['src/run/a.ts', 'await import(name);', 'computed'],
    ['src/cli/a.ts', "console.log('x');", 'nobody'],
    ['src/server/a.ts', 'const here = import.meta.url;', 'src/process/package-file.ts'],
    ['src/cli/a.ts', "process.stdout.write('x');", 'src/cli/io.ts'],
    ['src/run/a.ts', 'process.kill(pid);', 'src/process/'],
    ['src/run/a.ts', 'const home = process.env.HOME;', 'src/config/'],
    ['src/run/a.ts', 'const home = process.env[name];', 'src/config/'],
    ['src/scheduler/a.ts', 'const now = Date.now();', 'impure'],
    ['src/scheduler/a.ts', 'const now = new Date();', 'impure'],
    ['src/scheduler/a.ts', 'const chance = Math.random();', 'impure'],
    ['src/scheduler/a.ts', 'setTimeout(f, 1);', 'impure'],
    ['src/scheduler/a.ts', 'export async function f() {}', 'impure'],
  ])('refuses in %s: %s', (path, text, reason) => {
    const found = judge({ [path]: text });
    expect(found.length).toBeGreaterThan(0);
    expect(found[0]).toContain(reason);
  });

  it('is not fooled by comments, strings, templates, regular expressions and property names', () => {
    const text = [
      "// import '../orchestrator/b.ts'; console.log(1)",
      '/* process.env.X */ const a = "import \'../cli/b.ts\'";',
      'const b = `console ${call("process.env")} import(x)`;',
      "const c = /'console/; const d = e / f / g;",
      'this.console.log(view.process.env); const h = { console: 1 };',
      "export const i = `${`nested ${'}'} console`}`;",
    ].join('\n');
    expect(judge({ 'src/run/a.ts': text })).toEqual([]);
  });

  it('looks inside template substitutions', () => {
    expect(judge({ 'src/run/a.ts': 'const a = `${process.env.HOME}`;' })).toHaveLength(1);
  });

  it('names the line', () => {
    expect(judge({ 'src/run/a.ts': "const a = `\n\n`;\n/*\n*/\nconsole.log('x');" })[0]).toContain(
      'src/run/a.ts:6:',
    );
  });
});
