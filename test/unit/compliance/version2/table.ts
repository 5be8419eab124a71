/** The handling of version 2, by the definitions of its schema. A new definition needs a row here. */
import type { Area, Cell } from '../area';
import { no } from '../area';
import type { Identity } from '../schemaTree';

interface Row {
  readonly section: string;
  readonly title: string;
  readonly sent?: Cell;
  readonly handled?: Cell;
  readonly shown?: Cell;
  /** The texts of single names that differ from the others. */
  readonly names?: Readonly<Record<string, Partial<Record<'sent' | 'handled' | 'shown', Cell>>>>;
}

const METHODS = 'Methods';
const UPDATES = 'Updates and content';
const TOOLS = 'Tool calls and permissions';
const OPTIONS = 'Session options and commands';
const FORMS = 'Elicitation';
const SIGN_IN = 'Signing in';
const WIRE = 'The wire';
const CAPABILITIES = 'Capabilities';

const received = (section: string, title: string, shown: Cell = '', names: Row['names'] = {}): Row => ({
  section,
  title,
  sent: no(),
  shown,
  names,
});
const ours = (section: string, title: string, sent: Cell = ''): Row => ({ section, title, sent, handled: no(), shown: no() });

export const ROWS: Readonly<Record<string, Row>> = {
  'agent method': {
    section: METHODS,
    title: 'Methods of the agent',
    shown: no(),
    names: {
      initialize: { sent: 'first, with the fields of version 1 beside it', shown: 'in the menu of the agent' },
      'auth/login': { sent: 'when a method of type `agent` is chosen' },
      'auth/logout': { sent: 'when the user signs out, if there is a method to sign in' },
      'session/new': { sent: 'for a new session; never to an agent without `session`' },
      'session/resume': { sent: 'for an earlier session, with `replayFrom` when the conversation is not here' },
      'session/prompt': { sent: 'for each message', handled: 'the message is inserted; ends no turn' },
      'session/cancel': { sent: 'on Stop', handled: no('a notification') },
      'tool_call/cancel': { sent: 'on Stop of one call that can be stopped' },
      'terminal/cancel': { sent: 'on Stop of a terminal that can be stopped' },
    },
  },
  'client method': {
    section: METHODS,
    title: 'Methods of the client',
    sent: no('our answer'),
    names: {
      'session/request_permission': {
        sent: 'the chosen option, or `cancelled`',
        shown: 'a card and a quick pick, with the title of the request',
      },
      'elicitation/create': { sent: 'accept, decline or cancel', shown: 'a card' },
    },
  },
  'protocol method': {
    section: METHODS,
    title: 'Methods of both sides',
    sent: 'after a timeout, or when the user gives up',
    shown: 'the question closes',
  },
  SessionUpdate: received(UPDATES, 'Updates', 'as the same update of version 1', {
    user_message: { handled: 'creates, replaces or clears; an echo of our message changes nothing' },
    user_message_chunk: { handled: 'appends; an echo of our message changes nothing' },
    agent_message: { handled: 'creates, replaces or clears' },
    agent_thought: { handled: 'creates, replaces or clears' },
    state_update: { handled: 'starts and ends turns', shown: 'the turn and its end; a turn of the agent without a message' },
    tool_call_update: { handled: 'creates or changes; null clears' },
    tool_call_content_chunk: { handled: 'appends one item' },
    terminal_update: { handled: 'creates or changes; null clears', shown: 'in the call that contains the terminal' },
    terminal_output_chunk: { handled: 'bytes, decoded over all chunks' },
    usage_update: { handled: 'null clears the cost' },
    other: { handled: 'kept and shown as it came' },
  }),
  StateUpdate: received(UPDATES, 'States of a session', 'whether the agent works', {
    requires_action: { shown: 'that the agent waits for the user' },
    other: { handled: 'the turn goes on', shown: 'the word itself' },
  }),
  IdleStateUpdate: received(UPDATES, 'Reasons for the end of a turn', 'in the end of the turn', {
    none: { handled: 'the reason is not reported' },
    error: { shown: 'the failure, with a sign-in for -32000' },
  }),
  BackgroundWork: received(UPDATES, 'Work in the background', 'in the list above the message box', {
    tool_call: { handled: 'Stop of the turn does not cancel it', shown: 'in the list, with Stop if it can be stopped' },
    terminal: { shown: 'in the list, with its output, and Stop if it can be stopped' },
  }),
  ContentBlock: received(UPDATES, 'Content blocks', 'as in version 1', { other: { handled: 'kept and shown as it came' } }),
  EmbeddedResourceResource: received(UPDATES, 'Contents of resources', 'as in version 1'),
  Role: received(UPDATES, 'Audiences', 'content for the agent alone is collapsed'),
  IconTheme: received(UPDATES, 'Themes of icons', no('icons of links are kept')),
  PlanUpdateContent: received(UPDATES, 'Kinds of plans', 'above the message box, then in the end of the turn', {
    other: { handled: 'kept and shown as it came' },
  }),
  PlanEntryPriority: received(UPDATES, 'Priorities of plan entries'),
  PlanEntryStatus: received(UPDATES, 'Statuses of plan entries'),
  NoticeSeverity: received(UPDATES, 'Severities of notices'),
  CompactionStatus: received(UPDATES, 'Statuses of compactions'),
  ToolKind: received(TOOLS, 'Kinds of tools', 'by icon and word'),
  ToolCallStatus: received(TOOLS, 'Statuses of tool calls', 'by icon and word', { other: { handled: 'the call is still open' } }),
  ToolCallContent: received(TOOLS, 'Content of tool calls', 'as in version 1', { other: { handled: 'kept and shown as it came' } }),
  DiffChange: received(TOOLS, 'Operations on files', 'in the list of changes'),
  DiffFileType: received(TOOLS, 'Types of files', no('kept with the change')),
  DiffPatchFormat: received(TOOLS, 'Formats of patches', 'the patch as text, below its changes', {
    git_patch: { handled: 'texts and lines of the changes', shown: 'as the diffs of version 1; modes and binary files as text' },
  }),
  RequestPermissionSubject: received(TOOLS, 'Subjects of permission requests', 'in the request', {
    tool_call: { handled: 'changes the call first, like an update' },
    command: { shown: 'the command and its folder' },
    other: { handled: 'kept; title and description are shown' },
  }),
  PermissionOptionKind: received(TOOLS, 'Kinds of options', 'as a button', { other: { handled: 'never counts as approval' } }),
  RequestPermissionOutcome: {
    ...ours(TOOLS, 'Outcomes of permission requests'),
    names: { other: { sent: no() } },
  },
  SessionConfigOption: received(OPTIONS, 'Options', 'below the message box'),
  SessionConfigOptionCategory: received(OPTIONS, 'Categories of options', 'by place and icon'),
  SessionConfigSelectOptions: received(OPTIONS, 'Choices of options', 'with the names of groups'),
  SetSessionConfigOptionRequest: { ...ours(OPTIONS, 'Values of options'), names: { other: { sent: no() } } },
  AvailableCommand: received(OPTIONS, 'Commands', 'after a slash'),
  AvailableCommandInput: received(OPTIONS, 'Input of commands', 'the hint'),
  ReplayFrom: { ...ours(OPTIONS, 'Beginnings of a replay'), names: { other: { sent: no() } } },
  McpServer: { ...ours(OPTIONS, 'MCP servers', 'where the agent takes them'), names: { other: { sent: no() } } },
  CreateElicitationRequest: received(FORMS, 'Modes', 'a card', { other: { handled: 'refused, kept and shown as it came' } }),
  CreateElicitationResponse: { ...ours(FORMS, 'Answers'), names: { other: { sent: no() } } },
  ElicitationSchemaType: received(FORMS, 'Types of schemas'),
  ElicitationPropertySchema: received(FORMS, 'Types of fields', 'a field', { other: { handled: 'refused, kept and shown as it came' } }),
  StringFormat: received(FORMS, 'Formats of texts', 'checked before sending'),
  MultiSelectItems: received(FORMS, 'Lists of choices', 'a field', { other: { handled: 'refused, kept and shown as it came' } }),
  ElicitationFormMode: received(FORMS, 'Scopes of forms'),
  ElicitationUrlMode: received(FORMS, 'Scopes of web pages'),
  ElicitationContentValue: { ...ours(FORMS, 'Values'), names: { Other: { sent: no() } } },
  AuthMethod: received(SIGN_IN, 'Methods to sign in', 'in the menu of the agent and on the sign-in card', {
    terminal: { handled: 'runs the program in a terminal' },
    other: { handled: 'kept, not offered', shown: no() },
  }),
  ErrorCode: received(WIRE, 'Error codes', 'the failure'),
  ErrorData: received(WIRE, 'Data of errors', 'in the failure', {
    UnsupportedProtocolVersion: { handled: 'the highest common version is used' },
    SessionNotFound: { handled: 'a closed or deleted session counts as gone' },
  }),
  AgentResponse: received(WIRE, 'Responses of the agent', no()),
  ClientResponse: ours(WIRE, 'Responses of the client'),
  RequestId: received(WIRE, 'Ids of requests', no()),
  ClientCapabilities: ours(CAPABILITIES, 'Capabilities of the client', 'in `initialize`'),
  AgentCapabilities: {
    section: CAPABILITIES,
    title: 'Capabilities of the agent',
    sent: no(),
    handled: 'opens the method or the content',
    shown: no(),
    names: { auth: { handled: no('has no content yet') }, session: { handled: 'without it, there are no sessions: a failure says so' } },
  },
};

