/** Decodes the parts of the answer to `initialize` (protocol pages "Initialization" and "Authentication"). */
import { hasTurnsMeta, isReadOnlyMeta } from '../../core/share/shareMeta';
import type { McpCapabilities } from '../../core/mcp/mcpServer';
import type { AgentInfo, AuthMethod, AuthVariable, PromptCapabilities, SessionCapabilities } from '../../core/model/content';
import type { Fields } from '../json/fields';
import { isRecord, textOf, withRest } from '../json/fields';
import { askedSecret } from '../quirks/askedSecret';
import { legacyTerminal } from '../quirks/terminalAuth';

/** `command` is not part of the protocol: a method of type `terminal` runs the agent's own program. */
const AUTH_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'methodId',
  'name',
  'description',
  'type',
  'command',
  'args',
  'env',
  'vars',
  'link',
]);

export function decodeAgent(raw: unknown): AgentInfo | undefined {
  if (!isRecord(raw)) {
    return undefined;
  }
  const [name, title, version] = [textOf(raw.name), textOf(raw.title), textOf(raw.version)];
  return { ...(name !== undefined && { name }), ...(title !== undefined && { title }), ...(version !== undefined && { version }) };
}

export function decodePromptCapabilities(raw: unknown): PromptCapabilities {
  const offered = isRecord(raw) ? raw : {};
  return { image: offered.image === true, audio: offered.audio === true, embeddedContext: offered.embeddedContext === true };
}

/** Decodes the kinds of MCP servers that the agent takes. Every agent takes servers over stdio. */
export function decodeMcpCapabilities(raw: unknown): McpCapabilities {
  const offered = isRecord(raw) ? raw : {};
  return { stdio: true, http: offered.http === true, sse: offered.sse === true, acp: offered.acp === true };
}

/**
 * Returns the optional methods in `agentCapabilities`. Flags are objects; `loadSession` is the older, boolean kind.
 *
 * @param meta the answer's own `_meta`, where extensions are advertised
 */
export function decodeSessionCapabilities(capabilities: Fields, meta?: unknown): SessionCapabilities {
  const session = isRecord(capabilities.sessionCapabilities) ? capabilities.sessionCapabilities : {};
  const auth = isRecord(capabilities.auth) ? capabilities.auth : {};
  return {
    load: capabilities.loadSession === true,
    resume: isRecord(session.resume),
    list: isRecord(session.list),
    ...(isRecord(session.status) && { status: true }),
    ...(isRecord(capabilities.rewindSession) && capabilities.rewindSession.supported === true && { rewind: true }),
    close: isRecord(session.close),
    delete: isRecord(session.delete),
    ...(isRecord(session.fork) && { fork: true }),
    ...(isRecord(session.title) && { setTitle: true }),
    ...(isRecord(meta) && isRecord(meta.steering) && meta.steering.supported === true && { steer: true }),
    ...(isReadOnlyMeta(meta) && { readOnly: true }),
    ...(hasTurnsMeta(meta) && { reportsTurns: true }),
    additionalDirectories: isRecord(session.additionalDirectories),
    logout: isRecord(auth.logout),
  };
}

/** Members of the capabilities, and of their groups, that need `optional.ts`. */
const OPTIONAL = ['archive', 'authStatus', 'options', 'providers', 'quota', 'status', 'systemPrompt'] as const;

/** True for an agent that offers a part of `optional.ts`. */
export function needsOptional({ sessionCapabilities, auth, _meta, ...others }: Fields): boolean {
  return [others, sessionCapabilities, auth, _meta].some((group) => isRecord(group) && OPTIONAL.some((name) => isRecord(group[name])));
}

/** Decodes the authentication methods. An entry without an id cannot be chosen and is left out. */
export function decodeAuthMethods(raw: unknown): AuthMethod[] {
  const methods: AuthMethod[] = [];
  for (const item of Array.isArray(raw) ? raw : []) {
    if (isRecord(item) && typeof item.id === 'string') {
      methods.push(decodeAuthMethod(item.id, item));
    }
  }
  return methods;
}

function decodeAuthMethod(methodId: string, raw: Fields): AuthMethod {
  const description = textOf(raw.description);
  const legacy = legacyTerminal(raw.type, raw._meta);
  const type = textOf(raw.type) ?? (legacy ? 'terminal' : 'agent');
  const isTerminal = type === 'terminal';
  const args = isTerminal && Array.isArray(raw.args) ? raw.args.filter((arg) => typeof arg === 'string') : undefined;
  const env = isTerminal && isRecord(raw.env) ? textsOf(raw.env) : undefined;
  const vars = type === 'env_var' ? decodeVariables(raw.vars) : [];
  const link = textOf(raw.link);
  const method: AuthMethod = {
    methodId,
    name: textOf(raw.name) ?? methodId,
    ...(description !== undefined && { description }),
    // Without variables there is no value to ask for. The official decoders read such a method as `agent`, and so does this one.
    type: type === 'env_var' && vars.length === 0 ? 'agent' : type,
    ...(args && { args }),
    ...(env && { env }),
    ...legacy,
    ...(vars.length > 0 && { vars, ...(link !== undefined && { link }) }),
    ...(type === 'agent' && askedSecret(raw._meta)),
  };
  return withRest(method, raw, AUTH_FIELDS);
}

function textsOf(raw: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(raw).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** An environment variable's name. Any other name could not be set, or would set another variable. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

function decodeVariables(raw: unknown): AuthVariable[] {
  const variables: AuthVariable[] = [];
  for (const item of Array.isArray(raw) ? raw : []) {
    if (isRecord(item) && typeof item.name === 'string' && VARIABLE.test(item.name)) {
      const label = textOf(item.label);
      variables.push({
        name: item.name,
        ...(label !== undefined && { label }),
        secret: item.secret !== false,
        optional: item.optional === true,
      });
    }
  }
  return variables;
}
