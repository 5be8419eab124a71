/**
 * Finds secrets in text that will be displayed: stderr, noise, and the strings inside frames. Every search is linear in the text: fixed words,
 * character classes and bounded repetitions, without backtracking.
 */
import { isSecretName, isSecretVariable, SECRET_NAMES } from './secretNames';
import { withoutShapes } from './secretShapes';
import { REDACTED, withoutValues } from './secretValues';

/** Returns `text` without `values` and without parts that look like a secret. */
export function redactText(text: string, values: readonly string[]): string {
  let result = withoutValues(text, values);
  result = withoutShapes(withoutPrivateKeys(result).replace(CREDENTIALS, `$1${REDACTED}`), REDACTED);
  if (result.includes('://')) {
    result = result.replace(USER_INFO, `${REDACTED}@`);
  }
  result = result.replace(QUERY, (whole, head: string, name: string) =>
    isSecretVariable(name) || PLAIN_QUERY.test(name) ? head + REDACTED : whole,
  );
  result = result.replace(OPTION, (whole, head: string, name: string) => (isSecretName(name) ? head + REDACTED : whole));
  return withoutAssignments(result);
}

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

function withoutPrivateKeys(text: string): string {
  if (!text.includes('PRIVATE KEY')) {
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

/** The credentials of an `Authorization` header. The word `authentication` after it is prose. */
const CREDENTIALS = /\b(bearer[ \t]{1,4}|basic[ \t]{1,4}(?=[\w.~+/=-]{16}))(?!authentication\b)[\w.~+/=-]{6,}/gi;

/** The text between `://` and the last `@` before the path. */
const USER_INFO = /(?<=:\/\/)[^\s/?#"'<>\\]{1,1024}@/g;
const QUERY = /([?&;]([\w.%-]{1,64})=)[^&#;\s"'<>\\]+/g;
const PLAIN_QUERY = /^(?:key|sig|signature|code|pwd)$/i;
const OPTION = /((?<![\w-])--([\w-]{1,64})[ =])(?!-)[^\s"'\\]+/g;

/** A secret's name and the characters before its value: `apiKey: `, `"token":`, `\"password\":`, `SECRET=`. */
/** `pwd` also names a shell's folder: see {@link isLikelySecret}. */
const ASSIGNMENT = new RegExp(
  `(${SECRET_NAMES}|(?<![A-Za-z])pwd(?![\\w-]))[\\w-]{0,40}[\\\\"']{0,4}[ \\t]{0,4}(?:=>|:=|=|:)[ \\t]{0,4}`,
  'gi',
);
/** Headers whose value extends to the end of the line. */
const WHOLE_LINE = /^(?:authorization|cookie)$/i;
/** Names that are never counts: their value is a secret, even a number. */
const NO_COUNT = /^pass|^secret/i;
/** The end of an unquoted value. */
const BARE_END = /[\s"'\\,;&<>(){}[\]|]|$/g;
const LINE_END = /["'\r\n\\]|$/g;

/** Removes values of secret names, quoted or not. An unquoted one may also be code or prose (`token: string`, `tokens: 512`), which stays. */
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
    if (value !== '' && (quoted !== undefined || isLikelySecret(head[0], head[1]!, value, text, end))) {
      parts.push(text.slice(start, from), REDACTED);
      start = end;
    }
    ASSIGNMENT.lastIndex = Math.max(end, at);
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(start);
}

function isLikelySecret(head: string, name: string, value: string, text: string, end: number): boolean {
  if (IS_PWD.test(name) && /^(?:[~.]?[\\/]|[A-Za-z]:[\\/]|~$|\$)/.test(value)) {
    return false;
  }
  if (/^\d+(?:[.,:]\d+)*[kKmM%]?$/.test(value)) {
    return NO_COUNT.test(name);
  }
  return (
    head.endsWith('=') ||
    WHOLE_LINE.test(name) ||
    value.length >= 16 ||
    /\d/.test(value) ||
    (IS_PASSWORD.test(name) && !NO_PASSWORD.test(value) && isLast(text, end))
  );
}

const IS_PWD = /^pwd$/i;
const IS_PASSWORD = /^(?:pass|pwd)/i;
/** Types, placeholders and words in the position of a password that are not secrets. */
const NO_PASSWORD =
  /^(?:str(?:ing)?|text|bool(?:ean)?|number|int(?:eger)?|any|unknown|never|void|null|none|nil|undefined|true|false|yes|no|required|optional|missing|invalid|incorrect|wrong|empty|hidden|masked|redacted|secret|password|prompt|stdin|ask|see|tbd|todo|n\/a|[*x.…_-]{2,}|\$.*|%.*)$/i;

/** True when the text that ends at `end` is the last word of its line, or of its member in a list: `password: see below` is prose. */
function isLast(text: string, end: number): boolean {
  LAST.lastIndex = end;
  return LAST.test(text);
}

const LAST = /[ \t]{0,8}(?:[\r\n,;}#]|\\[nr]|$)/y;

/** The quote at `at`, with the backslashes before it when the text itself is quoted. */
function openingQuote(text: string, at: number): string | undefined {
  let slashes = 0;
  while (slashes < 4 && text[at + slashes] === '\\') {
    slashes++;
  }
  const quote = text[at + slashes];
  return quote === '"' || quote === "'" || (quote === '`' && slashes === 0) ? text.slice(at, at + slashes + 1) : undefined;
}

/** The end of the value that `quote` opened: at the same quote, or at the end of the line or of the text. */
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
