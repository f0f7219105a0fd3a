import { ERROR_CODES, type ErrorCode } from './codes.ts';

export interface AppErrorOptions {
  /** What to do about it, as an instruction. */
  readonly hint?: string;
  readonly cause?: unknown;
  /** Structured facts for the log; never a secret. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Every error a user can meet. Our own bugs stay plain `Error`s. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly hint: string | null;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
    this.context = options.context ?? {};
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exitCode;
  }

  get httpStatus(): number {
    return ERROR_CODES[this.code].httpStatus;
  }
}

/** The text of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** True for a Node system error with this code, e.g. `ENOENT`. */
export function hasErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** For `catch`: what is not there (`ENOENT`) stands for `fallback`; every other error goes on. */
export function ifMissing<T>(fallback: T): (error: unknown) => T {
  return (error) => {
    if (hasErrno(error, 'ENOENT')) return fallback;
    throw error;
  };
}
