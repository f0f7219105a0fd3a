/** What one push may bring. More is no work of a session, and is refused. */
export interface PushLimits {
  /** Files of objects in the workspace's own repository. */
  readonly files: number;
  /** Objects that the remote does not have. */
  readonly objects: number;
  /** Of all these objects together, not compressed. */
  readonly contentBytes: number;
  /** The same, compressed. */
  readonly packBytes: number;
  /** Of the files kept in Git LFS. */
  readonly largeFileBytes: number;
}

const GIB = 1024 ** 3;

export const PUSH_LIMITS: PushLimits = {
  files: 200_000,
  objects: 200_000,
  contentBytes: 4 * GIB,
  packBytes: 2 * GIB,
  largeFileBytes: 8 * GIB,
};

/** A size as people read it. */
export function sizeText(bytes: number): string {
  return bytes >= GIB ? `${Math.round((bytes / GIB) * 10) / 10} GiB` : `${Math.ceil(bytes / 1024)} KiB`;
}
