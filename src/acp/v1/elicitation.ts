/**
 * Decodes `elicitation/create` (RFD "Elicitation", stable in v1): the agent's flat JSON schema as fields. A request that could not be shown
 * correctly, with an unknown mode or property type, is refused with `-32602`.
 */
import { type ElicitationBody, type ElicitationChoice, type ElicitationField, isWebAddress } from '../../core/elicitation/elicitation';
import type { ElicitationParams, ElicitationScope } from '../dialect';
import type { Fields } from '../json/fields';
import { isPresent, isRecord, restOf, textOf } from '../json/fields';
import { invalidParams } from '../jsonrpc/rpc';
import { askerOf } from './sessionTarget';

/** The most fields; no user would fill in more. */
const MAX_FIELDS = 200;
/** The most choices in one list, and in a whole form. */
const MAX_CHOICES = 2000;
const MAX_ALL_CHOICES = 10_000;
/** UTF-16 units of an address: it must be shown in full, and the browser must accept it. */
const MAX_URL = 16_384;

/** Does not include the schema. It is kept whole beside its fields, so that the journal has the parts without a field. */
const KNOWN: ReadonlySet<string> = new Set(['message', 'mode', 'sessionId', 'toolCallId', 'requestId', 'elicitationId', 'url', '_meta']);

/** @throws invalid params, which name the problem for the agent's author */
export function decodeElicitation(params: Fields): { scope: ElicitationScope; request: ElicitationParams } {
  const { message } = params;
  if (typeof message !== 'string') {
    throw invalidParams('message must be a string');
  }
  const toolCallId = textOf(params.toolCallId);
  const extra = restOf(params, KNOWN);
  return {
    scope: decodeScope(params),
    request: {
      message,
      body: decodeBody(params),
      ...(toolCallId !== undefined && { toolCallId }),
      ...askerOf(params),
      ...(isPresent(params._meta) && { meta: params._meta }),
      ...(extra && { extra }),
    },
  };
}

function decodeScope({ sessionId, requestId }: Fields): ElicitationScope {
  if (isPresent(sessionId) === isPresent(requestId)) {
    throw invalidParams('exactly one of sessionId and requestId must be given');
  }
  if (isPresent(sessionId)) {
    if (typeof sessionId !== 'string') {
      throw invalidParams('sessionId must be a string');
    }
    return { sessionId };
  }
  // The client's ids are whole numbers; some agents return them as strings.
  const number = typeof requestId === 'string' && /^\d{1,15}$/.test(requestId) ? Number(requestId) : requestId;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw invalidParams('requestId must be the id of a request that is open');
  }
  return { requestId: number };
}

function decodeBody(params: Fields): ElicitationBody {
  if (params.mode === 'url') {
    const { url, elicitationId } = params;
    if (typeof elicitationId !== 'string') {
      throw invalidParams('elicitationId must be a string');
    }
    if (typeof url !== 'string' || !isWebAddress(url) || !URL.canParse(url)) {
      throw invalidParams('url must be an http or https address');
    }
    if (url.length > MAX_URL) {
      throw invalidParams(`url has ${url.length} characters; at most ${MAX_URL} can be shown`);
    }
    return { mode: 'url', elicitationId, url };
  }
  if (params.mode !== 'form') {
    throw invalidParams(`mode ${JSON.stringify(params.mode) ?? 'undefined'} is not supported`);
  }
  const schema = isRecord(params.requestedSchema) ? params.requestedSchema : {};
  const title = textOf(schema.title);
  const description = textOf(schema.description);
  return {
    mode: 'form',
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    fields: decodeFields(schema),
  };
}

function decodeFields(schema: Fields): ElicitationField[] {
  const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  if (properties.length > MAX_FIELDS) {
    throw invalidParams(`requestedSchema has ${properties.length} properties; at most ${MAX_FIELDS} can be shown`);
  }
  const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : []);
  const fields = properties.map(([name, raw]) => decodeField(name, raw, required.has(name)));
  const choices = fields.reduce((sum, field) => sum + ('choices' in field ? field.choices.length : 0), 0);
  if (choices > MAX_ALL_CHOICES) {
    throw invalidParams(`requestedSchema has ${choices} choices; at most ${MAX_ALL_CHOICES} can be shown`);
  }
  return fields;
}

