/**
 * Removes personal data and likely secrets from text that the user shares. Stricter than `acp/redaction/secrets`, which must leave a log readable
 * for its owner. Text that only looks random stays, because hashes and ids are needed in a bug report. Every search is linear in the length of the
 * text. Pure.
 */
import { REDACTED } from '../../acp/redaction/secretValues';

/** The person whom the text must not identify. */
export interface Person {
  /** The absolute path of the user's home folder. */
  readonly home: string;
  /** The user's name on this machine. */
  readonly userName: string;
  readonly hostName: string;
}

/** Names that do not identify anyone, or that are words of the format. */
const COMMON = new Set(
  (
    'root user users admin administrator node vscode runner ubuntu debian coder codespace gitpod dev developer test guest home default localhost local owner ' +
    'text type name title content event message agent path data kind status role line read edit command output input value key file patch options thought'
  ).split(' '),
);

/** The minimum length in UTF-16 units of a name; anything shorter may be a syllable. */
const SHORTEST_NAME = 3;

/** The start of a word: no word character before it. Escape sequences (in a nested string, or for colours) end in letters that do not count. */
const WORD_START = '(?:(?<![\\p{L}\\p{N}_])|(?<=\\\\[nrt])|(?<=\\u001b\\[[\\d;]{0,20}m))';
const WORD_END = '(?![\\p{L}\\p{N}])';

/** Excludes `git@host:path`, which names no person, and `package@1.2.3`. */
const E_MAIL = new RegExp(
  `${WORD_START}(?!git@)[\\w.+-]{1,64}@(?=[\\w.-]{0,200}[A-Za-z])[\\w-]{1,63}(?:\\.[\\w-]{1,63}){0,4}\\.[A-Za-z]{2,24}${WORD_END}`,
  'gu',
);
/** A picture, a sound or an archive, which the user cannot review. */
const BULK = /[A-Za-z0-9+/_-]{400,}={0,2}/g;
/** Text such as "The password is …". */
const SPOKEN =
  /\b(pass(?:word|phrase|wd|code)?|api[- ]?key|token|secret|credentials?|pin)((?:\s{1,4}(?:is|was|are):?|\s{0,4}[=:])\s{0,4}["'`“‘]?)([^\s"'`“”‘’,;]{4,})/gi;
/** Members that hold identities. Different values must stay different. */
const IDENTITY = /(?:Id|^id|^key|^requestKey)$/;

/** Returns a function that anonymizes a text. `member`: the name of the JSON member that holds it. */
export function anonymous({ home, userName, hostName }: Person): (text: string, member?: string) => string {
  const homeless = withoutHome(home);
  const nameless = withoutWords([userName, home.split(/[\\/]/).findLast((part) => part !== '') ?? ''], '[user]');
  const hostless = withoutWords([hostName, hostName.split('.')[0]!], '[host]');
  return (text, member) => {
    const personal = hostless(homeless(text).replace(E_MAIL, '[e-mail]'));
    const result = nameless(personal).replace(BULK, (run) => `[${run.length} characters]`);
    return member !== undefined && IDENTITY.test(member) ? result : result.replace(SPOKEN, spoken);
  };
}

/** Returns a function that replaces the folder with `~`, in every notation: plain, in a nested string, as a URL. */
export function withoutHome(home: string): (text: string) => string {
  const folder = home.replace(/[\\/]+$/, '');
  if (folder.length < 4) {
    return (text) => text;
  }
  const slashes = folder.replace(/\\/g, '/');
  const drive = /^([a-z]):/i.exec(slashes)?.[1];
  const once = JSON.stringify(folder).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const written = [
    folder,
    once,
    twice,
    slashes,
    ...(drive ? [`/${drive}%3A${slashes.slice(2)}`] : []),
    slashes.split('/').map(encodeURIComponent).join('/'),
  ];
  const pattern = new RegExp(`(?:${alternatives(written)})(?![\\w-])`, drive ? 'gi' : 'g');
  return (text) => text.replace(pattern, '~');
}

function withoutWords(words: readonly string[], instead: string): (text: string) => string {
  const telling = words.filter((word) => word.length >= SHORTEST_NAME && !COMMON.has(word.toLowerCase()));
  if (telling.length === 0) {
    return (text) => text;
  }
  const pattern = new RegExp(`${WORD_START}(?:${alternatives(telling)})${WORD_END}`, 'giu');
  return (text) => text.replace(pattern, instead);
}

/** Sorts longer texts first, because one may be the beginning of another. */
function alternatives(texts: readonly string[]): string {
  return [...new Set(texts)]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/-/g, '\\x2d'))
    .join('|');
}

function spoken(whole: string, name: string, between: string, value: string): string {
  return /\d/.test(value) || value.length >= 16 || /^pass/i.test(name) ? name + between + REDACTED : whole;
}
