import { type Repository, repositoryPath } from '../../../domain/repository.ts';
import type { Purpose } from '../../../http/budget/governor.ts';
import type { ApiHttp } from '../../../http/request/api-http.ts';
import type { ForgeReads } from '../reading/forge-reads.ts';

import { type RestDialect, unusable } from './dialect.ts';
import { Viewer } from './schema.ts';

export interface RestReadsOptions {
  readonly http: ApiHttp;
  readonly repository: Repository;
  readonly dialect: RestDialect;
  /** Where an issue's blockers are, below the issue's own address. */
  readonly blockersPath: string;
}

export interface RestReads extends Pick<ForgeReads, 'dependencies' | 'issue' | 'viewer'> {
  /** What is at this path of the repository; undefined when it is gone. */
  readOptional(path: string, purpose: Purpose, signal: AbortSignal): Promise<unknown>;
}

/** The answer of an old server, or of a repository without dependencies. */
const UNSUPPORTED = 404;

/** Reads that both forges answer in the same way. */
export function createRestReads({ http, repository, dialect, blockersPath }: RestReadsOptions): RestReads {
  const root = repositoryPath(repository);

  async function readOptional(path: string, purpose: Purpose, signal: AbortSignal): Promise<unknown> {
    const { gone: expected } = dialect;
    const response = await http.request({ path: `${root}${path}`, purpose, signal, expected });
    return expected.includes(response.status) ? undefined : response.json;
  }

  return {
    readOptional,
    async dependencies(number, purpose, signal) {
      const path = `${root}/issues/${number}${blockersPath}`;
      const { status, json } = await http.request({ path, purpose, signal, expected: [UNSUPPORTED] });
      if (status === UNSUPPORTED) return null;
      if (!Array.isArray(json)) throw unusable(dialect, `the blockers of #${number}`);
      return json.map((entry) => {
        const blocker = dialect.parseBlocker(entry, repository);
        if (blocker === null) throw unusable(dialect, `a blocker of #${number}`);
        return blocker;
      });
    },
    async issue(number, purpose, signal) {
      const json = await readOptional(`/issues/${number}`, purpose, signal);
      if (json === undefined) return null;
      const blocker = dialect.parseBlocker(json, repository);
      if (blocker === null) throw unusable(dialect, `#${number}`);
      return blocker;
    },
    async viewer(signal) {
      const { json } = await http.request({ path: '/user', purpose: 'poll', signal });
      const parsed = Viewer.safeParse(json);
      if (!parsed.success) throw unusable(dialect, 'the user of the token');
      return parsed.data.login;
    },
  };
}
