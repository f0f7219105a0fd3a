/** Root fields that are kept. */
const ROOTS = {
  Query: [
    'issue',
    'issues',
    'viewer',
    'user',
    'users',
    'team',
    'teams',
    'project',
    'projects',
    'workflowState',
    'workflowStates',
    'issueLabels',
    'comment',
    'comments',
    'attachment',
    'attachmentsForURL',
    'organization',
    'searchIssues',
  ],
  Mutation: [
    'issueUpdate',
    'issueBatchUpdate',
    'issueCreate',
    'issueDelete',
    'issueArchive',
    'issueAddLabel',
    'issueRemoveLabel',
    'issueRelationCreate',
    'commentCreate',
    'commentUpdate',
    'commentDelete',
    'attachmentCreate',
    'attachmentDelete',
    'attachmentLinkURL',
    'attachmentLinkGitHubPR',
    'attachmentLinkGitLabMR',
    'fileUpload',
  ],
};

/** Objects whose fields are kept, as far as the types of those fields are kept too. */
const OBJECTS = [
  ...['Issue', 'WorkflowState', 'Team', 'Project', 'User', 'Comment', 'IssueLabel', 'IssueRelation'],
  ...['Attachment', 'IssueHistory', 'Cycle', 'Organization', 'PageInfo', 'ActorBot'],
  ...['IssuePayload', 'IssueBatchPayload', 'IssueArchivePayload', 'CommentPayload', 'DeletePayload'],
  ...['AttachmentPayload', 'FrontAttachmentPayload', 'IssueSearchPayload', 'IssueSearchResult'],
  ...['IssueRelationPayload', 'UploadPayload', 'UploadFile', 'UploadFileHeader'],
];
const CONNECTIONS = [
  ...['Issue', 'WorkflowState', 'Team', 'Project', 'User', 'Comment', 'IssueLabel', 'IssueRelation'],
  ...['Attachment', 'IssueHistory', 'Cycle'],
];
const INPUTS = [
  ...['IssueFilter', 'NullableProjectFilter', 'ProjectFilter', 'TeamFilter', 'NullableTeamFilter'],
  ...['WorkflowStateFilter', 'NullableUserFilter', 'UserFilter', 'CommentFilter', 'IssueLabelFilter'],
  ...['IssueLabelCollectionFilter', 'StringComparator', 'NullableStringComparator', 'NumberComparator'],
  ...['NullableNumberComparator', 'IdComparator', 'IssueIdComparator', 'BooleanComparator', 'DateComparator'],
  ...['NullableDateComparator', 'IssueSortInput', 'CreatedAtSort', 'UpdatedAtSort', 'PrioritySort'],
  ...['IssueUpdateInput', 'IssueCreateInput', 'CommentCreateInput', 'CommentUpdateInput'],
  ...['AttachmentCreateInput', 'IssueRelationCreateInput'],
];

const MEMBER = /^ {2}(\w+)(\?)?: (.+);$/;

/** The kept part of the schema as GraphQL, from the SDK's generated declarations. */
export function buildLinearSchema(declarations, version) {
  const shapes = readShapes(declarations);
  const enums = readEnums(declarations);
  const kept = new Set([
    ...Object.keys(ROOTS),
    ...OBJECTS,
    ...CONNECTIONS.map((name) => `${name}Connection`),
    ...INPUTS,
  ]);
  const used = { enums: new Set(), scalars: new Set() };
  const context = { shapes, enums, kept, used };
  const blocks = [...kept]
    .filter((name) => shapes.has(name))
    .sort()
    .map((name) => printShape(name, context));
  const scalars = [...used.scalars].sort().map((name) => `scalar ${name}`);
  const enumBlocks = [...used.enums].sort().map((name) => {
    return `enum ${name} {\n${enums
      .get(name)
      .map((value) => `  ${value}\n`)
      .join('')}}`;
  });
  return `${[header(version), ...scalars, ...enumBlocks, ...blocks].join('\n\n')}\n`;
}

function header(version) {
  return [
    `# Part of Linear's published GraphQL schema, rebuilt from the types of @linear/sdk ${version}`,
    '# (MIT License, Copyright (c) 2019 Linear). Made by scripts/rebuild-linear-schema.mjs; do not edit.',
  ].join('\n');
}

/** Members by name of the type. */
function readShapes(declarations) {
  const shapes = new Map();
  let members = null;
  for (const line of declarations.split('\n')) {
    const start = /^type (\w+) = (?:\w+ & )*\{$/.exec(line);
    if (start !== null) {
      members = [];
      if (!shapes.has(start[1])) shapes.set(start[1], members);
    } else if (line === '};') members = null;
    else if (members !== null) {
      const member = MEMBER.exec(line);
      if (member !== null) members.push({ name: member[1], type: member[3] });
    }
  }
  return shapes;
}

function readEnums(declarations) {
  const enums = new Map();
  for (const [, name, body] of declarations.matchAll(/^declare enum (\w+) \{\n([\s\S]*?)\n\}/gm)) {
    enums.set(
      name,
      [...body.matchAll(/= "(\w+)"/g)].map(([, value]) => value),
    );
  }
  return enums;
}

function printShape(name, context) {
  const members = context.shapes.get(name);
  const isObject = members.some((member) => member.name === '__typename');
  const lines = members
    .filter((member) => member.name !== '__typename')
    .filter((member) => ROOTS[name]?.includes(member.name) ?? true)
    .flatMap((member) => {
      const type = printType(member.type, context);
      if (type === null) return [];
      return [`  ${member.name}${isObject ? printArguments(name, member.name, context) : ''}: ${type}`];
    });
  return `${isObject ? 'type' : 'input'} ${name} {\n${lines.join('\n')}\n}`;
}

function printArguments(type, field, context) {
  const holder = `${type}${field.slice(0, 1).toUpperCase()}${field.slice(1)}Args`;
  const members = context.shapes.get(holder) ?? findIgnoringCase(context.shapes, holder) ?? [];
  const printed = members.flatMap((member) => {
    const argument = printType(member.type, context);
    return argument === null ? [] : [`${member.name}: ${argument}`];
  });
  return printed.length === 0 ? '' : `(${printed.join(', ')})`;
}

/** Code generators spell `attachmentLinkURL` as `AttachmentLinkUrl`. */
function findIgnoringCase(shapes, name) {
  for (const [key, value] of shapes) if (key.toLowerCase() === name.toLowerCase()) return value;
  return null;
}

/** Null when the type is not kept. */
function printType(type, context) {
  const maybe = /^(?:Input)?Maybe<(.+)>$/.exec(type);
  if (maybe !== null) {
    const inner = printType(maybe[1], context);
    return inner === null ? null : inner.replace(/!$/, '');
  }
  const list = /^Array<(.+)>$/.exec(type);
  if (list !== null) {
    const inner = printType(list[1], context);
    return inner === null ? null : `[${inner}]!`;
  }
  const scalar = /^Scalars\["(\w+)"\]$/.exec(type);
  if (scalar !== null) {
    if (!['ID', 'String', 'Boolean', 'Int', 'Float'].includes(scalar[1])) context.used.scalars.add(scalar[1]);
    return `${scalar[1]}!`;
  }
  if (context.enums.has(type)) {
    context.used.enums.add(type);
    return `${type}!`;
  }
  return context.kept.has(type) && context.shapes.has(type) ? `${type}!` : null;
}
