/**
 * Whether what a file says is an event that the reducer and the view can take. Our own journals are written by us; a journal that came with a
 * bug report may have been written by anybody. Only shapes are checked, at every depth that is looked into, and unknown fields are nobody's concern.
 */
import type { SessionEvent } from './event';
import { MAX_TERMINAL_SIZE } from './terminalSize';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const flag: Check = (value) => typeof value === 'boolean';
const anything: Check = () => true;
const scalar: Check = (value) => text(value) || number(value) || flag(value);

const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);
const or =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
/** May be left out. */
const maybe = (check: Check): Check => or((value) => value === undefined, check);
/** May be left out or cleared. */
const patch = (check: Check): Check => or((value) => value === undefined || value === null, check);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const dictionary =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));
/** An object of one of several types; a type that is not in the table does not fit. */
const variant =
  (key: string, shapes: Readonly<Record<string, Readonly<Record<string, Check>>>>): Check =>
  (value) => {
    const type = isObject(value) ? value[key] : undefined;
    return typeof type === 'string' && Object.hasOwn(shapes, type) && shape(shapes[type]!)(value);
  };

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const annotated = { annotations: maybe(isObject) };
const block = variant('type', {
  text: { text, ...annotated },
  image: { data: text, mimeType: text, uri: maybe(text), ...annotated },
  audio: { data: text, mimeType: text, ...annotated },
  resource_link: {
    uri: text,
    name: text,
    title: maybe(text),
    description: maybe(text),
    mimeType: maybe(text),
    size: maybe(number),
    ...annotated,
  },
  resource: { uri: text, mimeType: maybe(text), text: maybe(text), blob: maybe(text), ...annotated },
  unknown: { raw: anything },
});
const change = shape({ operation: text, path: text, oldPath: maybe(text), oldText: patch(text), newText: maybe(text) });
const toolContent = variant('type', {
  content: { content: block },
  diff: { changes: list(change), patch: maybe(text) },
  terminal: { terminalId: text },
  unknown: { raw: anything },
});
const location = shape({ path: text, line: maybe(number) });
/** Codes name their room; a bare word could be one that every object has. */
const code: Check = (value) => typeof value === 'string' && /^(?:\w+\.\w+|internal)$/.test(value);
const failure = shape({ code, params: maybe(dictionary(or(text, number))), detail: maybe(text) });
const toolPatch = shape({
  title: patch(text),
  name: patch(text),
  kind: patch(text),
  status: patch(text),
  content: patch(list(toolContent)),
  locations: patch(list(location)),
});
const exitStatus = shape({ exitCode: maybe(number), signal: maybe(text) });
const plan = variant('type', {
  items: { entries: list(shape({ content: text, priority: text, status: text })) },
  markdown: { content: text },
  file: { uri: text },
  unknown: { raw: anything },
});
const choice = shape({ value: text, name: text, description: maybe(text) });
const optionHead = { configId: text, name: text, description: maybe(text), category: maybe(text) };
const configOption = variant('type', {
  select: { ...optionHead, currentValue: text, groups: list(shape({ name: maybe(text), choices: list(choice) })) },
  boolean: { ...optionHead, currentValue: flag },
  unknown: { ...optionHead, raw: anything },
});
const reason = variant('type', {
  protected_path: { access: oneOf('read', 'write'), rule: text, path: text, target: maybe(text) },
  command: { unasked: flag, variables: list(text) },
});
const subject = shape({
  reason: maybe(reason),
  toolCallId: maybe(text),
  kind: maybe(text),
  content: maybe(list(toolContent)),
  locations: maybe(list(location)),
  command: maybe(text),
  cwd: maybe(text),
});
const fieldHead = { name: text, title: maybe(text), description: maybe(text), required: flag };
const elicitationChoices = { choices: list(shape({ value: text, title: text, description: maybe(text) })) };
const numberField = { ...fieldHead, minimum: maybe(number), maximum: maybe(number), defaultValue: maybe(number) };
const field = variant('type', {
  string: {
    ...fieldHead,
    minLength: maybe(number),
    maxLength: maybe(number),
    pattern: maybe(text),
    format: maybe(text),
    defaultValue: maybe(text),
  },
  choice: { ...fieldHead, ...elicitationChoices, defaultValue: maybe(text) },
  choices: { ...fieldHead, ...elicitationChoices, minItems: maybe(number), maxItems: maybe(number), defaultValue: maybe(list(text)) },
  number: numberField,
  integer: numberField,
  boolean: { ...fieldHead, defaultValue: maybe(flag) },
});
const elicitation = variant('mode', {
  form: { title: maybe(text), description: maybe(text), fields: list(field) },
  url: { elicitationId: text, url: text },
});
const authMethod = shape({
  methodId: text,
  name: text,
  description: maybe(text),
  type: text,
  args: maybe(list(text)),
  env: maybe(dictionary(text)),
  vars: maybe(list(shape({ name: text, label: maybe(text), secret: flag, optional: flag }))),
  link: maybe(text),
});
const offers = shape({ load: flag, resume: flag, list: flag, close: flag, delete: flag, additionalDirectories: flag, logout: flag });
const writtenFile = { path: text, operation: text, added: maybe(number), removed: maybe(number) };
const turnChanges = shape({ files: list(shape({ ...writtenFile, oldPath: maybe(text), hasText: maybe(flag) })), more: maybe(number) });
const changes = maybe(turnChanges);
const role = oneOf('user', 'agent', 'thought');
/** A view makes room for as much. */
const characters: Check = (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TERMINAL_SIZE;
const terminalSize = shape({ columns: characters, rows: characters });
const terminalHead = {
  terminalId: text,
  ours: maybe(flag),
  command: maybe(text),
  cwd: maybe(text),
  shell: maybe(flag),
  pipe: maybe(flag),
  size: maybe(terminalSize),
};

/** By type; a type that is missing here does not compile. */
const EVENTS: Readonly<Record<SessionEvent['type'], Readonly<Record<string, Check>>>> = {
  session_opened: { agentName: text, cwd: text, additionalDirectories: maybe(list(text)), sessionId: maybe(text) },
  start_progress: { command: text, line: maybe(text), updates: maybe(number) },
  agent_initialized: {
    protocolVersion: number,
    agent: maybe(shape({ name: maybe(text), title: maybe(text), version: maybe(text) })),
    promptCapabilities: shape({ image: flag, audio: flag, embeddedContext: flag }),
    authMethods: list(authMethod),
    offers: maybe(offers),
  },
  sign_in: {
    status: oneOf('required', 'running', 'failed', 'signed_in', 'signed_out', 'dismissed'),
    methodId: maybe(text),
    failure: maybe(failure),
  },
  session_ready: { sessionId: text },
  session_failed: { failure, changes },
  disconnected: { failure, changes },
  session_ended: { changes },
  session_info: { title: patch(text), updatedAt: patch(text) },
  turn_started: { turnId: text },
  turn_cancelling: {},
  turn_ended: { turnId: text, stopReason: text, failure: maybe(failure), changes },
  file_written: { file: shape(writtenFile) },
  turn_changes: { turnId: text, changes: turnChanges },
  turn_usage: {
    usage: shape({
      total: maybe(number),
      input: maybe(number),
      output: maybe(number),
      thought: maybe(number),
      cachedRead: maybe(number),
      cachedWrite: maybe(number),
    }),
  },
  message: { role, messageId: text, content: patch(list(block)) },
  message_chunk: { role, messageId: text, content: block },
  tool_call_update: { toolCallId: text, patch: toolPatch },
  tool_call_content_chunk: { toolCallId: text, content: toolContent },
  terminal_update: { ...terminalHead, output: maybe(text), exitStatus: maybe(exitStatus), released: maybe(flag) },
  terminal_output: { terminalId: text, text, skipped: maybe(number) },
  plan_update: { planId: text, plan },
  plan_removed: { planId: text },
  permission_requested: {
    permissionId: text,
    title: text,
    description: maybe(text),
    options: list(shape({ optionId: text, name: text, kind: text })),
    subject,
  },
  permission_resolved: { permissionId: text, outcome: oneOf('selected', 'cancelled', 'withdrawn', 'lost'), optionId: maybe(text) },
  elicitation_requested: { requestKey: text, message: text, body: elicitation, toolCallId: maybe(text) },
  elicitation_resolved: {
    requestKey: text,
    outcome: oneOf('accepted', 'declined', 'cancelled', 'withdrawn', 'lost'),
    content: maybe(dictionary(or(scalar, list(text)))),
  },
  elicitation_completed: { requestKey: text },
  config_options: { options: list(configOption) },
  config_value: { configId: text, value: or(text, flag) },
  available_commands: { commands: list(shape({ name: text, description: text, inputHint: maybe(text) })) },
  usage: { usage: shape({ used: number, size: number, cost: maybe(shape({ amount: number, currency: text })) }) },
  notice: { noticeId: text, severity: text, title: text, description: maybe(text), failure: maybe(failure) },
  compaction_update: { compactionId: text, status: maybe(text), summary: patch(list(block)), error: patch(text) },
  compaction_chunk: { compactionId: text, content: block },
  unknown: { unknownId: text, label: text, raw: anything },
};

const isEvent = variant('type', EVENTS);

/** True when every field that an event of this type has is of its type. */
export function isSessionEvent(value: unknown): value is SessionEvent {
  return isEvent(value) && number((value as { at?: unknown }).at);
}
