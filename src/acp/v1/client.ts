/**
 * Handles the requests of a v1 agent (protocol pages "File System", "Terminals", "Tool Calls"): reads the parameters, calls the {@link Client} in
 * wire order and encodes its answer. Invalid parameters are answered `-32602`, unknown methods `-32601`.
 */
import type { ExitStatus, PermissionOption } from '../../core/model/content';
import { Fault, failureOf } from '../../core/model/failure';
import type { Client, ElicitationAnswer, PermissionParams, TerminalCommand } from '../dialect';
import type { Fields } from '../json/fields';
import { isPresent, isRecord, keep, restOf, textOf, withRest } from '../json/fields';
import type { Respond } from '../jsonrpc/incoming';
import { invalidParams, methodNotFound } from '../jsonrpc/rpc';
import { permissionText } from '../quirks/air/content';
import { requestedPatch } from '../quirks/opencodePatch';
import { decodeElicitation } from './elicitation';
import { askerOf } from './sessionTarget';
import { decodeToolCall } from './toolCalls';

type Answer = (client: Client, sessionId: string, params: Fields, signal: AbortSignal) => unknown;

const METHODS: Readonly<Record<string, Answer>> = {
  'session/request_permission': async (client, sessionId, params, signal) => {
    const answer = await client.requestPermission(sessionId, shown(client, PERMISSION, params, decodePermission), signal);
    return { outcome: answer === 'cancelled' ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: answer.optionId } };
  },
  'fs/read_text_file': async (client, sessionId, params, signal) => {
    const line = integer(params, 'line');
    const limit = integer(params, 'limit');
    const request = { path: text(params, 'path'), ...(line !== undefined && { line }), ...(limit !== undefined && { limit }) };
    return { content: await client.readTextFile(sessionId, request, signal) };
  },
  'fs/write_text_file': async (client, sessionId, params, signal) => {
    await client.writeTextFile(sessionId, { path: text(params, 'path'), content: text(params, 'content'), ...subagentOf(params) }, signal);
    return {};
  },
  'terminal/create': async (client, sessionId, params, signal) => ({
    terminalId: await client.createTerminal(sessionId, decodeCommand(params), signal),
  }),
  'terminal/output': async (client, sessionId, params) => {
    const { output, truncated, exitStatus } = await client.terminalOutput(sessionId, text(params, 'terminalId'));
    return { output, truncated, ...(exitStatus && { exitStatus: encodeExit(exitStatus) }) };
  },
  'terminal/wait_for_exit': async (client, sessionId, params, signal) =>
    encodeExit(await client.waitForTerminalExit(sessionId, text(params, 'terminalId'), signal)),
  'terminal/kill': async (client, sessionId, params) => {
    await client.killTerminal(sessionId, text(params, 'terminalId'));
    return {};
  },
  'terminal/release': async (client, sessionId, params) => {
    await client.releaseTerminal(sessionId, text(params, 'terminalId'));
    return {};
  },
};

/**
 * Answers one request of the agent. The client is called before this returns, so that requests and updates keep the wire order. A thrown or rejected
 * fault becomes the error response.
 */
export function answerV1(client: Client, method: string, params: unknown, respond: Respond, signal: AbortSignal): void {
  const answer = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!answer && method !== ELICIT) {
    respond.error(methodNotFound(method));
    return;
  }
  if (!isRecord(params)) {
    throw invalidParams('params must be an object');
  }
  const result = answer ? answer(client, text(params, 'sessionId'), params, signal) : elicit(client, params, signal);
  if (result instanceof Promise) {
    result.then(
      (value: unknown) => respond.result(value),
      (thrown: unknown) => respond.error(thrown instanceof Fault ? thrown : new Fault(failureOf(thrown))),
    );
  } else {
    respond.result(result);
  }
}

const PERMISSION = 'session/request_permission';

/** The only request that may precede a session. */
const ELICIT = 'elicitation/create';

/** True for a request that belongs to a session, whether it contains the session's id or not. */
export function isOfSession(method: string, params: Fields): boolean {
  return Object.hasOwn(METHODS, method) || (method === ELICIT && !isPresent(params.requestId));
}

export async function elicit(client: Client, params: Fields, signal: AbortSignal): Promise<ElicitationAnswer> {
  const { scope, request } = shown(client, ELICIT, params, decodeElicitation);
  return client.elicit(scope, request, signal);
}

/** Returns the result of `decode`. A request that cannot be shown correctly is refused, and shown as unknown content. */
export function shown<T>(client: Client, method: string, params: Fields, decode: (params: Fields) => T): T {
  try {
    return decode(params);
  } catch (error) {
    client.onUnknown(method, params, textOf(params.sessionId));
    throw error;
  }
}

