/** An address, taken apart for somebody who must decide whether to open it (RFD "Elicitation", safe URL handling). Pure. */
// With the slash it is the package: Node has an old copy of its own by the name.
import { decode } from 'punycode/';

/** userinfo: something before an `@`, which is not the site; not_encrypted: neither https nor this computer. */
export type AddressWarning = 'mixed_scripts' | 'userinfo' | 'international' | 'not_encrypted';

export interface Address {
  /** Exactly what would be opened, in three parts: only the middle one says where it leads. */
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** The host's letters, when it is written in others than it shows. */
  readonly letters?: string;
  /** The worst first. */
  readonly warnings: readonly AddressWarning[];
}

/** `url` as the browser would read it; undefined when it is no web address. */
export function addressOf(url: string): Address | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return undefined;
  }
  const { href, host, hostname, protocol, username, password } = new URL(url);
  // An `@` of the user's name would be written `%40`.
  const start = username || password ? href.indexOf('@') + 1 : protocol.length + 2;
  const letters = lettersOf(hostname);
  const warnings: AddressWarning[] = [];
  const isMixed = letters.split('.').some(mixesScripts);
  if (isMixed) {
    warnings.push('mixed_scripts');
  }
  if (username || password) {
    warnings.push('userinfo');
  }
  if (letters !== hostname && !isMixed) {
    warnings.push('international');
  }
  if (protocol !== 'https:' && !isThisComputer(hostname)) {
    warnings.push('not_encrypted');
  }
  return { before: href.slice(0, start), host, after: href.slice(start + host.length), ...(letters !== hostname && { letters }), warnings };
}

function isThisComputer(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The host with each `xn--` label as the letters it stands for; a label that stands for none stays. */
function lettersOf(hostname: string): string {
  return hostname
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (fromPunycode(label.slice(4)) ?? label) : label))
    .join('.');
}

const SCRIPTS = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Han',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Cherokee',
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const);
/** Japanese and Korean are written in several, and their readers know. */
const TOGETHER = [new Set(['Han', 'Hiragana', 'Katakana']), new Set(['Han', 'Hangul'])];

/** True when a name's letters come from scripts that are not written together: an `а` that is no `a`. */
export function mixesScripts(label: string): boolean {
  const found = SCRIPTS.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
  return found.length > 1 && !TOGETHER.some((set) => found.every((name) => set.has(name)));
}

/** The letters of a label without its `xn--`; undefined for what is no Punycode. */
export function fromPunycode(encoded: string): string | undefined {
  try {
    const letters = decode(encoded);
    // Half a character is no letter.
    return /\p{Surrogate}/u.test(letters) ? undefined : letters;
  } catch {
    return undefined;
  }
}
