/** What git, its transports and its helpers need of the worker's environment. Names of secrets are not among them. */
const ALLOWED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_(CONFIG_HOME|CACHE_HOME|RUNTIME_DIR|DATA_HOME)|LD_LIBRARY_PATH|SYSTEMROOT|SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|(HTTPS?|ALL|NO|FTP)_PROXY|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|KRB5\w+|GNUPGHOME|PASSWORD_STORE_DIR|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|GCM_\w+|GIT_(SSH\w*|ASKPASS|CONFIG_\w+|SSL_\w+|HTTP_\w+|PROXY_\w+|CURL_\w+|TRACE\w*|TRANSFER_TRACE|LFS_\w+|AUTHOR_\w+|COMMITTER_\w+|EXEC_PATH|TEMPLATE_DIR|ALLOW_PROTOCOL|PROTOCOL\w*|DEFAULT_HASH))$/i;

/**
 * The environment of every git the worker runs itself: what git needs of the given one, nothing that would redirect it or
 * that holds a secret of the worker's, and set so that no missing credential ever waits for a person. An operator's own
 * GIT_ASKPASS program stays in force. What replaces objects by others never counts: agents write refs, too.
 */
export function gitEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && ALLOWED.test(name)) kept[name] = value;
  }
  return {
    ...kept,
    ...(environment['GIT_ASKPASS'] === undefined ? { GIT_ASKPASS: '', SSH_ASKPASS: '' } : {}),
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_TERMINAL_PROMPT: '0',
    GCM_INTERACTIVE: 'never',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    LC_ALL: 'C',
    LANGUAGE: 'C',
  };
}
