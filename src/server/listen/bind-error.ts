import { AppError, hasErrno, messageOf } from '../../errors/app-error.ts';
import { findPortHolder } from './port-holder.ts';

const OTHER_PORT = 'choose another port with --port N or server.port in the workflow (0 picks a free one)';

/** Says why a listener could not open, in terms of what to change. */
export async function explainBindError(cause: unknown, host: string, port: number): Promise<AppError> {
  const { message, hint } = await describe(cause, host, port);
  return new AppError('server_bind_failed', message, { hint, cause, context: { host, port } });
}

async function describe(
  cause: unknown,
  host: string,
  port: number,
): Promise<{ message: string; hint: string }> {
  const address = `${host}:${port}`;
  if (hasErrno(cause, 'EADDRINUSE')) {
    const holder = await findPortHolder(port);
    const by =
      holder === null
        ? 'by another program, perhaps another worker'
        : `by ${holder.name} (pid ${holder.pid})`;
    return {
      message: `cannot listen on ${address}: the port is in use ${by}`,
      hint:
        holder === null
          ? `Find it with "lsof -i :${port}" and stop it, or ${OTHER_PORT}.`
          : `Stop that process, or ${OTHER_PORT}.`,
    };
  }
  if (hasErrno(cause, 'EACCES')) {
    return {
      message: `cannot listen on ${address}: not permitted`,
      hint: `Ports below 1024 are reserved for the system: ${OTHER_PORT}.`,
    };
  }
  if (hasErrno(cause, 'ERR_SOCKET_BAD_PORT')) {
    return {
      message: `cannot listen on ${address}: a port is a number from 0 to 65535`,
      hint: `Correct it: ${OTHER_PORT}.`,
    };
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].some((code) => hasErrno(cause, code))) {
    return {
      message: `cannot listen on ${address}: this machine has no address "${host}"`,
      hint: 'Set server.host to 127.0.0.1, or to an address of this machine.',
    };
  }
  return {
    message: `cannot listen on ${address}: ${messageOf(cause)}`,
    hint: `Fix the cause, or ${OTHER_PORT}.`,
  };
}
