/** Files every adapter folder has, so that a reader who knows one adapter finds their way in all of them. */
export const ADAPTER_FILES: Readonly<Record<string, readonly string[]>> = {
  'src/trackers': [
    'kind.ts',
    'from-config.ts',
    'adapter.ts',
    'client.ts',
    'normalize.ts',
    'schema.ts',
    'settings.ts',
    'setup.ts',
    'tools.ts',
  ],
  'src/forges': ['adapter.ts', 'normalize.ts', 'schema.ts', 'settings.ts'],
  'src/runners': ['conversation.ts', 'inspect.ts', 'runner.ts', 'settings.ts', 'setup.ts'],
};

/** Folders beside the adapters that are not adapters. */
export const NOT_ADAPTERS: readonly string[] = [
  'src/forges/rest',
  'src/forges/tools',
  'src/runners/session',
  'src/runners/start',
  'src/runners/tools',
  'src/runners/sandbox',
  'src/trackers/forge',
  'src/trackers/issue-tools',
];

/** Names that tools or habit prescribe. */
const GIVEN_NAMES = /^(?:[A-Z]+(?:_[A-Z]+)*(?:\.md)?|Dockerfile|\.[a-z].*)$/;
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
/** Issues of example trackers are named by their identifier. */
const ISSUE_FILE = /^[A-Z]+-\d+\.md$/;

/** Paths with a part that is not in kebab-case. */
export function misnamed(paths: readonly string[]): readonly string[] {
  return paths.filter((path) =>
    path
      .split('/')
      .some((part) => !KEBAB_CASE.test(part) && !GIVEN_NAMES.test(part) && !ISSUE_FILE.test(part)),
  );
}

/** Adapter folders that lack an agreed file or are not named by their registry. */
export function incompleteAdapters(
  files: ReadonlyMap<string, string>,
  agreed: Readonly<Record<string, readonly string[]>> = ADAPTER_FILES,
): readonly string[] {
  return Object.entries(agreed).flatMap(([parent, names]) => {
    const registry = files.get(`${parent}/registry.ts`) ?? '';
    return adapterFolders(parent, [...files.keys()]).flatMap((folder) => {
      const missing = names
        .filter((name) => !files.has(`${folder}/${name}`))
        .map((name) => `${folder} has no ${name}`);
      const isRegistered = registry.includes(`'./${folder.slice(parent.length + 1)}/`);
      return isRegistered ? missing : [...missing, `${folder} is not in ${parent}/registry.ts`];
    });
  });
}

function adapterFolders(parent: string, paths: readonly string[]): readonly string[] {
  const folders = paths
    .filter((path) => path.startsWith(`${parent}/`) && path.slice(parent.length + 1).includes('/'))
    .map((path) => path.split('/').slice(0, 3).join('/'));
  return [...new Set(folders)].filter((folder) => !NOT_ADAPTERS.includes(folder));
}