/** Features that are newer than this schema. Their rows are written by hand. */
export const NEWER: readonly (readonly [name: string, handled: string])[] = [
  ['`replay_complete`', 'the history is whole; without it, a successful answer says so'],
  ['`subagent_update`, states and updates of child sessions', 'as in version 1: a card with its own conversation, Stop and questions'],
  ['`session_message`, `session_message_chunk`', 'as in version 1'],
  ['plan `markdown`, `plan_removed`', 'as in version 1'],
  ['tool call content `session`', 'a link to the child'],
  ['`session/fork`, `session/set_title`', 'sent where the agent offers them'],
  ['`_session/steering`', 'sent where the agent offers it'],
  ['`session/archive`, `session/unarchive`, `session/status`', 'sent where the agent offers them'],
  ['`session/fork` after a message', 'sent to the agents that read it from `_meta`, as in version 1'],
  ['`session/options`, initial `configOptions`', 'sent where the agent offers them; each value names its type'],
  ['`systemPrompt`', 'sent with each request that opens a session, where the agent offers it'],
  ['`auth/status`, `auth/status_update`, `_auth/status_update`', 'as in version 1: the account in the menu of the agent'],
  ['`providers/list`, `providers/set`, `providers/disable`', 'sent where the agent offers them'],
  ['`quota_update`, `quota/read`', 'as in version 1: the limits of the account; the update needs no capability'],
  ['prompt suggestions', 'not yet in version 2'],
];

