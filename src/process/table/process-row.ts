/** One process as the kernel knows it. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Ended, but not yet collected by its parent: it runs no code and holds nothing. */
  readonly zombie: boolean;
  /** With the pid, names a process for good: no later process on this machine has both. */
  readonly startTime: string;
  /** Orders processes by start within one boot. */
  readonly startOrder: number;
}
