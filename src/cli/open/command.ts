import type { Command } from 'commander';
import { ApiError, createClient } from '../../contract/client.ts';
import { AppError } from '../../errors/app-error.ts';
import { buildChildEnvironment } from '../../process/children/environment.ts';
import { runCommand } from '../../process/children/run-command.ts';
import { examplesText } from '../examples.ts';
import { jsonText } from '../json-text.ts';
import { pageLink } from '../record/page-link.ts';
import type { RegisterCommand } from '../register-command.ts';
import { type RemoteFlags, type RemoteIo, remoteFlags, withRemote, withWorker } from '../remote/connect.ts';

interface OpenFlags extends RemoteFlags {
  readonly print?: boolean;
}

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

/** `aiops open`: the page in a browser, with the right to act. */
export const registerOpenCommand: RegisterCommand<RemoteIo> = (program, io, finish) => {
  withRemote(program.command('open'), examplesText('aiops open', 'aiops open --print'))
    .description('open the page of the worker in a browser, with the right to act')
    .option('--print', 'only print the link; it holds the token of the worker, so keep it to yourself')
    .action(async (_flags: object, command: Command) => {
      await openPage(remoteFlags<OpenFlags>(command), io);
      finish(0);
    });
};

async function openPage(flags: OpenFlags, io: RemoteIo): Promise<void> {
  const onlyPrint = flags.print === true || flags.json;
  const link = await withWorker(flags, io, async (client, signal, { baseUrl, token }) => {
    if (await asksForPassword(baseUrl, signal)) return pageLink(baseUrl);
    if (onlyPrint) return pageLink(baseUrl, { token: token ?? null });
    // Everybody can see the arguments of a process: what shows there works once.
    return pageLink(baseUrl, token === undefined ? {} : { code: (await client.link(signal())).code });
  });
  if (flags.json) io.stdout(jsonText({ url: link }));
  else if (onlyPrint) io.stdout(`${link}\n`);
  else {
    await startBrowser(link, io);
    io.stdout('Opened in your browser.\n');
  }
}

/** A worker whose user set a token has the browser ask for it; ours would be in the way. */
async function asksForPassword(baseUrl: string, signal: () => AbortSignal): Promise<boolean> {
  try {
    await createClient({ baseUrl, fetch }).worker(signal());
    return false;
  } catch (error) {
    return error instanceof ApiError && error.code === 'unauthorized';
  }
}

async function startBrowser(link: string, { environment, cwd }: RemoteIo): Promise<void> {
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
