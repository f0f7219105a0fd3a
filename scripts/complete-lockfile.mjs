import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addMissingPlatforms } from './lib/lockfile.mjs';
import { root, say } from './lib/program.mjs';

/**
 * Run it after a change of dependencies: `node scripts/complete-lockfile.mjs`. A registry mirror that holds the
 * packages of one platform only makes npm leave the others out of the lockfile, and `npm ci` then refuses it.
 */
const path = join(root, 'package-lock.json');
const lockfile = JSON.parse(readFileSync(path, 'utf8'));
const added = addMissingPlatforms(lockfile);
if (added.length > 0) writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`);
say(added.length === 0 ? 'The lockfile is complete.' : `Added to the lockfile: ${added.join(', ')}`);
