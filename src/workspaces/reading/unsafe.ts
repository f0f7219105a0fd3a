import { AppError } from '../../errors/app-error.ts';

/** Something an agent left where git or the worker would read it, and that must not be read. */
export function unsafeRepository(path: string, reason: string): AppError {
  return new AppError('repository_unsafe', `${path} ${reason}`, {
    hint: 'Nothing in it is run or read. The files are kept as they are: see `aiops rescue list` once the worker has set them aside.',
    context: { path },
  });
}

export function isUnsafeRepository(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'repository_unsafe';
}
