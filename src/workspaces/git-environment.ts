/** Variables that would point git at another repository than the one it is run for. */
const LOCATION_VARIABLES = new Set([
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
  'GIT_REPLACE_REF_BASE',
]);

/**
 * The environment of every git the worker runs itself: the given one, without what would redirect git, and set so that
 * no missing credential ever waits for a person. An operator's own GIT_ASKPASS program stays in force.
 */
export function gitEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !LOCATION_VARIABLES.has(name)) kept[name] = value;
  }
  return {
    ...kept,
    ...(environment['GIT_ASKPASS'] === undefined ? { GIT_ASKPASS: '', SSH_ASKPASS: '' } : {}),
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    LC_ALL: 'C',
    LANGUAGE: 'C',
  };
}
