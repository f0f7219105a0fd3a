import type { Command } from 'commander';
import { examplesText } from '../examples.ts';
import { jsonText } from '../json-text.ts';
import { pageLink } from '../record/page-link.ts';
import type { RegisterCommand } from '../register-command.ts';
import { type RemoteFlags, type RemoteIo, remoteFlags, withRemote, withWorker } from '../remote/connect.ts';
import { asksForPassword, linkForBrowser, startBrowser } from './browser.ts';

interface OpenFlags extends RemoteFlags {
  readonly print?: boolean;
}

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
    if (!onlyPrint)
      return linkForBrowser(client, { baseUrl, ...(token === undefined ? {} : { token }) }, signal);
    if (await asksForPassword(baseUrl, signal)) return pageLink(baseUrl);
    return pageLink(baseUrl, { token: token ?? null });
  });
  if (flags.json) io.stdout(jsonText({ url: link }));
  else if (onlyPrint) io.stdout(`${link}\n`);
  else {
    await startBrowser(link, io);
    io.stdout('Opened in your browser.\n');
  }
}
