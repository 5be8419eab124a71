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

const read = (file: string): OfficialSchema =>
  JSON.parse(readFileSync(path.join(__dirname, '../../node_modules/@agentclientprotocol/sdk/schema/v1', file), 'utf8')) as OfficialSchema;

const schema = read('schema.json');
/** Unstable methods, which are only used with agents that support them, by method. */
const UNSTABLE = new Map([
  ['session/fork', 'ForkSessionRequest'],
  ['session/set_title', 'SetSessionTitleRequest'],
  ['session/archive', 'ArchiveSessionRequest'],
  ['session/unarchive', 'UnarchiveSessionRequest'],
  ['auth/status', 'AuthStatusRequest'],
  ['providers/list', 'ListProvidersRequest'],
  ['providers/set', 'SetProviderRequest'],
  ['providers/disable', 'DisableProviderRequest'],
]);

/** The schema of the stable version 1, newest release. */
export const officialSchema: { readonly $defs: object } = schema;

// `discriminator` is OpenAPI's hint for a `oneOf` that says the same.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(schema, 'acp');
ajv.addSchema({ ...read('schema.unstable.json'), $id: 'acp-unstable' }, 'acp-unstable');

/** The v1 definition for a method's parameters or result; undefined for a method that the schema does not have. */
export function definitionOf(side: 'agent' | 'client' | 'protocol', method: string, part: 'params' | 'result'): string | undefined {
  return Object.entries(schema.$defs).find(
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
export function unnamedFields(definition: string, value: unknown): string[] {
  return unnamedIn([{ $ref: definition }], value);
}

function unnamedIn(nodes: readonly Definition[], value: unknown): string[] {
  const parts = nodes.flatMap(partsOf);
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part.items ?? []);
    return value.flatMap((item, index) => unnamedIn(items, item).map((field) => `[${index}]${field}`));
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
    return unnamedIn(fields.length > 0 ? fields : rest.filter((node) => typeof node === 'object'), inner).map((field) => `.${key}${field}`);
  });
}

/** A node with everything that it refers to and may be. Without the members for future values, which may contain anything. */
function partsOf(node: Definition): readonly Definition[] {
  const target = node.$ref === undefined ? [] : partsOf(schema.$defs[node.$ref.slice(node.$ref.lastIndexOf('/') + 1)]!);
  return [
    node,
    ...target,
    ...[...(node.allOf ?? []), ...(node.oneOf ?? []), ...(node.anyOf ?? [])].filter((part) => !part.not).flatMap(partsOf),
  ];
}

/** Requests outside the schema, each with the definition of its params. */
const BEYOND: ReadonlyMap<string, (params: unknown, what: string) => void> = new Map([
  // An extension that agents share: a prompt for the running turn.
  ['_session/steering', (params: unknown, what: string) => assertSent('PromptRequest', params, what)],
  // Later than this release of the schema: the RFD "Quotas and Limits", and the options before a session.
  ['quota/read', (params: unknown, what: string) => assert.deepEqual(Object.keys(params as object), ['sessionId'], what)],
  ['session/options', (params: unknown, what: string) => assert.deepEqual(Object.keys(params as object), ['cwd'], what)],
  // This method existed before config options; some agents know no other way.
  [
    'session/set_model',
    (params: unknown, what: string) => {
      const { sessionId, modelId, ...rest } = params as Record<string, unknown>;
      assert.deepEqual([typeof sessionId, typeof modelId, rest], ['string', 'string', {}], what);
    },
  ],
]);

/**
 * Checks one frame of a client. `request` returns the method of an agent's request by the literal text of its id. It returns `undefined`
 * when no valid request had that id, so that only an error can answer.
 */
export function assertSentFrame(json: string, request: (idLiteral: string) => string | undefined): void {
  const frame = JSON.parse(json) as Record<string, unknown>;
  assert.equal(frame.jsonrpc, '2.0');
  if (typeof frame.method === 'string') {
    const unstable = UNSTABLE.get(frame.method);
    if (unstable !== undefined) {
      assertValid(unstable, frame.params, frame.method, 'acp-unstable');
      return;
    }
    const shape = BEYOND.get(frame.method);
    if (shape) {
      shape(frame.params, frame.method);
      return;
    }
    const definition = definitionOf('agent', frame.method, 'params') ?? definitionOf('protocol', frame.method, 'params');
    assert.ok(definition, `${frame.method} is no method of the schema`);
    assertSent(definition, frame.params, frame.method);
    assertValid(frame.id === undefined ? 'ClientNotification' : 'ClientRequest', frame, frame.method);
    return;
  }
  if (frame.error !== undefined) {
    assert.equal(frame.result, undefined);
    assertSent('Error', frame.error, 'error');
    return;
  }
  const literal = idOf(json);
  const method = literal === undefined ? undefined : request(literal);
  assert.ok(method, `a result for no request: ${json}`);
  const definition = definitionOf('client', method, 'result');
  assert.ok(definition, `${method} has no result in the schema`);
  assertSent(definition, frame.result, `result of ${method}`);
}

/** Fields that became stable after this release of the schema. */
const LATER: ReadonlySet<string> = new Set(['.clientCapabilities.subagents', '.systemPrompt']);

/** Fields of proposals that no release of the schema has. Agents that do not know them ignore them. */
const PROPOSED: ReadonlySet<string> = new Set(['.clientCapabilities.session.quota', '.configOptions']);

function assertSent(definition: string, value: unknown, what: string): void {
  assertValid(definition, value, what);
  const unnamed = unnamedFields(definition, value);
  if (unnamed.some((field) => LATER.has(field))) {
    assertValid(definition, value, what, 'acp-unstable');
  }
  const unknown = unnamed.filter((field) => !LATER.has(field) && !PROPOSED.has(field));
  assert.deepEqual(unknown, [], `${what} has fields that the schema does not name: ${JSON.stringify(value)}`);
}

/**
 * Checks every frame that we sent in a whole recording, both directions in the order of the wire. Returns the number of checked frames, so
 * that an empty recording proves nothing.
 */
export function assertSentFrames(entries: Iterable<TraceEntry>): number {
  const asked = new Map<string, string[]>();
  let checked = 0;
  for (const { kind, text, length } of entries) {
    assert.ok(kind === 'skipped' || length === text.length, 'the recording must hold whole frames');
    if (kind === 'a2c') {
      const [literal, method] = [idOf(text), methodOf(text)];
      if (literal !== undefined && method !== undefined) {
        asked.set(literal, [...(asked.get(literal) ?? []), method]);
      }
    } else if (kind === 'c2a') {
      assertAnswersOne(text, asked);
      checked++;
    }
  }
  return checked;
}

/** An agent may reuse an id, also for another method: then the frame must fit one of them. */
function assertAnswersOne(json: string, asked: ReadonlyMap<string, readonly string[]>): void {
  const methods = asked.get(idOf(json) ?? '') ?? [];
  for (const method of methods.slice(0, -1)) {
    try {
      return assertSentFrame(json, () => method);
    } catch {
      continue;
    }
  }
  assertSentFrame(json, () => methods.at(-1));
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