/** Decodes the params of `session/request_permission`. @throws invalid params when there is no option */
export function decodePermission(params: Fields): PermissionParams {
  const offered: readonly unknown[] = Array.isArray(params.options) ? params.options : [];
  const options = offered.map(decodeOption).filter((option) => option !== undefined);
  if (options.length === 0) {
    throw invalidParams('options must hold at least one option with an optionId');
  }
  const toolCall = isRecord(params.toolCall) ? params.toolCall : {};
  const toolCallId = textOf(toolCall.toolCallId);
  const { patch, extra: unread } = decodeToolCall(toolCall);
  // The card of an announced call does not need these fields.
  const { name, status, rawOutput } = patch;
  const toolCallExtra = { ...unread, ...defined({ name, status, rawOutput }), ...(isPresent(toolCall._meta) && { _meta: toolCall._meta }) };
  let extra = restOf(params, PERMISSION_FIELDS);
  if (options.length < offered.length) {
    extra = keep(extra, 'options', offered);
  }
  if (isPresent(params.toolCall) && !isRecord(params.toolCall)) {
    extra = keep(extra, 'toolCall', params.toolCall);
  } else if (Object.keys(toolCallExtra).length > 0) {
    extra = keep(extra, 'toolCall', toolCallExtra);
  }
  const content = patch.content ?? requestedPatch(toolCall);
  const told = permissionText(params._meta);
  const title = textOf(params.title) ?? told.title ?? patch.title ?? '';
  const description = textOf(params.description) ?? told.description;
  return {
    title,
    ...(description !== undefined && { description }),
    ...askerOf(params),
    options,
    ...(told.defaultToNo && { defaultToNo: true }),
    subject: {
      ...(toolCallId !== undefined && { toolCallId }),
      ...(patch.kind && { kind: patch.kind }),
      ...(content && { content }),
      ...(patch.locations && { locations: patch.locations }),
      ...(patch.rawInput !== undefined && { rawInput: patch.rawInput }),
    },
    ...(toolCallId !== undefined && { toolCall: { toolCallId, patch } }),
    ...(isPresent(params._meta) && { meta: params._meta }),
    ...(extra && { extra }),
  };
}

function defined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const PERMISSION_FIELDS: ReadonlySet<string> = new Set(['sessionId', 'options', 'toolCall', 'title', 'description', '_meta']);

const OPTION_FIELDS: ReadonlySet<string> = new Set(['optionId', 'name', 'kind']);

/** An option needs an id; its other fields are only displayed. */
export function decodeOption(raw: unknown): PermissionOption | undefined {
  if (!isRecord(raw) || typeof raw.optionId !== 'string') {
    return undefined;
  }
  const { optionId } = raw;
  return withRest({ optionId, name: textOf(raw.name) ?? optionId, kind: textOf(raw.kind) ?? 'unknown' }, raw, OPTION_FIELDS);
}

function decodeCommand(params: Fields): TerminalCommand {
  const { args } = params;
  if (args !== undefined && args !== null && !(Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) {
    throw invalidParams('args must be an array of strings');
  }
  const cwd = optionalText(params, 'cwd');
  const outputByteLimit = integer(params, 'outputByteLimit');
  return {
    command: text(params, 'command'),
    ...(Array.isArray(args) && { args: args as string[] }),
    env: decodeEnv(params.env),
    ...(cwd !== undefined && { cwd }),
    ...(outputByteLimit !== undefined && { outputByteLimit }),
    ...subagentOf(params),
  };
}

function subagentOf(params: Fields): { readonly subagentId?: string } {
  const { subagentId } = askerOf(params);
  return { ...(subagentId !== undefined && { subagentId }) };
}

/** Decodes a list of names and values; an object is accepted, too. */
function decodeEnv(raw: unknown): { name: string; value: string }[] {
  const listed = isRecord(raw) ? Object.entries(raw).map(([name, value]) => ({ name, value })) : (raw ?? []);
  const pairs: readonly unknown[] = Array.isArray(listed) ? listed : [undefined];
  return pairs.map((pair) => {
    if (!isRecord(pair) || typeof pair.name !== 'string' || typeof pair.value !== 'string') {
      throw invalidParams('env must be an array of {name, value}');
    }
    return { name: pair.name, value: pair.value };
  });
}

function encodeExit(status: ExitStatus): { exitCode: number | null; signal: string | null } {
  return { exitCode: status.exitCode ?? null, signal: status.signal ?? null };
}

function text(params: Fields, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') {
    throw invalidParams(`${name} must be a string`);
  }
  return value;
}

function optionalText(params: Fields, name: string): string | undefined {
  return params[name] === undefined || params[name] === null ? undefined : text(params, name);
}

function integer(params: Fields, name: string): number | undefined {
  const value = params[name] ?? undefined;
  if (value !== undefined && !(typeof value === 'number' && Number.isInteger(value) && value >= 0)) {
    throw invalidParams(`${name} must be a whole number, 0 or more`);
  }
  return value as number | undefined;
}
