import { readRepositoryFile, repositoryFiles } from '../architecture/repository.ts';
import { buildMatrix, type Matrix } from './matrix.ts';
import { SECTIONS } from './requirements/all.ts';

/** The matrix of this repository as it is on disk. */
export function repositoryMatrix(): Matrix {
  return buildMatrix(SECTIONS, { paths: repositoryFiles(), read: readRepositoryFile });
}