function decodeField(name: string, raw: unknown, required: boolean): ElicitationField {
  if (!isRecord(raw)) {
    throw invalidParams(`property ${JSON.stringify(name)} must be an object`);
  }
  const title = textOf(raw.title);
  const description = textOf(raw.description);
  const base = { name, ...(title !== undefined && { title }), ...(description !== undefined && { description }), required };
  const fallback = raw.default;
  switch (raw.type) {
    case 'string': {
      const choices = choicesOf(name, raw.oneOf, raw.enum);
      if (choices) {
        return { ...base, type: 'choice', choices, ...(typeof fallback === 'string' && { defaultValue: fallback }) };
      }
      const pattern = textOf(raw.pattern);
      const format = textOf(raw.format);
      return {
        ...base,
        type: 'string',
        ...numbers(raw, ['minLength', 'maxLength']),
        ...(pattern !== undefined && { pattern }),
        ...(format !== undefined && { format }),
        ...(typeof fallback === 'string' && { defaultValue: fallback }),
      };
    }
    case 'number':
    case 'integer': {
      const fits = raw.type === 'integer' ? Number.isSafeInteger(fallback) : Number.isFinite(fallback);
      return { ...base, type: raw.type, ...numbers(raw, ['minimum', 'maximum']), ...(fits && { defaultValue: fallback as number }) };
    }
    case 'boolean':
      return { ...base, type: 'boolean', ...(typeof fallback === 'boolean' && { defaultValue: fallback }) };
    case 'array': {
      const items = isRecord(raw.items) ? raw.items : {};
      const choices = choicesOf(name, items.anyOf, items.oneOf, items.enum);
      if (!choices || (isPresent(items.type) && items.type !== 'string')) {
        throw invalidParams(`property ${JSON.stringify(name)}: items must list the strings to choose from`);
      }
      const chosen = Array.isArray(fallback) ? fallback.filter((value) => typeof value === 'string') : undefined;
      return { ...base, type: 'choices', choices, ...numbers(raw, ['minItems', 'maxItems']), ...(chosen && { defaultValue: chosen }) };
    }
    default:
      throw invalidParams(
        `property ${JSON.stringify(name)} has the type ${JSON.stringify(raw.type) ?? 'undefined'}, which is not supported`,
      );
  }
}

/** Reads both forms of choices: `{const, title, description}`, and plain strings. The first list with content applies. */
function choicesOf(name: string, ...lists: readonly unknown[]): ElicitationChoice[] | undefined {
  const raw = lists.find((list): list is unknown[] => Array.isArray(list) && list.length > 0);
  if (!raw) {
    return undefined;
  }
  if (raw.length > MAX_CHOICES) {
    throw invalidParams(`a list of ${raw.length} choices is too long; at most ${MAX_CHOICES} can be shown`);
  }
  const choices: ElicitationChoice[] = [];
  for (const item of raw) {
    if (typeof item === 'string') {
      choices.push({ value: item, title: item });
    } else if (isRecord(item) && typeof item.const === 'string') {
      const description = textOf(item.description);
      choices.push({ value: item.const, title: textOf(item.title) ?? item.const, ...(description !== undefined && { description }) });
    }
  }
  if (choices.length === 0) {
    throw invalidParams(`property ${JSON.stringify(name)}: none of its choices is a string`);
  }
  return choices;
}

/** Returns the limits that are numbers. */
function numbers<K extends string>(raw: Fields, names: readonly K[]): { readonly [Name in K]?: number } {
  const limits: { [Name in K]?: number } = {};
  for (const name of names) {
    const value = raw[name];
    if (typeof value === 'number' && Number.isFinite(value)) {
      limits[name] = value;
    }
  }
  return limits;
}
