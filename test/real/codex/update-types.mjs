import { writeFileSync } from 'node:fs';
import { formatTypes, TYPES_FILE } from './types-file.mjs';

/** After a change of what is used of the protocol: `node test/real/codex/update-types.mjs`. A test compares the result. */
writeFileSync(TYPES_FILE, formatTypes());
