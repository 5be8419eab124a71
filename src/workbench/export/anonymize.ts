/**
 * What would say who the user is, and what is said to be a secret, out of text that is given to others. Stricter than `acp/redaction/secrets`, which must leave
 * a log readable for its owner. What only looks like chance stays: hashes and ids are what a report is read for. Every search is linear in the text. Pure.
 */
import { REDACTED } from '../../acp/redaction/secretValues';

/** Whom the text shall not name. */
export interface Person {
  /** Their folder; absolute. */
  readonly home: string;
  /** At this machine. */
  readonly userName: string;
  readonly hostName: string;
}

/** Names that say nothing of who it is, or that are words of the format. */
const COMMON = new Set(
  (
    'root user users admin administrator node vscode runner ubuntu debian coder codespace gitpod dev developer test guest home default localhost local owner ' +
    'text type name title content event message agent path data kind status role line read edit command output input value key file patch options thought'
  ).split(' '),
);

/** UTF-16 units from which a name is one and not a syllable. */
const SHORTEST_NAME = 3;

/** Before a word: nothing that is part of one. Escapes of a string in a string and of colours end in letters. */
const WORD_START = '(?:(?<![\\p{L}\\p{N}_])|(?<=\\\\[nrt])|(?<=\\u001b\\[[\\d;]{0,20}m))';
const WORD_END = '(?![\\p{L}\\p{N}])';

/** Not `git@host:path`, which is everybody's, nor `package@1.2.3`. */
const E_MAIL = new RegExp(
  `${WORD_START}(?!git@)[\\w.+-]{1,64}@(?=[\\w.-]{0,200}[A-Za-z])[\\w-]{1,63}(?:\\.[\\w-]{1,63}){0,4}\\.[A-Za-z]{2,24}${WORD_END}`,
  'gu',
);
/** A picture, a sound, an archive: nobody can look it through. */
const BULK = /[A-Za-z0-9+/_-]{400,}={0,2}/g;
/** "The password is …" */
const SPOKEN =
  /\b(pass(?:word|phrase|wd|code)?|api[- ]?key|token|secret|credentials?|pin)((?:\s{1,4}(?:is|was|are):?|\s{0,4}[=:])\s{0,4}["'`“‘]?)([^\s"'`“”‘’,;]{4,})/gi;
/** Members that tell one thing from another: what they hold must stay as different as it was. */
const IDENTITY = /(?:Id|^id|^key|^requestKey)$/;

/** Takes all that out of a text; `member`: of the JSON member that holds it. */
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

/** A function that puts `~` in place of the folder, however it is written: plain, in a string in a string, as an address. */
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

/** The longest first: one may be the beginning of another. */
function alternatives(texts: readonly string[]): string {
  return [...new Set(texts)]
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/-/g, '\\x2d'))
    .join('|');
}

function spoken(whole: string, name: string, between: string, value: string): string {
  return /\d/.test(value) || value.length >= 16 || /^pass/i.test(name) ? name + between + REDACTED : whole;
}
