/**
 * The paths of a remote agent's machine in the messages, replaced by those of this machine and back. Only the values of fields that the protocol
 * has for paths are replaced, in the JSON text: a second parse of each message would cost more than the whole connection.
 */
import type { MessageReader, MessageTransport, TransportEnd } from '../../../core/model/transport';

/** A folder of this machine, and its path on the agent's. */
export type PathPair = readonly [local: string, remote: string];

/** Fields with a path or a `file:` address. */
const FIELDS = 'cwd|path|oldPath|newPath|uri|root|destination';
/** Fields with a list of paths. */
const LISTS = /("(?:additionalDirectories|roots|workspaceRoots)"\s*:\s*\[)([^\]]{0,100000})(\])/g;

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
      field: new RegExp(`("(?:${FIELDS})"\\s*:\\s*")${start}((?:[^"\\\\]|\\\\.)*)`, 'g'),
      entry: new RegExp(`(")${start}((?:[^"\\\\]|\\\\.)*)`, 'g'),
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
      const put = (_whole: string, before: string, scheme: string | undefined, rest: string): string =>
        before +
        (scheme ?? '') +
        quoted(scheme !== undefined && isWindows ? `/${to.replaceAll('\\', '/')}` : to) +
        tail(rest, isWindows && scheme === undefined);
      text = text
        .replace(field, put)
        .replace(LISTS, (_whole, open: string, list: string, close: string) => open + list.replace(entry, put) + close);
    }
    return text;
  };
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
