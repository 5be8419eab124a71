/** The official schema as an oracle: every frame that we send must be valid, with no field that the schema does not name. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { membersOf } from '../../src/acp/json/source';
import type { TraceEntry } from '../../src/acp/trace/trace';

interface Definition {
  readonly 'x-method'?: string;
  readonly 'x-side'?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly items?: Definition;
  readonly additionalProperties?: boolean | Definition;
  readonly allOf?: readonly Definition[];
  readonly oneOf?: readonly Definition[];
  readonly anyOf?: readonly Definition[];
  readonly not?: Definition;
}

interface OfficialSchema {
  readonly $defs: Record<string, Definition>;
}

const read = (version: Version, file: string): OfficialSchema =>
  JSON.parse(
    readFileSync(path.join(__dirname, `../../node_modules/@agentclientprotocol/sdk/schema/v${version}`, file), 'utf8'),
  ) as OfficialSchema;

/** A version of the protocol whose schema is shipped with the SDK. */
export type Version = 1 | 2;

const schemas = { 1: read(1, 'schema.json'), 2: read(2, 'schema.json') };
const schema = schemas[1];
/** The name of a version's schema in the validator. */
const NAMES = { 1: 'acp', 2: 'acp-2' };
/** Unstable methods, which are only used with agents that support them, by method. */
const UNSTABLE = new Map([
  ['session/fork', 'ForkSessionRequest'],
  ['session/set_title', 'SetSessionTitleRequest'],
  ['session/status', 'SessionStatusRequest'],
]);

/** The schema of the stable version 1, newest release. */
export const officialSchema: { readonly $defs: object } = schema;
/** The schema of the preview of version 2, without its unstable parts. */
export const officialSchemaV2: { readonly $defs: object } = schemas[2];

// `discriminator` is OpenAPI's hint for a `oneOf` that says the same.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(schema, 'acp');
ajv.addSchema({ ...read(1, 'schema.unstable.json'), $id: 'acp-unstable' }, 'acp-unstable');
ajv.addSchema({ ...schemas[2], $id: 'acp-2' }, 'acp-2');
ajv.addSchema({ ...read(2, 'schema.unstable.json'), $id: 'acp-2-unstable' }, 'acp-2-unstable');

/** The definition for a method's parameters or result; undefined for a method that the schema does not have. */
export function definitionOf(
  side: 'agent' | 'client' | 'protocol',
  method: string,
  part: 'params' | 'result',
  version: Version = 1,
): string | undefined {
  return Object.entries(schemas[version].$defs).find(
    ([name, definition]) =>
      definition['x-method'] === method && definition['x-side'] === side && name.endsWith('Response') === (part === 'result'),
  )?.[0];
}

// Compiled while the file loads, so that the first test of a suite does not pay for it.
for (const name of [
  'ClientRequest',
  'ClientNotification',
  'Error',
  ...Object.keys(schema.$defs).filter((name) => schema.$defs[name]!['x-method']),
]) {
  ajv.getSchema(`acp#/$defs/${name}`);
}

