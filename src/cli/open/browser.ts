import { type ApiClient, ApiError, createClient } from '../../contract/client.ts';
import { AppError } from '../../errors/app-error.ts';
import { buildChildEnvironment } from '../../process/children/environment.ts';
import { runCommand } from '../../process/children/run-command.ts';
import type { CliIo } from '../io.ts';
import { pageLink } from '../record/page-link.ts';
import { askOverHttp } from '../remote/ask-over-http.ts';
import type { Connection } from '../remote/connect.ts';

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
/** What a browser needs of the environment to find the running session. */
const DESKTOP = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'BROWSER',
];
const DESKTOP_DATA = [
  'XDG_CURRENT_DESKTOP',
  'XDG_DATA_DIRS',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'DESKTOP_SESSION',
];
const OPEN_MS = 15_000;

/** The page of a worker, with the right to act for whoever has it. Everybody can see the arguments of a process: this one works once. */
export async function linkForBrowser(
  client: ApiClient,
  { baseUrl, token }: Connection,
  signal: () => AbortSignal,
): Promise<string> {
  if (token === undefined || (await asksForPassword(baseUrl, signal))) return pageLink(baseUrl);
  return pageLink(baseUrl, { code: (await client.link(signal())).code });
}

/** A worker whose user set a token has the browser ask for it; ours would be in the way. */
export async function asksForPassword(baseUrl: string, signal: () => AbortSignal): Promise<boolean> {
  try {
    await createClient({ baseUrl, fetch: askOverHttp }).worker(signal());
    return false;
  } catch (error) {
    return error instanceof ApiError && error.code === 'unauthorized';
  }
}

/** Opens an address in the browser of the person at this machine. */
export async function startBrowser(
  link: string,
  { environment, cwd }: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<void> {
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const env = buildChildEnvironment({
    source: environment,
    passthrough: [...DESKTOP, ...DESKTOP_DATA],
    denyNames: [],
    denyValues: [],
    extra: {},
  });
  const result = await runCommand({ command, args: [...args, link], cwd, env, timeoutMs: OPEN_MS });
  if (result.outcome === 'exited' && result.code === 0) return;
  throw new AppError('usage', `${command} could not open a browser`, {
    hint: 'Run `aiops open --print` and open the link it prints yourself.',
  });
}
