/**
 * Finding secrets in text that somebody will read: stderr, noise, and the strings inside frames. Every search is linear in the text: fixed
 * words, character classes and bounded repetitions, nothing that could go back over what it has seen.
 */

/** Stands where a secret was. */
export const REDACTED = '[redacted]';

const NAMES = 'authorization|api[-_ ]?key|token|secret|password|passwd|passphrase|cookie|bearer|credential|private[-_]?key|access[-_]?key';
const SECRET_NAME = new RegExp(NAMES, 'i');
const SECRET_VARIABLE = /(?:^|[-_])(?:auth|key|pass|pat|pin|pw|dsn|signature)(?:[-_]|$)/i;

/** True for the name of a JSON member, an option or a setting whose value nobody else should read. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The same for environment variables, headers and query parameters, whose short words mean more. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) || SECRET_VARIABLE.test(name);
}

/** UTF-16 units from which a value of an agent's environment counts as a secret whatever its name. */
const LONG_VALUE = 8;

/** The values of a launch's environment that must not be shown, longest first. Short ones only where the name says so. */
export function secretValues(env: Readonly<Record<string, string>>): string[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value.trim() !== '' && (value.length >= LONG_VALUE || isSecretVariable(name))) {
      values.add(value);
      values.add(encodeURIComponent(value.toWellFormed()));
      // A key of many lines is also one that is printed line by line.
      value.split(/\r?\n/).forEach((line) => line.length >= LONG_VALUE && values.add(line));
    }
  }
  return [...values].sort((a, b) => b.length - a.length);
}

/** `text` without `values` and without what looks like a secret. */
export function redactText(text: string, values: readonly string[]): string {
  let result = text;
  for (const value of values) {
    result = withoutValue(result, value);
  }
  result = withoutPrivateKeys(result).replace(CREDENTIALS, `$1${REDACTED}`).replace(KEY_SHAPES, REDACTED);
  if (result.includes('://')) {
    result = result.replace(USER_INFO, `${REDACTED}@`);
  }
  result = result.replace(QUERY, (whole, head: string, name: string) => (isSecretVariable(name) || PLAIN_QUERY.test(name) ? head + REDACTED : whole));
  result = result.replace(OPTION, (whole, head: string, name: string) => (isSecretName(name) ? head + REDACTED : whole));
  return withoutAssignments(result);
}

/** The beginning of a text that was cut, without the beginning of a value at its very end. */
export function withoutCutValue(text: string, values: readonly string[]): string {
  for (const value of values) {
    for (let length = value.length - 1; length >= SHORTEST_TAIL; length--) {
      if (text.endsWith(value.slice(0, length))) {
        return text.slice(0, -length) + REDACTED;
      }
    }
  }
  return text;
}

const SHORTEST_TAIL = 4;

/** A short value only where it stands alone: it may be part of many words. */
function withoutValue(text: string, value: string): string {
  if (!text.includes(value)) {
    return text;
  }
  if (value.length >= LONG_VALUE) {
    return text.replaceAll(value, REDACTED);
  }
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    if (!isWordUnit(text, at - 1) && !isWordUnit(text, at + value.length)) {
      parts.push(text.slice(start, at), REDACTED);
      start = at + value.length;
    }
  }
  return parts.join('') + text.slice(start);
}

function isWordUnit(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at));
}

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/g;
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/g;

function withoutPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY-----')) {
    return text;
  }
  const parts: string[] = [];
  let start = 0;
  KEY_BEGIN.lastIndex = 0;
  for (let begin = KEY_BEGIN.exec(text); begin; begin = KEY_BEGIN.exec(text)) {
    KEY_END.lastIndex = KEY_BEGIN.lastIndex;
    const end = KEY_END.exec(text);
    parts.push(text.slice(start, begin.index), REDACTED);
    start = end ? KEY_END.lastIndex : text.length;
    if (!end) {
      break;
    }
    KEY_BEGIN.lastIndex = start;
  }
  return parts.join('') + text.slice(start);
}

/** As in an `Authorization` header; words as long as `authentication` are words. */
const CREDENTIALS = /\b(bearer[ \t]{1,4}|basic[ \t]{1,4}(?=[\w.~+/=-]{16}))(?!authentication\b)[\w.~+/=-]{6,}/gi;

/**
 * Keys and tokens of well-known services by their beginnings, and JSON web tokens. No beginning inside a word: each word is looked at once. Escapes of a
 * string in a string, and of colours, end in letters that are no part of a word.
 */
