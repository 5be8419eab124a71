/** Compares a message with the protocol's schema. Pure. */
import { isRecord } from '../json/fields';
import { isGreeting, wordsOf } from '../proxies/proxyMethods';
import { type Schema, SchemaCheck, type SchemaProblem } from './jsonSchema';

/** The protocol's schema, without its descriptions. */
export interface ProtocolSchema {
  readonly $defs: Readonly<Record<string, Schema>>;
}

export interface FrameContext {
  /** True for a message of the client. */
  readonly isSent: boolean;
  /** The method of the request that an answer belongs to. */
  readonly method?: string | undefined;
}

export interface FrameCheck {
  /** The method whose schema was used. Undefined: the schema has none for this message. */
  readonly method: string | undefined;
  readonly problems: readonly SchemaProblem[];
}

/** @param message a parsed frame */
export function checkFrame(message: unknown, schema: ProtocolSchema, { isSent, method: asked }: FrameContext): FrameCheck {
  if (!isRecord(message)) {
    return { method: undefined, problems: [{ path: '', kind: 'type', expected: 'object' }] };
  }
  const check = new SchemaCheck(schema.$defs);
  const envelope: SchemaProblem[] = message.jsonrpc === '2.0' ? [] : [{ path: 'jsonrpc', kind: 'value', expected: '"2.0"' }];
  if (typeof message.method !== 'string') {
    const isError = message.error !== undefined && message.error !== null;
    const part = isError ? 'error' : 'result';
    const method = asked === undefined ? undefined : plainMethod(asked);
    // The client answers what the agent has asked.
    const found = method === undefined ? undefined : definitionOf(schema, method, isSent ? 'client' : 'agent', true);
    const definition = isError ? schema.$defs['Error'] : found;
    const value = message[part];
    const isVoid = value === undefined || value === null;
    return {
      method: definition && method,
      problems: [...envelope, ...(definition && !(isVoid && !isError) ? check.problems(value, definition, part) : [])],
    };
  }
  const wrapper = wordsOf(message.method);
  const outer = message.params;
  const nested = wrapper?.isNested && isRecord(outer) ? outer.message : outer;
  const path = wrapper ? (wrapper.isNested ? 'params.message.params' : 'params.params') : 'params';
  const inner = wrapper && isRecord(nested) ? nested : message;
  const method = typeof inner.method === 'string' ? plainMethod(inner.method) : '';
  // A proxy sends the messages of both sides to its successor and to the client.
  const sides = wrapper ? (['agent', 'client'] as const) : [isSent ? ('agent' as const) : ('client' as const)];
  const definition = [...sides, 'protocol' as const]
    .map((side) => definitionOf(schema, method, side, false))
    .find((each) => each !== undefined);
  return {
    method: definition && method,
    problems: [...envelope, ...(definition ? check.problems(inner.params ?? {}, definition, path) : [])],
  };
}

/** A proxy is started with the params of `initialize`. */
function plainMethod(method: string): string {
  const last = method.split(' ').at(-1) ?? method;
  return isGreeting(last) ? 'initialize' : last;
}

function definitionOf(
  { $defs }: ProtocolSchema,
  method: string,
  side: 'agent' | 'client' | 'protocol',
  isResponse: boolean,
): Schema | undefined {
  return Object.entries($defs).find(
    ([name, definition]) => definition['x-method'] === method && definition['x-side'] === side && name.endsWith('Response') === isResponse,
  )?.[1];
}
