import { silentLogger } from '../../../src/observability/logger.ts';
import { createLocalTracker } from '../../../src/trackers/local/adapter.ts';

/** Comments on an issue and moves it to and fro, many times: `node program folder id writer-name times`. */
const [folder = '', id = '', name = '', times = '0'] = process.argv.slice(2);
const signal = new AbortController().signal;
const tracker = createLocalTracker({
  path: folder,
  activeStates: ['Todo', 'In Progress'],
  terminalStates: ['Done'],
  author: name,
  logger: silentLogger,
});
const outcome = (await tracker.fetchIssuesByIds([id], signal)).get(id);

async function call(tool: string, input: unknown): Promise<void> {
  const issue = outcome?.kind === 'current' ? outcome.issue : null;
  if (issue === null) throw new Error(`no issue ${id}`);
  const result = await tracker.tools.execute({ name: tool, arguments: input }, { issue, signal });
  if (!result.success) throw new Error(`${tool}: ${result.error.code}: ${result.error.message}`);
}

for (let round = 0; round < Number(times); round += 1) {
  await call('issue_comment', { body: `${name} ${round}` });
  if (round % 10 === 0) await call('issue_move', { state: round % 20 === 0 ? 'In Progress' : 'Todo' });
}
