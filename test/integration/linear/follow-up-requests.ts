import type { Request, RequestValues } from './requests.ts';

function write(name: string, body: string): Request {
  return [name, { query: `mutation { ${body} }` }];
}

/** Issues that would start by themselves, lie elsewhere, or tie others to the run's. */
export function hostileFollowUps(w: RequestValues): readonly Request[] {
  const place = `teamId: "${w.teamId}", projectId: "${w.projectId}"`;
  const create = (name: string, input: string): Request =>
    write(`a new issue ${name}`, `issueCreate(input: { ${input} }) { success }`);
  const relate = (name: string, input: string): Request =>
    write(`a relation ${name}`, `issueRelationCreate(input: { ${input} }) { success }`);
  return [
    create(
      'in another team',
      `teamId: "t", projectId: "${w.projectId}", title: "x", stateId: "${w.backlog}"`,
    ),
    create(
      'in another project',
      `teamId: "${w.teamId}", projectId: "p", title: "x", stateId: "${w.backlog}"`,
    ),
    create('without a project', `teamId: "${w.teamId}", title: "x", stateId: "${w.backlog}"`),
    create('in whatever state', `${place}, title: "x"`),
    create('that starts at once', `${place}, title: "x", stateId: "${w.todo}"`),
    create('that is in progress', `${place}, title: "x", stateId: "${w.progress}"`),
    create('that is finished', `${place}, title: "x", stateId: "${w.done}"`),
    create('in a state of nobody', `${place}, title: "x", stateId: "nothing"`),
    create('without a title', `${place}, stateId: "${w.backlog}"`),
    create('with a blank title', `${place}, title: " ", stateId: "${w.backlog}"`),
    create('below another issue', `${place}, title: "x", stateId: "${w.backlog}", parentId: "${w.otherId}"`),
    create('for somebody', `${place}, title: "x", stateId: "${w.backlog}", assigneeId: "someone"`),
    create('as somebody else', `${place}, title: "x", stateId: "${w.backlog}", createAsUser: "boss"`),
    create('with an id of its own', `${place}, title: "x", stateId: "${w.backlog}", id: "${w.otherId}"`),
    create('from a template', `${place}, title: "x", stateId: "${w.backlog}", templateId: "t"`),
    write(
      'eleven new issues',
      Array.from(
        { length: 11 },
        (_, i) => `a${i}: issueCreate(input: { ${place}, title: "x", stateId: "${w.backlog}" }) { success }`,
      ).join(' '),
    ),
    relate('to another issue', `issueId: "${w.id}", relatedIssueId: "${w.otherId}", type: related`),
    relate('from another issue', `issueId: "${w.otherId}", relatedIssueId: "${w.id}", type: blocks`),
    relate(
      'between others',
      `issueId: "${w.otherId}", relatedIssueId: "${w.otherIdentifier}", type: related`,
    ),
    relate('with itself', `issueId: "${w.id}", relatedIssueId: "${w.identifier}", type: related`),
    relate('that closes', `issueId: "${w.id}", relatedIssueId: "${w.otherId}", type: duplicate`),
    relate('of an unknown kind', `issueId: "${w.id}", relatedIssueId: "${w.otherId}", type: similar`),
  ];
}
