/** The command line as a worker runs it, from one compiled file; see `main.ts`. */
export { runCli } from '../run-cli.ts';