/** The areas of a schema, each name with the texts of its row. Areas without a row are left out. */
export function areasOf(identities: readonly Identity[]): Area[] {
  const namesOf = (area: string): string[] => identities.flatMap((each) => (each.area === area ? each.name : []));
  return Object.entries(ROWS).flatMap(([area, { section, title, sent = '', handled = '', shown = '', names: special = {} }]) =>
    namesOf(area).length > 0
      ? [
          {
            ...{ area, label: area, section, title, intro: '', sent, handled, shown },
            rows: namesOf(area).map((name) => ({ name, ...special[name] })),
          },
        ]
      : [],
  );
}

/** A message for each area without a row, and for each row without an area. */
export function problems(identities: readonly Identity[]): string[] {
  const areas = new Set(identities.map(({ area }) => area));
  const known = new Set(identities.map(({ area, name }) => `${area} ${name}`));
  return [
    ...[...areas].filter((area) => !Object.hasOwn(ROWS, area)).map((area) => `the schema has ${area}, which has no row`),
    ...Object.entries(ROWS).flatMap(([area, { names = {} }]) =>
      areas.has(area)
        ? Object.keys(names)
            .filter((name) => !known.has(`${area} ${name}`))
            .map((name) => `the row ${area} names ${name}, which the schema does not have`)
        : [`there is a row for ${area}, which the schema does not have`],
    ),
  ];
}
