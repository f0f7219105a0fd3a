import { AppError, messageOf } from '../errors/app-error.ts';
import { EXIT } from '../errors/exit-codes.ts';

/** Tells a person what went wrong and what to do, and gives the exit code. A bug keeps its stack. */
export function reportError(error: unknown, stderr: (text: string) => void): number {
  if (!(error instanceof AppError)) {
    stderr(
      `aiops: internal error, please report it: ${error instanceof Error ? error.stack : messageOf(error)}\n`,
    );
    return EXIT.failed;
  }
  const hint = error.hint === null || error.message.includes(error.hint) ? '' : ` ${error.hint}`;
  const message = /[.!?\n]$/.test(error.message) || hint === '' ? error.message : `${error.message}.`;
  stderr(`aiops: ${message}${hint}\n`);
  return error.exitCode;
}
