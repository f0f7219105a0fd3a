import { formatMatrix } from './print-matrix.ts';
import { repositoryMatrix } from './repository-matrix.ts';

/** Run by `npm run conformance`. `--proof` adds where each line is proven. */
const matrix = repositoryMatrix();
console.log(formatMatrix(matrix, process.argv.includes('--proof')));
const open = matrix.sections.some(({ lines }) => lines.some(({ standing }) => standing === 'open'));
if (open || matrix.problems.length > 0) process.exitCode = 1;
