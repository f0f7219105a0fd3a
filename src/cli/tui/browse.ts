import { createClient } from '../../contract/client.ts';
import { AppError } from '../../errors/app-error.ts';
import type { Place } from '../../tui/data/place.ts';
import type { CliIo } from '../io.ts';
import { linkForBrowser, startBrowser } from '../open/browser.ts';

const PATIENCE_MS = 15_000;

/** Opens the address, or the page of the worker for null; says what was done. Only web addresses are opened. */
export async function browse(
  url: string | null,
  place: Place,
  io: Pick<CliIo, 'environment' | 'cwd'>,
): Promise<string> {
  if (url !== null && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) {
    await startBrowser(new URL(url).href, io);
    return `opened ${new URL(url).href} in your browser`;
  }
  const { pageUrl } = place;
  if (pageUrl === null) throw new AppError('usage', 'this worker has no page (its port is off)');
  const { token } = place;
  const page = { baseUrl: pageUrl.replace(/\/$/, ''), ...(token === undefined ? {} : { token }) };
  const link = await linkForBrowser(createClient({ ...place }), page, () => AbortSignal.timeout(PATIENCE_MS));
  await startBrowser(link, io);
  return 'opened the page of the worker in your browser';
}