/** @param definition a name in the schema's `$defs` */
export function assertValid(definition: string, value: unknown, what: string, of = 'acp'): void {
  const validate = ajv.getSchema(`${of}#/$defs/${definition}`);
  assert.ok(validate, `no schema for ${definition}`);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`);
}

/** Paths of the fields in `value` that no definition of it names. The schema allows such fields; but extensions belong in `_meta`. */
export function unnamedFields(definition: string, value: unknown, version: Version = 1): string[] {
  return unnamedIn([{ $ref: definition }], value, version);
}

function unnamedIn(nodes: readonly Definition[], value: unknown, version: Version): string[] {
  const parts = nodes.flatMap((node) => partsOf(node, version));
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    return value.flatMap((item, index) => unnamedIn(items, item, version).map((field) => `[${index}]${field}`));
  }
  if (typeof value !== 'object' || value === null || parts.every((part) => !part.properties && part.additionalProperties === undefined)) {
    return [];
  }
  const rest = parts.flatMap((part) => part.additionalProperties ?? []);
  return Object.entries(value).flatMap(([key, inner]) => {
    const fields = parts.flatMap((part) => part.properties?.[key] ?? []);
    if (fields.length === 0 && rest.length === 0) {
      return [`.${key}`];
    }
    const nodesOf = fields.length > 0 ? fields : rest.filter((node) => typeof node === 'object');
    return unnamedIn(nodesOf, inner, version).map((field) => `.${key}${field}`);
  });
}

/** A node with everything that it refers to and may be. Without the members for future values, which may contain anything. */
function partsOf(node: Definition, version: Version): readonly Definition[] {
  const target = node.$ref === undefined ? [] : partsOf(schemas[version].$defs[node.$ref.slice(node.$ref.lastIndexOf('/') + 1)]!, version);
  return [
    node,
    ...target,
    ...[...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.anyOf ?? [])]
      .filter((part) => !part.not)
      .flatMap((part) => partsOf(part, version)),
  ];
}

/** Requests outside the schema, each with the definition of its params. */
const BEYOND: ReadonlyMap<string, (params: unknown, what: string) => void> = new Map([
  // An extension that agents share: a prompt for the running turn.
  ['_session/steering', (params: unknown, what: string) => assertSent('PromptRequest', params, what)],
  // An extension of two adapters: stops a background task.
  [
    '_session/async_task/stop',
    (params: unknown, what: string) => {
      const { sessionId, asyncTaskId, ...rest } = params as Record<string, unknown>;
      assert.deepEqual([typeof sessionId, typeof asyncTaskId, rest], ['string', 'string', {}], what);
    },
  ],
  // A proposal: the agent forgets the end of the conversation.
  [
    'session/rewind',
    (params: unknown, what: string) => {
      const { sessionId, toMessageId, ...rest } = params as Record<string, unknown>;
      assert.deepEqual([typeof sessionId, typeof toMessageId, rest], ['string', 'string', {}], what);
    },
  ],
  // The answer to a permission request of the early dialect.
  [
    'session/permission_response',
    (params: unknown) => {
      const { sessionId, requestId, ...answer } = params as Record<string, unknown>;
      assert.equal(typeof sessionId, 'string');
      assert.ok(typeof requestId === 'string' || typeof requestId === 'number');
      EARLY.answer(answer);
    },
  ],
  // This method existed before config options; some agents know no other way.
  [
    'session/set_model',
    (params: unknown, what: string) => {
      const { sessionId, modelId, ...rest } = params as Record<string, unknown>;
      assert.deepEqual([typeof sessionId, typeof modelId, rest], ['string', 'string', {}], what);
    },
  ],
]);

/** Frames of the early dialect (`quirks/early`), which are in no schema. */
const EARLY = {
  isPrompt: ({ method, params }: Record<string, unknown>) =>
    method === 'session/prompt' && typeof (params as { prompt?: unknown }).prompt === 'string',
  prompt: ({ sessionId, prompt, ...rest }: Record<string, unknown>) =>
    assert.deepEqual([typeof sessionId, typeof prompt, rest], ['string', 'string', {}]),
  answer: ({ outcome, optionId = '', ...rest }: Record<string, unknown>) => {
    assert.match(String(outcome), /^(?:allow|reject)_(?:once|always)$/);
    assert.deepEqual([typeof optionId, rest], ['string', {}]);
  },
};

/**
 * Checks one frame of a client. `request` returns the method of an agent's request by the literal text of its id. It returns `undefined`
 * when no valid request had that id, so that only an error can answer.
 */
export function assertSentFrame(json: string, request: (idLiteral: string) => string | undefined, version: Version = 1): void {
  const frame = JSON.parse(json) as Record<string, unknown>;
  assert.equal(frame.jsonrpc, '2.0');
  if (typeof frame.method === 'string') {
    if (isUnion(frame)) {
      assertUnion(frame.params as Record<string, unknown>);
      return;
    }
    if (EARLY.isPrompt(frame)) {
      EARLY.prompt(frame.params as Record<string, unknown>);
      return;
    }
    const unstable = UNSTABLE.get(frame.method);
    if (unstable !== undefined) {
      assertValid(unstable, frame.params, frame.method, `${NAMES[version]}-unstable`);
      return;
    }
    const shape = BEYOND.get(frame.method);
    if (shape) {
      shape(frame.params, frame.method);
      return;
    }
    const definition = definitionOf('agent', frame.method, 'params', version) ?? definitionOf('protocol', frame.method, 'params', version);
    assert.ok(definition, `${frame.method} is no method of the schema`);
    assertSent(definition, frame.params, frame.method, version);
    assertValid(frame.id === undefined ? 'ClientNotification' : 'ClientRequest', frame, frame.method, NAMES[version]);
    return;
  }
  if (frame.error !== undefined) {
    assert.equal(frame.result, undefined);
    assertSent('Error', frame.error, 'error', version);
    return;
  }
  const literal = idOf(json);
  const method = literal === undefined ? undefined : request(literal);
  assert.ok(method, `a result for no request: ${json}`);
  if (method === 'session/update') {
    EARLY.answer(frame.result as Record<string, unknown>);
    return;
  }
  const definition = definitionOf('client', method, 'result', version);
  assert.ok(definition, `${method} has no result in the schema`);
  assertSent(definition, frame.result, `result of ${method}`, version);
}

/** True for the proposal of version 2, which has the fields of both versions. */
function isUnion({ method, params }: Record<string, unknown>): boolean {
  return method === 'initialize' && (params as { protocolVersion?: unknown }).protocolVersion === 2;
}

function assertUnion({ clientInfo, clientCapabilities, ...params }: Record<string, unknown>): void {
  assertSent('InitializeRequest', params, 'initialize of version 2', 2);
  assertSent('InitializeRequest', { protocolVersion: 1, clientInfo, clientCapabilities }, 'initialize of version 1');
}

/** Fields that became stable after this release of the schema. */
const LATER: ReadonlySet<string> = new Set(['.clientCapabilities.subagents', '.clientCapabilities.plan']);

function assertSent(definition: string, value: unknown, what: string, version: Version = 1): void {
  assertValid(definition, value, what, NAMES[version]);
  const unnamed = unnamedFields(definition, value, version);
  if (unnamed.some((field) => LATER.has(field))) {
    assertValid(definition, value, what, `${NAMES[version]}-unstable`);
  }
  const unknown = unnamed.filter((field) => !LATER.has(field));
  assert.deepEqual(unknown, [], `${what} has fields that the schema does not name: ${JSON.stringify(value)}`);
}

/**
 * Checks every frame that we sent in a whole recording, both directions in the order of the wire. Returns the number of checked frames, so
 * that an empty recording proves nothing.
 */
export function assertSentFrames(entries: Iterable<TraceEntry>): number {
  const asked = new Map<string, string[]>();
  let checked = 0;
  let version: Version = 1;
  for (const { kind, text, length } of entries) {
    assert.ok(kind === 'skipped' || length === text.length, 'the recording must hold whole frames');
    if (kind === 'a2c') {
      const [literal, method] = [idOf(text), methodOf(text)];
      if (literal !== undefined && method !== undefined) {
        asked.set(literal, [...(asked.get(literal) ?? []), method]);
      }
      version = method === undefined ? (agreedVersion(text) ?? version) : version;
    } else if (kind === 'c2a') {
      assertAnswersOne(text, asked, version);
      checked++;
    }
  }
  return checked;
}

/** An agent may reuse an id, also for another method: then the frame must fit one of them. */
function assertAnswersOne(json: string, asked: ReadonlyMap<string, readonly string[]>, version: Version): void {
  const methods = asked.get(idOf(json) ?? '') ?? [];
  for (const method of methods.slice(0, -1)) {
    try {
      return assertSentFrame(json, () => method, version);
    } catch {
      continue;
    }
  }
  assertSentFrame(json, () => methods.at(-1), version);
}

/** The version in an answer to `initialize`. */
function agreedVersion(json: string): Version | undefined {
  const result = /"protocolVersion":/.test(json) ? (JSON.parse(json) as { result?: { protocolVersion?: unknown } }).result : undefined;
  return result?.protocolVersion === 1 || result?.protocolVersion === 2 ? result.protocolVersion : undefined;
}

/** The id of a frame as its sender wrote it. */
function idOf(json: string): string | undefined {
  const text = membersOf(json).get('id');
  return text?.startsWith('"') ? JSON.stringify(JSON.parse(text)) : text;
}

function methodOf(json: string): string | undefined {
  const text = membersOf(json).get('method');
  return text?.startsWith('"') ? (JSON.parse(text) as string) : undefined;
}
