import type { Config } from '../../../config/config.ts';
import { fail, ok, skip, warn } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

/** What can be guessed at 10 attempts a second for a year is shorter than this. */
const SHORTEST_TOKEN = 16;
const MAKE_TOKEN =
  'Set AIOPS_STATE_API_TOKEN to a long random text, such as the output of `openssl rand -hex 32`';

export function portCheck(
  { server: { host, port, portWritten } }: Config,
  effects: Pick<Effects, 'tryPort' | 'findWorker'>,
): Check {
  return {
    id: 'port',
    title: 'Port of page and API',
    needs: 'machine',
    doctorOnly: true,
    async run() {
      if (port < 0) return skip('server.port is -1: the worker opens no port');
      if (port === 0) return ok('the worker picks a free one');
      const [{ problem, holderPid }, worker] = await Promise.all([
        effects.tryPort(host, port),
        effects.findWorker(),
      ]);
      if (problem === null) return ok(`${host}:${port} is free`);
      if (worker !== null && holderPid === worker.pid)
        return ok(`${host}:${port} is held by the running worker of this workflow (pid ${worker.pid})`);
      if (!portWritten && holderPid !== null)
        return ok(`${host}:${port} is taken (pid ${holderPid}); nobody asked for it, so a free one is used`);
      return fail(problem.message, problem.hint);
    },
  };
}

export function exposureCheck(
  { server: { host, port } }: Config,
  effects: Pick<Effects, 'tokenLengths' | 'isLoopback'>,
): Check {
  return {
    id: 'api-access',
    title: 'Access to page and API',
    needs: 'machine',
    doctorOnly: true,
    async run() {
      const { full, readOnly } = await effects.tokenLengths();
      if (port < 0) return skip('server.port is -1: the worker opens no port');
      const guarded = full !== null || readOnly !== null;
      if (effects.isLoopback(host)) {
        return ok(
          `only this machine reaches ${host}${guarded ? ', and only with a token' : '; actions take the token of the worker'}`,
        );
      }
      if (!guarded) {
        return warn(
          `server.host ${host} listens beyond this machine, but without a token only this machine is served`,
          `${MAKE_TOKEN}, or set server.host to 127.0.0.1.`,
        );
      }
      const shortest = Math.min(full ?? Number.POSITIVE_INFINITY, readOnly ?? Number.POSITIVE_INFINITY);
      if (shortest < SHORTEST_TOKEN) {
        return warn(
          `${host} is reachable from elsewhere, and a token of it is short enough to guess`,
          `${MAKE_TOKEN}.`,
        );
      }
      return ok(
        `${host} is reachable from elsewhere with a token; put TLS in front where the network is not trusted`,
      );
    },
  };
}
