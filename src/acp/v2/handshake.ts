/** Decodes the parts of a v2 answer to `initialize` (protocol v2 pages "Initialization" and "Authentication"). */
import type { McpCapabilities } from '../../core/mcp/mcpServer';
import type { AuthMethod, PromptCapabilities, SessionCapabilities } from '../../core/model/content';
import { type Fields, isPresent, isRecord, restOf, textOf, withRest } from '../json/fields';
import { textsIn } from './pairs';

const METHOD_FIELDS: ReadonlySet<string> = new Set(['methodId', 'name', 'description', 'type', 'args', 'env', 'command', 'vars', 'link']);

/** The capabilities of sessions; undefined for an agent without sessions. */
export function sessionFields({ session }: Fields): Fields | undefined {
  return isRecord(session) ? session : undefined;
}

export function decodePromptCapabilities({ prompt }: Fields): PromptCapabilities {
  const offered = isRecord(prompt) ? prompt : {};
  return { image: isRecord(offered.image), audio: isRecord(offered.audio), embeddedContext: isRecord(offered.embeddedContext) };
}

/** Decodes the kinds of MCP servers that the agent takes. Version 2 implies none, and has no SSE. */
export function decodeMcpCapabilities({ mcp }: Fields): McpCapabilities {
  const offered = isRecord(mcp) ? mcp : {};
  return { stdio: isRecord(offered.stdio), http: isRecord(offered.http), sse: false, acp: isRecord(offered.acp) };
}

/**
 * Returns the methods of sessions. An agent with sessions has all baseline methods.
 *
 * @param session undefined for an agent without sessions
 * @param meta the answer's own `_meta`, where extensions are advertised
 */
export function decodeSessionCapabilities(session: Fields | undefined, authMethods: unknown, meta: unknown): SessionCapabilities {
  const offered = session ?? {};
  const isBaseline = session !== undefined;
  return {
    load: isBaseline,
    resume: isBaseline,
    list: isBaseline,
    close: isBaseline,
    delete: isRecord(offered.delete),
    ...(isRecord(offered.status) && { status: true }),
    ...(isRecord(offered.fork) && { fork: true }),
    ...(isRecord(offered.title) && { setTitle: true }),
    ...(isRecord(meta) && isRecord(meta.steering) && meta.steering.supported === true && { steer: true }),
    additionalDirectories: isRecord(offered.additionalDirectories),
    // An agent with methods to sign in can sign out, too.
    logout: Array.isArray(authMethods) && authMethods.length > 0,
    reportsTurns: true,
  };
}

/** Decodes the methods to sign in. A method of an unknown type is left out: how to use it is not known. */
export function decodeAuthMethods(raw: unknown): AuthMethod[] {
  const methods: AuthMethod[] = [];
  for (const item of Array.isArray(raw) ? raw : []) {
    if (!isRecord(item) || typeof item.methodId !== 'string' || (item.type !== 'agent' && item.type !== 'terminal')) {
      continue;
    }
    const { methodId, type } = item;
    const description = textOf(item.description);
    const args = type === 'terminal' && Array.isArray(item.args) ? item.args.filter((arg) => typeof arg === 'string') : undefined;
    const env = type === 'terminal' && isPresent(item.env) ? textsIn(item.env) : undefined;
    const method: AuthMethod = {
      methodId,
      name: textOf(item.name) ?? methodId,
      ...(description !== undefined && { description }),
      type,
      ...(args && { args }),
      ...(env && { env }),
    };
    methods.push(withRest(method, item, METHOD_FIELDS));
  }
  return methods;
}

const KNOWN: ReadonlySet<string> = new Set(['protocolVersion', '_meta']);

/** The whole answer without its version, for the journal: the model contains parts of it alone. */
export function initializeExtrasOf(answer: Fields): { readonly meta?: unknown; readonly extra?: Readonly<Record<string, unknown>> } {
  const extra = restOf(answer, KNOWN);
  return { ...(isPresent(answer._meta) && { meta: answer._meta }), ...(extra && { extra }) };
}
