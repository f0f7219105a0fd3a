import { once } from 'node:events';
import { acquireWorkerLock } from '../../../src/store/locks/worker-lock.ts';

/** Holds the lock of a worker until its standard input ends: `node program root scope workflow-path`. */
const [root = '', scope = '', workflowPath = ''] = process.argv.slice(2);
const lock = await acquireWorkerLock({ root, scope, workflowPath });
process.stdout.write('held\n');
process.stdin.resume();
await once(process.stdin, 'end');
await lock.release();
