import { dirname, relative, sep } from 'node:path';
import { packageFile } from '../../../process/package-file.ts';
import { readVersion } from '../../version.ts';

/** The schema of workflow files that this package ships. */
export const INSTALLED_SCHEMA = packageFile('schema/workflow.schema.json');

/**
 * Where an editor finds the schema, for everybody who has the file: by a path from the file where the package is installed in
 * the same project, else by the address at which npm packages are served. Never by a path of this machine.
 */
export function schemaFor(workflowPath: string, schema: string): string {
  const [project = '', inPackages] = schema.split(`${sep}node_modules${sep}`);
  const folder = dirname(workflowPath);
  if (inPackages === undefined || !`${folder}${sep}`.startsWith(`${project}${sep}`)) return published();
  const way = relative(folder, schema).split(sep).join('/');
  return way.startsWith('.') ? way : `./${way}`;
}

function published(): string {
  return `https://unpkg.com/aiops-platform@${readVersion()}/schema/workflow.schema.json`;
}
