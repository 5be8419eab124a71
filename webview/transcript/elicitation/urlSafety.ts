/** The parts and warnings of an address, so that the user can decide whether to open it (RFD "Elicitation", safe URL handling). Pure. */
// The slash selects the package: Node has an old module of the same name.
import { decode } from 'punycode/';

/** userinfo: text before an `@`, which is not the site; not_encrypted: neither https nor this computer. */
export type AddressWarning = 'mixed_scripts' | 'userinfo' | 'international' | 'not_encrypted';

export interface Address {
  /** The exact address in three parts; only the middle one identifies the site. */
  readonly before: string;
  readonly host: string;
  readonly after: string;
  /** The host in Unicode, if the address has it in Punycode. */
  readonly letters?: string;
  /** Sorted, the most severe first. */
  readonly warnings: readonly AddressWarning[];
}

/** Parses `url` like the browser; undefined when it is not a web address. */
export function addressOf(url: string): Address | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return undefined;
  }
  const { href, host, hostname, protocol, username, password } = new URL(url);
  // An `@` in the user's name would be written `%40`.
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

/** Decodes each `xn--` label of the host. A label that is not valid Punycode stays. */
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
/** Japanese and Korean combine several scripts, which their readers know. */
const TOGETHER = [new Set(['Han', 'Hiragana', 'Katakana']), new Set(['Han', 'Hangul'])];

/** True when a name mixes scripts that are not written together, such as a Cyrillic `а` that looks like a Latin `a`. */
export function mixesScripts(label: string): boolean {
  const found = SCRIPTS.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
  return found.length > 1 && !TOGETHER.some((set) => found.every((name) => set.has(name)));
}

/** Decodes a label without its `xn--`; undefined when it is not Punycode. */
export function fromPunycode(encoded: string): string | undefined {
  try {
    const letters = decode(encoded);
    // A lone surrogate is not a letter.
    return /\p{Surrogate}/u.test(letters) ? undefined : letters;
  } catch {
    return undefined;
  }
}
