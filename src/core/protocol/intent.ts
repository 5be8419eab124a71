/**
 * The door for what a view sends. The page is ours, but what runs in it is steered by an agent's text: each message is read from `unknown`,
 * copied field by field, and bounded. What does not fit is refused whole.
 */
import type { ContentBlock } from '../model/content';
import type { ElicitationContent, ElicitationValue } from '../elicitation/elicitation';
import { MAX_QUERY } from './findQuery';
import { type BulkField, type FromView, VIEW_ACTIONS, type ViewAction } from './view';

/** UTF-16 units of one prompt, attachments included. */
const MAX_PROMPT = 64 * 1024 * 1024;
const MAX_BLOCKS = 256;
const MAX_ID = 1024;
const MAX_IDS = 2000;
/** As many are on a screen. */
const MAX_TERMINALS = 100;
const MAX_URIS = 100;
const MAX_PATH = 8192;
const MAX_COPY = 16 * 1024 * 1024;
/** UTF-16 units of a block of code that goes into an editor. */
const MAX_CODE = 4 * 1024 * 1024;
const MAX_FIELDS = 1000;

type Fields = Readonly<Record<string, unknown>>;

/** The intent inside `message`, or undefined when it is none. */
export function parseIntent(message: unknown): FromView | undefined {
  if (!isFields(message)) {
    return undefined;
  }
  switch (message.type) {
    case 'ready':
    case 'cancel':
    case 'attach_files':
    case 'typing':
      return { type: message.type };
    case 'focus':
      return typeof message.hasFocus === 'boolean' ? { type: 'focus', hasFocus: message.hasFocus } : undefined;
    case 'resync': {
      const want = ids(message.want);
      return want && { type: 'resync', want };
    }
    case 'bodies': {
      const entryIds = ids(message.entryIds);
      return entryIds && { type: 'bodies', entryIds };
    }
    case 'terminals': {
      const terminalIds = texts(message.terminalIds, MAX_TERMINALS, MAX_ID);
      return terminalIds && { type: 'terminals', terminalIds };
    }
    case 'attach_uris': {
      const uris = texts(message.uris, MAX_URIS, MAX_PATH);
      return uris && { type: 'attach_uris', uris };
    }
    case 'bulk': {
      const entryId = text(message.entryId, MAX_ID);
      const field = bulkField(message.field);
      return entryId !== undefined && field ? { type: 'bulk', entryId, field } : undefined;
    }
    case 'prompt': {
      const content = blocks(message.content);
      return content && { type: 'prompt', content };
    }
    case 'draft': {
      const at = count(message.at);
      const isEmpty = Array.isArray(message.content) && message.content.length === 0;
      const content = isEmpty ? [] : blocks(message.content);
      return at !== undefined && content ? { type: 'draft', at, content } : undefined;
    }
    case 'answer_permission': {
      const permissionId = text(message.permissionId, MAX_ID);
      const optionId = text(message.optionId, MAX_PATH);
      return permissionId !== undefined && optionId !== undefined ? { type: 'answer_permission', permissionId, optionId } : undefined;
    }
    case 'answer_elicitation':
      return answer(message);
    case 'open_elicitation': {
      const requestKey = text(message.requestKey, MAX_ID);
      return requestKey !== undefined ? { type: 'open_elicitation', requestKey } : undefined;
    }
    case 'sign_in': {
      const methodId = text(message.methodId, MAX_ID);
      return message.methodId === undefined ? { type: 'sign_in' } : methodId !== undefined ? { type: 'sign_in', methodId } : undefined;
    }
    case 'set_config': {
      const configId = text(message.configId, MAX_ID);
      const value = typeof message.value === 'boolean' ? message.value : text(message.value, MAX_PATH);
      return configId !== undefined && value !== undefined ? { type: 'set_config', configId, value } : undefined;
    }
    case 'open_location': {
      const path = text(message.path, MAX_PATH);
      const line = count(message.line);
      return path ? { type: 'open_location', path, ...(line !== undefined && { line }) } : undefined;
    }
    case 'open_link': {
      const href = text(message.href, MAX_PATH);
      return href ? { type: 'open_link', href } : undefined;
    }
    case 'open_diff': {
      const entryId = text(message.entryId, MAX_ID);
      const content = count(message.content);
      const change = count(message.change);
      return entryId !== undefined && content !== undefined && change !== undefined
        ? { type: 'open_diff', entryId, content, change }
        : undefined;
    }
    case 'open_turn_file': {
      const entryId = text(message.entryId, MAX_ID);
      const file = count(message.file);
      return entryId !== undefined && file !== undefined ? { type: 'open_turn_file', entryId, file } : undefined;
    }
    case 'open_content': {
      const entryId = text(message.entryId, MAX_ID);
      const content = count(message.content);
      return entryId !== undefined && content !== undefined ? { type: 'open_content', entryId, content } : undefined;
    }
    case 'stop_terminal': {
      const terminalId = text(message.terminalId, MAX_ID);
      return terminalId !== undefined ? { type: 'stop_terminal', terminalId } : undefined;
    }
    case 'show_terminal': {
      const terminalId = text(message.terminalId, MAX_ID);
      return terminalId !== undefined ? { type: 'show_terminal', terminalId } : undefined;
    }
    case 'copy': {
      const copied = text(message.text, MAX_COPY);
      return copied !== undefined ? { type: 'copy', text: copied } : undefined;
    }
    case 'find': {
      const query = text(message.text, MAX_QUERY);
      const findId = count(message.findId);
      const { caseSensitive, wholeWord } = message;
      return query !== undefined && findId !== undefined && typeof caseSensitive === 'boolean' && typeof wholeWord === 'boolean'
        ? { type: 'find', findId, text: query, caseSensitive, wholeWord }
        : undefined;
    }
    case 'reading': {
      const entryId = text(message.entryId, MAX_ID);
      return message.entryId === undefined ? { type: 'reading' } : entryId !== undefined ? { type: 'reading', entryId } : undefined;
    }
    case 'insert_code': {
      const code = text(message.text, MAX_CODE);
      return code !== undefined ? { type: 'insert_code', text: code } : undefined;
    }
    case 'apply_code': {
      const code = text(message.text, MAX_CODE);
      const info = text(message.info, MAX_PATH);
      return code !== undefined && info !== undefined ? { type: 'apply_code', text: code, info } : undefined;
    }
    case 'action':
      return (VIEW_ACTIONS as readonly unknown[]).includes(message.action)
        ? { type: 'action', action: message.action as ViewAction }
        : undefined;
    default:
      return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown, max: number): string | undefined {
  return typeof value === 'string' && value.length <= max ? value : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function ids(value: unknown): string[] | undefined {
  return texts(value, MAX_IDS, MAX_ID);
}

function texts(value: unknown, maxCount: number, maxLength: number): string[] | undefined {
  if (!Array.isArray(value) || value.length > maxCount) {
    return undefined;
  }
  const copy = [...(value as unknown[])]; // A hole becomes undefined: `every` would pass over it.
  return copy.every((item) => text(item, maxLength) !== undefined) ? (copy as string[]) : undefined;
}

function answer(message: Fields): FromView | undefined {
  const requestKey = text(message.requestKey, MAX_ID);
  const { action } = message;
  if (requestKey === undefined || (action !== 'accept' && action !== 'decline' && action !== 'cancel')) {
    return undefined;
  }
  if (message.content === undefined) {
    return { type: 'answer_elicitation', requestKey, action };
  }
  const content = values(message.content);
  return content && { type: 'answer_elicitation', requestKey, action, content };
}

/** A form's values; whether they fit the form is the session's matter. */
function values(raw: unknown): ElicitationContent | undefined {
  if (!isFields(raw) || Object.keys(raw).length > MAX_FIELDS) {
    return undefined;
  }
  let left = MAX_COPY;
  const entries: [string, ElicitationValue][] = [];
  for (const [name, value] of Object.entries(raw)) {
    const list = Array.isArray(value) ? texts(value, MAX_IDS, MAX_COPY) : undefined;
    if (!list && typeof value !== 'string' && typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value))) {
      return undefined;
    }
    left -= name.length + (list ? list.reduce((sum, item) => sum + item.length, 0) : typeof value === 'string' ? value.length : 0);
    entries.push([name, list ?? (value as ElicitationValue)]);
  }
  // Not by assignment: a field may be called `__proto__`.
  return left >= 0 ? (Object.fromEntries(entries) as ElicitationContent) : undefined;
}

