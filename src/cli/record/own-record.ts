import { randomBytes } from 'node:crypto';
import type { Environment } from '../../config/read/environment.ts';
import { realWorkflowPath } from '../../config/roots/state-folder.ts';
import { systemClock } from '../../domain/clock.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { readIdentity } from '../../process/table/process-identity.ts';
import { readVersion } from '../version.ts';
import { removeRecord, type WorkerRecord, writeRecord } from './worker-record.ts';

const TOKEN_BYTES = 32;

/** The record this worker leaves for the commands of its user, kept true while it runs. */
export class OwnRecord {
  readonly #environment: Environment;
  readonly #logger: Logger;
  #record: WorkerRecord;
  #last: Promise<void> = Promise.resolve();

  private constructor(record: WorkerRecord, environment: Environment, logger: Logger) {
    this.#record = record;
    this.#environment = environment;
    this.#logger = logger;
  }

  /** Makes a new identity and token; nothing is written yet. */
  static async make(workflowPath: string, environment: Environment, logger: Logger): Promise<OwnRecord> {
    const identity = await readIdentity(process.pid);
    const record: WorkerRecord = {
      format: 1,
      version: readVersion(),
      instance: randomBytes(8).toString('hex'),
      pid: process.pid,
      start_time: identity?.startTime ?? '',
      started_at: new Date(systemClock.now()).toISOString(),
      workflow_path: realWorkflowPath(workflowPath),
      url: null,
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
    };
    return new OwnRecord(record, environment, logger);
  }

  get token(): string {
    return this.#record.token;
  }

  get identity(): Pick<WorkerRecord, 'instance' | 'version' | 'pid' | 'started_at' | 'workflow_path'> {
    const { instance, version, pid, started_at, workflow_path } = this.#record;
    return { instance, version, pid, started_at, workflow_path };
  }

  /** A record that cannot be written costs only convenience, so the worker goes on. */
  publish(url: string | null): Promise<void> {
    this.#record = { ...this.#record, url };
    const record = this.#record;
    this.#last = this.#last.then(() =>
      writeRecord(record, this.#environment).catch((error: unknown) => {
        this.#logger.warn('commands will not find this worker by themselves', {
          error: messageOf(error),
          hint: error instanceof AppError && error.hint !== null ? error.hint : HINT,
        });
      }),
    );
    return this.#last;
  }

  async remove(): Promise<void> {
    await this.#last;
    await removeRecord(this.#record, this.#environment);
  }
}

const HINT = 'Set XDG_STATE_HOME to a folder this user may write, or give the commands --url and a token.';
