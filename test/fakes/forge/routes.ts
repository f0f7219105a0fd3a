import type { FakeAnswer, FakeRequest } from './server.ts';
import type { FakeIssue, ForgeStore } from './store.ts';

type Answer = (request: FakeRequest) => FakeAnswer;
type AnswerAbout = (issue: FakeIssue, request: FakeRequest) => FakeAnswer;

export interface RepositoryRoutes {
  /** Answers for octo/app; every other repository is not there. */
  inRepo(answer: Answer): Answer;
  /** Answers about the issue, or the pull request, that the path names. */
  onIssue(answer: AnswerAbout): Answer;
  onPull(answer: AnswerAbout): Answer;
}

/** Handlers for the one repository of a fake. Forges name the numbers in their paths differently. */
export function repositoryRoutes(
  store: ForgeStore,
  notFound: FakeAnswer,
  parameters: { readonly issue: string; readonly pull: string },
): RepositoryRoutes {
  const inRepo: RepositoryRoutes['inRepo'] = (answer) => (request) => {
    const { owner, repo } = request.path;
    const isOurs = `${owner}/${repo}`.toLowerCase() === 'octo/app' && !store.hidden;
    return isOurs ? answer(request) : notFound;
  };
  const on = (parameter: string, accepts: (issue: FakeIssue) => boolean, answer: AnswerAbout): Answer =>
    inRepo((request) => {
      const issue = store.issues.get(Number(request.path[parameter]));
      return issue === undefined || !accepts(issue) ? notFound : answer(issue, request);
    });
  return {
    inRepo,
    onIssue: (answer) => on(parameters.issue, () => true, answer),
    onPull: (answer) => on(parameters.pull, (issue) => issue.pull !== null, answer),
  };
}
