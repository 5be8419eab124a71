/**
 * The paths of a remote agent's machine in the messages, replaced by those of this machine and back. Only the values of fields that the protocol
 * has for paths are replaced, in the JSON text: a second parse of each message would cost more than the whole connection.
 */
import type { MessageReader, MessageTransport, TransportEnd } from '../../../core/model/transport';

/** A folder of this machine, and its path on the agent's. */
export type PathPair = readonly [local: string, remote: string];

/** Fields with a path or a `file:` address. */
const FIELDS = 'cwd|path|oldPath|newPath|uri|root|destination';
/** The beginning of a field with a list of paths. */
const LIST = /"(?:additionalDirectories|roots|workspaceRoots)"\s*:\s*\[/g;
/** UTF-16 units of a list that is read. */
const MAX_LIST = 100_000;
const IN_STRING = /["\\]/g;

/**
 * @param mapping in both directions
 * @param outgoing besides, for our messages only: the agent's paths stay as they are
 */
export function withMappedPaths(
  transport: MessageTransport,
  mapping: readonly PathPair[],
  outgoing: readonly PathPair[],
): MessageTransport {
  const toAgent = replacer([...mapping, ...outgoing]);
  const fromAgent = replacer(mapping.map(([local, remote]) => [remote, local] as const));
  return {
    read: (reader: MessageReader & { end(end: TransportEnd): void }) =>
      transport.read({
        message: (text, damaged) => reader.message(fromAgent(text), damaged),
        skipped: (bytes, head, tail) => reader.skipped(bytes, head, tail),
        closing: () => reader.closing(),
        end: (end) => reader.end(end),
      }),
    write: (json) => transport.write(toAgent(json)),
    close: () => transport.close(),
    describe: () => transport.describe(),
  };
}

/** Replaces the longest folder that contains a path. */
function replacer(pairs: readonly PathPair[]): (json: string) => string {
  const sorted = pairs.map(([from, to]) => [trimmed(from), trimmed(to)] as const).sort(([a], [b]) => b.length - a.length);
  const rules = sorted.map(([from, to]) => {
    const start = `(file://(?=/))?${pattern(from)}(?=["/]|\\\\\\\\)`;
    return {
      quick: quoted(from),
      field: new RegExp(`("(?:${FIELDS})"\\s*:\\s*")${start}`, 'g'),
      entry: new RegExp(`(")${start}`, 'g'),
      to,
      isWindows: isWindows(to),
    };
  });
  return (json) => {
    let text = json;
    for (const { quick, field, entry, to, isWindows } of rules) {
      if (!text.includes(quick)) {
        continue;
      }
      const put: Put = (before, scheme, rest) =>
        before +
        (scheme ?? '') +
        quoted(scheme !== undefined && isWindows ? `/${to.replaceAll('\\', '/')}` : to) +
        tail(rest, isWindows && scheme === undefined);
      text = inLists(replaced(text, field, put), (list) => replaced(list, entry, put));
    }
    return text;
  };
}

/** Returns the text instead of a path: what is before the path, its scheme, and the rest after the folder. */
type Put = (before: string, scheme: string | undefined, rest: string) => string;

/** Replaces each string that begins with a match of `head`. A pattern for a whole string overflows the stack at some megabytes. */
function replaced(text: string, head: RegExp, put: Put): string {
  const parts: string[] = [];
  let copied = 0;
  head.lastIndex = 0;
  for (let found = head.exec(text); found; found = head.exec(text)) {
    const [, before = '', scheme] = found;
    const end = stringEnd(text, head.lastIndex);
    parts.push(text.slice(copied, found.index), put(before, scheme, text.slice(head.lastIndex, end)));
    copied = end;
    head.lastIndex = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

/** Replaces the lists of paths. Reads each part of the text once, whatever the number of lists without an end. */
function inLists(text: string, replace: (list: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  LIST.lastIndex = 0;
  for (let found = LIST.exec(text); found; found = LIST.exec(text)) {
    const start = LIST.lastIndex;
    const end = text.indexOf(']', start);
    if (end < 0) {
      break;
    }
    if (end - start <= MAX_LIST) {
      parts.push(text.slice(copied, start), replace(text.slice(start, end)));
      copied = end;
    }
    LIST.lastIndex = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

/** The index of the quote that ends the string around `from`, or the end of the text. */
function stringEnd(text: string, from: number): number {
  IN_STRING.lastIndex = from;
  for (let found = IN_STRING.exec(text); found; found = IN_STRING.exec(text)) {
    if (found[0] === '"') {
      return found.index;
    }
    IN_STRING.lastIndex++;
  }
  return text.length;
}

/** The rest of a path in the other system's separators. */
function tail(rest: string, isWindows: boolean): string {
  return isWindows ? rest.replaceAll('/', '\\\\') : rest.replaceAll('\\\\', '/');
}

function isWindows(folder: string): boolean {
  return /^[a-zA-Z]:/.test(folder) || folder.startsWith('\\\\');
}

/** The folder as part of a JSON text. */
function quoted(folder: string): string {
  return JSON.stringify(folder).slice(1, -1);
}

function pattern(folder: string): string {
  return quoted(folder).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The folder without a separator at its end; the root of a disk is the empty text. */
function trimmed(folder: string): string {
  return folder.replace(/[\\/]+$/, '');
}
