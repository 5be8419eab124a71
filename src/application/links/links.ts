/**
 * Decides what a link or a path in an agent's text may open. Pure. `openHandlers.ts` opens it, after checking files against the session's folders.
 */
import { hasControls, withoutUnseen } from '../../text/characters/characters';
import { isForeignShare } from '../../core/model/networkPath';

export type LinkTarget =
  /** Opens in the browser or the mail program. */
  | { readonly type: 'external'; readonly uri: string }
  /** `path` is absolute, or relative to the session's folder. */
  | ({ readonly type: 'file'; readonly path: string } & Passage)
  /** `scheme` is the link's scheme, for the message. */
  | { readonly type: 'refused'; readonly reason: 'scheme' | 'malformed' | 'remote_file' | 'attachment'; readonly scheme?: string };

/** A range in a file; all numbers are 1-based. `endLine` is the last line of the range, `endColumn` the last column in it. */
export interface Passage {
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

const MAX_LINK = 8_192;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const WINDOWS_DRIVE = /^[a-z]:[\\/]/i;
/** Matches `name:12`, `name:12:3`, `name:L12`, where the part before the colon is a file's name and not a scheme. */
const ONLY_PLACE_AFTER_COLON = /^[\w.+-]+:L?\d+(:\d+)?(-L?\d+(:\d+)?)?(#|$)/;

/**
 * Parses a link or path. `href` is the agent's text: a URL, a `file:` URL, or a path, each with an optional `#L12`, `#L12-L20`, `:12`, `:12:3` or
 * `:L12` at its end. `own`: the session's folders. Files on network shares are refused unless one of these is on the same share.
 */
export function linkTarget(href: string, own: readonly string[] = []): LinkTarget {
  const link = href.trim();
  // Some parsers skip control characters inside a scheme; no legitimate link contains one.
  if (link === '' || link.length > MAX_LINK || hasControls(link)) {
    return { type: 'refused', reason: 'malformed' };
  }
  const scheme = WINDOWS_DRIVE.test(link) || ONLY_PLACE_AFTER_COLON.test(link) ? undefined : SCHEME.exec(link)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return pathTarget(link, own);
    case 'http':
    case 'https':
    case 'mailto':
      return externalTarget(link, scheme);
    case 'file':
      return fileTarget(link, own);
    default:
      return { type: 'refused', reason: 'scheme', scheme };
  }
}

/** Parses a web page's address, which is opened outside of VS Code. Only http and https are allowed. */
export function pageTarget(url: string): Exclude<LinkTarget, { readonly type: 'file' }> {
  const target = linkTarget(url);
  const isPage = target.type === 'external' && /^https?:/i.test(target.uri);
  return isPage
    ? target
    : target.type === 'refused'
      ? target
      : { type: 'refused', reason: 'scheme', scheme: SCHEME.exec(url.trim())?.[1] ?? 'file' };
}

/** A place in a file that a link names. */
export type FileTarget = Extract<LinkTarget, { type: 'file' }>;

/**
 * Returns the possible meanings of a link to a file, the likeliest first, because a name may itself contain an escape, brackets with a number or a
 * number sign. Empty for a link to anything else.
 */
export function fileTargets(href: string, own: readonly string[]): readonly FileTarget[] {
  const target = linkTarget(href, own);
  if (target.type !== 'file' || /^file:/i.test(href.trim())) {
    return target.type === 'file' ? [target] : [];
  }
  const literal = href.trim();
  const isAmbiguous = literal !== target.path && (/[%#]/.test(literal) || literal.endsWith(')'));
  const undecoded = isAmbiguous ? undecodedTarget(literal) : target;
  const heading = target.path.lastIndexOf('#');
  return [
    ...(isAmbiguous ? [{ type: 'file' as const, path: literal }] : []),
    ...(undecoded.path === target.path || undecoded.path === literal ? [] : [undecoded]),
    target,
    ...(heading > 0 ? [{ type: 'file' as const, path: target.path.slice(0, heading) }] : []),
  ];
}

/** Returns the path as written, without the position at its end. */
function undecodedTarget(literal: string): FileTarget {
  const hash = /#L?\d[^#/\\]*$/i.exec(literal)?.[0];
  return (hash && atFragment(literal.slice(0, -hash.length), hash)) || placeAtEnd(literal);
}

function externalTarget(link: string, scheme: string): LinkTarget {
  if (!URL.canParse(link)) {
    return { type: 'refused', reason: 'malformed', scheme };
  }
  const url = new URL(link);
  // "https:example" parses, but its author and its reader may understand it differently.
  if (scheme !== 'mailto' && !/^https?:\/\/[^/]/i.test(link)) {
    return { type: 'refused', reason: 'malformed', scheme };
  }
  if (scheme === 'mailto' && (attaches(link) || attaches(url.href))) {
    return { type: 'refused', reason: 'attachment', scheme };
  }
  return { type: 'external', uri: url.href };
}

/**
 * True for a mail address that attaches a file (`attach=`, `attachment=`): some mail programs attach it silently, and the user sends it. Finds the
 * field with any separator between fields, and after any number of decodings.
 */
function attaches(mail: string): boolean {
  const [, ...fields] = mail.split(/[?&;]/);
  const names = fields.map((field) => decodedWhole(field.split('=', 1)[0]!));
  return names.some((name) => /attach/i.test(name)) || /[?&;]\s*[\w.-]*attach[\w.-]*\s*=/i.test(decodedWhole(mail));
}

/** Decodes repeatedly until nothing changes, and removes invisible characters. Invalid escapes stay, and do not prevent decoding of the others. */
function decodedWhole(text: string): string {
  const next = text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => decoded(escapes) ?? escapes);
  return next === text ? withoutUnseen(text, () => '') : decodedWhole(next);
}

function fileTarget(link: string, own: readonly string[]): LinkTarget {
  if (!URL.canParse(link)) {
    return { type: 'refused', reason: 'malformed', scheme: 'file' };
  }
  const url = new URL(link);
  if (isForeignShare(link, own)) {
    return { type: 'refused', reason: 'remote_file', scheme: 'file' };
  }
  const inHost = decoded(url.pathname);
  if (inHost === undefined) {
    return { type: 'refused', reason: 'malformed', scheme: 'file' };
  }
  const path = url.host === '' || url.host === 'localhost' ? inHost : `//${url.host}${inHost}`;
  const local = path.replace(/^\/(?=[a-z]:)/i, '');
  return atFragment(local, url.hash) ?? placeAtEnd(local);
}

/** Parses a path in Markdown. Percent escapes are allowed, although a file name may also contain `%`. */
function pathTarget(link: string, own: readonly string[]): LinkTarget {
  // A network path is on another machine, and a browser would treat "//host" as one.
  if (isForeignShare(link, own) || isForeignShare(decoded(link) ?? '', own)) {
    return { type: 'refused', reason: 'remote_file' };
  }
  if (link.startsWith('#') || link.startsWith('?')) {
    return { type: 'refused', reason: 'malformed' };
  }
  const hash = /#L?\d[^#/\\]*$/i.exec(link)?.[0];
  const path = hash ? link.slice(0, -hash.length) : link;
  // URLs write a drive with a leading slash.
  const whole = (decoded(path) ?? path).replace(/^\/(?=[a-z]:[\\/])/i, '');
  if (hasControls(whole)) {
    return { type: 'refused', reason: 'malformed' };
  }
  return (hash && atFragment(whole, hash)) || placeAtEnd(whole);
}

/** Reads `#L12`, `#L12-L20`, `#L12C3` or `#12`. */
function atFragment(path: string, hash: string): FileTarget | undefined {
  const match = /^#L?(\d{1,9})(?:[C:,](\d{1,9}))?(?:-(?:L?(\d{1,9})(?:[C:,](\d{1,9}))?)?.*)?$/i.exec(hash);
  return match ? fileAt(path, match.slice(1)) : undefined;
}

function placeAtEnd(path: string): FileTarget {
  // The format of compilers: `a.cs(12,3)`.
  const inBrackets = /^(.*\.\w+)\((\d{1,9})(?:,\s?(\d{1,9}))?\)$/.exec(path);
  if (inBrackets) {
    return fileAt(inBrackets[1]!, inBrackets.slice(2));
  }
  const match = /^(.+?):L?(\d{1,9})(?::(\d{1,9}))?(?:-L?(\d{1,9})(?::(\d{1,9}))?)?$/.exec(path);
  return match ? fileAt(match[1]!, match.slice(2)) : { type: 'file', path };
}

/** @param places line, column, last line and last column; any of them may be missing */
function fileAt(path: string, places: readonly (string | undefined)[]): FileTarget {
  const [line = 0, column = 0, endLine = 0, endColumn = 0] = places.map((place) => Number(place ?? 0));
  const hasEnd = line > 0 && endLine >= line;
  return {
    type: 'file',
    path,
    ...(line > 0 && { line }),
    ...(line > 0 && column > 0 && { column }),
    ...(hasEnd && { endLine }),
    ...(hasEnd && endColumn > 0 && { endColumn }),
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
