import { parseForeignJson } from '../../../domain/nesting.ts';
import type { ProjectFacts } from './facts.ts';

/** Names and texts of the files at the top of a project, as far as they are of interest. */
export type ProjectFiles = ReadonlyMap<string, string>;

/** Files whose text is looked at; of all others the name is enough. */
export const READ_FILES: readonly string[] = ['package.json', 'Makefile', 'makefile', 'pyproject.toml'];

/** How a project is checked, as its own files tell. The first kind of project that is found counts. */
export function findProjectFacts(files: ProjectFiles): ProjectFacts {
  for (const look of [nodeProject, makeProject, cargoProject, goProject, pythonProject, jvmProject]) {
    const found = look(files);
    if (found !== null && found.verify.length > 0) return found;
  }
  return { verify: [], setUp: null };
}

/** npm's own placeholder, which always fails. */
const NO_TESTS = /no test specified/;

function nodeProject(files: ProjectFiles): ProjectFacts | null {
  const text = files.get('package.json');
  if (text === undefined) return null;
  const project = parseObject(text);
  const scripts = objectIn(project, 'scripts');
  const hasScript = (name: string): boolean => {
    const script = scripts[name];
    return typeof script === 'string' && script.trim() !== '' && !NO_TESTS.test(script);
  };
  const { run, test, install } = packageManager(files);
  const needsPackages = ['dependencies', 'devDependencies'].some(
    (name) => Object.keys(objectIn(project, name)).length > 0,
  );
  return {
    verify: [...(hasScript('lint') ? [`${run} lint`] : []), ...(hasScript('test') ? [test] : [])],
    setUp: needsPackages ? install : null,
  };
}

interface PackageManager {
  readonly run: string;
  readonly test: string;
  readonly install: string;
}

function packageManager(files: ProjectFiles): PackageManager {
  if (files.has('pnpm-lock.yaml'))
    return { run: 'pnpm run', test: 'pnpm test', install: 'pnpm install --frozen-lockfile' };
  if (files.has('yarn.lock'))
    return { run: 'yarn run', test: 'yarn test', install: 'yarn install --frozen-lockfile' };
  if (files.has('bun.lock') || files.has('bun.lockb'))
    return { run: 'bun run', test: 'bun run test', install: 'bun install --frozen-lockfile' };
  const locked = files.has('package-lock.json') || files.has('npm-shrinkwrap.json');
  return { run: 'npm run', test: 'npm test', install: locked ? 'npm ci' : 'npm install --no-package-lock' };
}

function makeProject(files: ProjectFiles): ProjectFacts | null {
  const text = files.get('Makefile') ?? files.get('makefile');
  if (text === undefined) return null;
  const target = ['check', 'test'].find((name) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text));
  return { verify: target === undefined ? [] : [`make ${target}`], setUp: null };
}

function cargoProject(files: ProjectFiles): ProjectFacts | null {
  return files.has('Cargo.toml') ? { verify: ['cargo test'], setUp: 'cargo fetch' } : null;
}

function goProject(files: ProjectFiles): ProjectFacts | null {
  return files.has('go.mod') ? { verify: ['go vet ./...', 'go test ./...'], setUp: 'go mod download' } : null;
}

/** Python projects are too different to set one up by guessing. */
function pythonProject(files: ProjectFiles): ProjectFacts | null {
  const usesPytest =
    files.has('pytest.ini') ||
    files.has('conftest.py') ||
    /\[tool\.pytest|["']pytest\b/.test(files.get('pyproject.toml') ?? '');
  if (usesPytest) return { verify: [files.has('uv.lock') ? 'uv run pytest' : 'pytest'], setUp: null };
  return files.has('tox.ini') ? { verify: ['tox'], setUp: null } : null;
}

function jvmProject(files: ProjectFiles): ProjectFacts | null {
  if (files.has('gradlew')) return { verify: ['./gradlew test'], setUp: null };
  if (files.has('mvnw')) return { verify: ['./mvnw --batch-mode test'], setUp: null };
  return files.has('pom.xml') ? { verify: ['mvn --batch-mode test'], setUp: null } : null;
}

/** A file of the project that is not what its name says tells nothing. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseForeignJson(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function objectIn(value: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const found = value[name];
  return isRecord(found) ? found : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