const KEY_SHAPES = new RegExp(
  '(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|(?<=\\u001b\\[[\\d;]{0,20}m))(?:' +
    [
      'sk-[\\w-]{8,}',
      '(?:sk|pk|rk|whsec)_(?:live|test)_\\w{8,}',
      'gh[a-z]_[A-Za-z0-9]{8,}',
      'github_pat_\\w{8,}',
      'glpat-[\\w-]{8,}',
      'xox[a-z]-[\\w-]{8,}',
      '(?:AKIA|ASIA)[0-9A-Z]{12,}',
      'AIza[\\w-]{20,}',
      'ya29\\.[\\w-]{16,}',
      'npm_[A-Za-z0-9]{20,}',
      'hf_[A-Za-z0-9]{16,}',
      'eyJ[\\w-]{5,}\\.[\\w-]{5,}(?:\\.[\\w-]*)?',
    ].join('|') +
    ')',
  'g',
);

/** Between `://` and the last `@` before the path. */
const USER_INFO = /(?<=:\/\/)[^\s/?#"'<>\\]{1,1024}@/g;
const QUERY = /([?&;]([\w.%-]{1,64})=)[^&#;\s"'<>\\]+/g;
const PLAIN_QUERY = /^(?:key|sig|signature|code|pwd)$/i;
const OPTION = /((?<![\w-])--([\w-]{1,64})[ =])(?!-)[^\s"'\\]+/g;

/** A secret's name and what stands between it and its value: `apiKey: `, `"token":`, `\"password\":`, `SECRET=`. */
const ASSIGNMENT = new RegExp(`(${NAMES})[\\w-]{0,40}[\\\\"']{0,4}[ \\t]{0,4}(?:=>|:=|=|:)[ \\t]{0,4}`, 'gi');
/** Headers whose value goes on to the end of the line. */
const WHOLE_LINE = /^(?:authorization|cookie)$/i;
/** Names that are never counted: whatever is said to be one is one, a number too. */
const NO_COUNT = /^pass|^secret/i;
/** Where an unquoted value ends. */
const BARE_END = /[\s"'\\,;&<>(){}[\]|]|$/g;
const LINE_END = /["'\r\n\\]|$/g;

/** Values given to secret names, quoted or not. An unquoted one may also be code or prose (`token: string`, `tokens: 512`), which stays. */
function withoutAssignments(text: string): string {
  const parts: string[] = [];
  let start = 0;
  ASSIGNMENT.lastIndex = 0;
  for (let head = ASSIGNMENT.exec(text); head; head = ASSIGNMENT.exec(text)) {
    const at = ASSIGNMENT.lastIndex;
    const quoted = openingQuote(text, at);
    const from = at + (quoted?.length ?? 0);
    const end = quoted === undefined ? indexOf(WHOLE_LINE.test(head[1]!) ? LINE_END : BARE_END, text, from) : quoteEnd(text, from, quoted);
    const value = text.slice(from, end);
    if (value !== '' && (quoted !== undefined || isLikelySecret(head[0], head[1]!, value))) {
      parts.push(text.slice(start, from), REDACTED);
      start = end;
    }
    ASSIGNMENT.lastIndex = Math.max(end, at);
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(start);
}

function isLikelySecret(head: string, name: string, value: string): boolean {
  if (/^\d+(?:[.,:]\d+)*[kKmM%]?$/.test(value)) {
    return NO_COUNT.test(name);
  }
  return head.endsWith('=') || WHOLE_LINE.test(name) || value.length >= 16 || /\d/.test(value);
}

/** The quote at `at`, with the backslashes before it when the text is quoted itself. */
function openingQuote(text: string, at: number): string | undefined {
  let slashes = 0;
  while (slashes < 4 && text[at + slashes] === '\\') {
    slashes++;
  }
  const quote = text[at + slashes];
  return quote === '"' || quote === "'" || (quote === '`' && slashes === 0) ? text.slice(at, at + slashes + 1) : undefined;
}

/** Where the value that `quote` opened ends: at the same quote, or at the end of the line or of the text. */
function quoteEnd(text: string, from: number, quote: string): number {
  const stop = quote.length > 1 ? ESCAPED_STOP : STOPS[quote]!;
  let next = from;
  for (;;) {
    stop.lastIndex = next;
    const found = stop.exec(text);
    if (!found) {
      return text.length;
    }
    if (found[0] !== '\\' || quote.length > 1) {
      return found.index;
    }
    next = found.index + 2;
  }
}

const STOPS: Readonly<Record<string, RegExp>> = { '"': /["\\\r\n]/g, "'": /['\\\r\n]/g, '`': /[`\\\r\n]/g };
const ESCAPED_STOP = /["'\\\r\n]/g;

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
