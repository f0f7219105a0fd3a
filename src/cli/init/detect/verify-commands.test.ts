import { expect, test } from 'vitest';
import { findProjectFacts } from './verify-commands.ts';

const SCRIPTS = '{"scripts":{"test":"vitest","lint":"biome check"},"devDependencies":{"vitest":"4"}}';

const PROJECTS: readonly [string, Readonly<Record<string, string>>, readonly string[], string | null][] = [
  ['nothing known', { 'README.md': '' }, [], null],
  [
    'npm with a lockfile',
    { 'package.json': SCRIPTS, 'package-lock.json': '' },
    ['npm run lint', 'npm test'],
    'npm ci',
  ],
  [
    'npm without one',
    { 'package.json': SCRIPTS },
    ['npm run lint', 'npm test'],
    'npm install --no-package-lock',
  ],
  [
    'pnpm',
    { 'package.json': SCRIPTS, 'pnpm-lock.yaml': '' },
    ['pnpm run lint', 'pnpm test'],
    'pnpm install --frozen-lockfile',
  ],
  [
    'yarn',
    { 'package.json': SCRIPTS, 'yarn.lock': '' },
    ['yarn run lint', 'yarn test'],
    'yarn install --frozen-lockfile',
  ],
  [
    'bun',
    { 'package.json': SCRIPTS, 'bun.lock': '' },
    ['bun run lint', 'bun run test'],
    'bun install --frozen-lockfile',
  ],
  ['no packages to fetch', { 'package.json': '{"scripts":{"test":"node --test"}}' }, ['npm test'], null],
  [
    "npm's placeholder",
    { 'package.json': '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
    [],
    null,
  ],
  ['a broken package.json', { 'package.json': '{"scripts":' }, [], null],
  ['a package.json that is a list', { 'package.json': '[1]' }, [], null],
  ['scripts of wrong types', { 'package.json': '{"scripts":{"test":1,"lint":null}}' }, [], null],
  ['make with check and test', { Makefile: 'test:\n\tgo test\ncheck: test\n' }, ['make check'], null],
  ['make with test', { Makefile: 'all:\ntest: all\n\tx\n' }, ['make test'], null],
  ['a variable named test', { Makefile: 'test := 1\nall:\n' }, [], null],
  [
    'a package.json without scripts beside a Makefile',
    { 'package.json': '{}', Makefile: 'test:\n' },
    ['make test'],
    null,
  ],
  ['cargo', { 'Cargo.toml': '' }, ['cargo test'], 'cargo fetch'],
  ['go', { 'go.mod': '' }, ['go vet ./...', 'go test ./...'], 'go mod download'],
  ['pytest by its settings', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['pytest'], null],
  [
    'pytest as a dependency, with uv',
    { 'pyproject.toml': 'dev = ["pytest>=8"]', 'uv.lock': '' },
    ['uv run pytest'],
    null,
  ],
  ['python without tests', { 'pyproject.toml': '[project]\n' }, [], null],
  ['tox', { 'tox.ini': '' }, ['tox'], null],
  ['gradle', { gradlew: '' }, ['./gradlew test'], null],
  ['maven', { 'pom.xml': '' }, ['mvn --batch-mode test'], null],
];

test.each(PROJECTS)('a project with %s', (_name, files, verify, setUp) => {
  expect(findProjectFacts(new Map(Object.entries(files)))).toEqual({ verify, setUp });
});