function bulkField(value: unknown): BulkField | undefined {
  if (value === 'rawInput' || value === 'rawOutput') {
    return value;
  }
  return typeof value === 'string' && /^content\.\d{1,6}$/.test(value) ? (value as BulkField) : undefined;
}

function blocks(value: unknown): ContentBlock[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_BLOCKS) {
    return undefined;
  }
  let left = MAX_PROMPT;
  const result: ContentBlock[] = [];
  for (const item of value) {
    const block = isFields(item) ? parseBlock(item) : undefined;
    if (!block) {
      return undefined;
    }
    for (const part of Object.values(block)) {
      left -= typeof part === 'string' ? part.length : 0;
    }
    result.push(block);
  }
  return left >= 0 ? result : undefined;
}

/** A block that a prompt may carry; never `unknown`. */
function parseBlock(item: Fields): ContentBlock | undefined {
  const str = (value: unknown): string | undefined => text(value, MAX_PROMPT);
  const mimeType = str(item.mimeType);
  switch (item.type) {
    case 'text': {
      const value = str(item.text);
      return value !== undefined ? { type: 'text', text: value } : undefined;
    }
    case 'image':
    case 'audio': {
      const data = str(item.data);
      return data !== undefined && mimeType !== undefined ? { type: item.type, data, mimeType } : undefined;
    }
    case 'resource_link': {
      const uri = text(item.uri, MAX_PATH);
      const name = text(item.name, MAX_PATH);
      const size = count(item.size);
      return uri && name
        ? { type: 'resource_link', uri, name, ...(mimeType !== undefined && { mimeType }), ...(size !== undefined && { size }) }
        : undefined;
    }
    case 'resource': {
      const uri = text(item.uri, MAX_PATH);
      const value = str(item.text);
      const blob = str(item.blob);
      if (!uri || (value === undefined && blob === undefined)) {
        return undefined;
      }
      return { type: 'resource', uri, ...(mimeType !== undefined && { mimeType }), ...(value !== undefined ? { text: value } : { blob }) };
    }
    default:
      return undefined;
  }
}
