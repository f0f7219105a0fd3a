import { AppError, hasErrno } from '../../errors/app-error.ts';

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

/** A folder where a file belongs, a file where a folder does, a name too long: shapes that git itself never leaves. */
const ODD_SHAPES = ['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'ELOOP', 'ENAMETOOLONG'];

/** Does the work of writing into a git directory that an agent had; what stands in its way there makes the repository unsafe. */
export async function writingInto<T>(gitDirectory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!ODD_SHAPES.some((code) => hasErrno(error, code))) throw error;
    const { message } = error as NodeJS.ErrnoException;
    throw unsafeRepository(gitDirectory, `holds something that git never makes: ${message}`);
  }
}
