/**
 * Messages as readable lines. Each is whole, except for kinds that repeat all fields every time: these only show the difference to the last
 * of their kind.
 */
import { differences, isRecord } from './differences';

const WIDTH = 140;

/** Kinds that repeat all or most fields every time. An update only has new fields, so its difference to another update is meaningless. */
const REPEATING = new Set(['available_commands', 'config_options', 'message_chunk', 'terminal_output', 'usage']);

/** The ids of a message's subject. */
const IDS = ['toolCallId', 'terminalId', 'messageId'];

export class MessageLines {
  private readonly last = new Map<string, Readonly<Record<string, unknown>>>();

  /**
   * @param head the text before the message: its kind
   * @param body a value without members is shown as the member `value`
   */
  add(head: string, body: unknown): string[] {
    // A JSON copy, without undefined members.
    const plain = JSON.parse(JSON.stringify(isRecord(body) ? body : { value: body })) as Readonly<Record<string, unknown>>;
    const ids = IDS.filter((id) => id in plain).map((id) => `${id}=${JSON.stringify(plain[id])}`);
    const key = [head, ...ids].join(' ');
    const last = this.last.get(key);
    this.last.set(key, plain);
    const words = last && REPEATING.has(head.trim()) ? differences(plain, last) : undefined;
    if (words) {
      return laidOut([head, ...ids, ...words]);
    }
    const others = Object.keys(plain).filter((name) => !IDS.includes(name));
    return laidOut([head, ...ids, ...others.map((name) => `${name}=${JSON.stringify(plain[name])}`)]);
  }
}

/** The words in one line or, if they do not fit, the first word and one line for each of the others. */
function laidOut([head = '', ...words]: readonly string[]): string[] {
  const line = [head, ...words].join(' ');
  const indent = ' '.repeat(head.search(/\S/) + 2);
  return line.length <= WIDTH ? [line] : [head, ...words.flatMap((word) => opened(word, indent))];
}

/** `path=JSON`; the members of a long value are on lines of their own. */
function opened(word: string, indent: string): string[] {
  const equals = word.indexOf('=') + 1;
  if (indent.length + word.length <= WIDTH || word.endsWith('=absent')) {
    return [indent + word];
  }
  const [first = '', ...rest] = pretty(JSON.parse(word.slice(equals)), indent);
  return [indent + word.slice(0, equals) + first, ...rest];
}

function pretty(value: unknown, indent: string): string[] {
  const json = JSON.stringify(value);
  if (indent.length + json.length <= WIDTH || typeof value !== 'object' || value === null) {
    return [json];
  }
  const inner = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((item: unknown) => ['', item] as const)
    : Object.entries(value).map(([key, item]) => [`${JSON.stringify(key)}: `, item] as const);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const lines = members.flatMap(([name, item]) => {
    const [first = '', ...rest] = pretty(item, inner);
    return [inner + name + first, ...rest];
  });
  return [open, ...lines, indent + close];
}
