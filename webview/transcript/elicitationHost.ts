/** An address, taken apart for somebody who must decide whether to open it (RFD "Elicitation", safe URL handling). Pure. */

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
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { href, host, hostname, protocol, username, password } = new URL(url);
  // An `@` of the user's name would be written `%40`.
  const start = username || password ? href.indexOf('@') + 1 : protocol.length + 2;
  const letters = lettersOf(hostname);
  const warnings: AddressWarning[] = [];
  const isMixed = letters.split('.').some(mixesScripts);
  if (isMixed) warnings.push('mixed_scripts');
  if (username || password) warnings.push('userinfo');
  if (letters !== hostname && !isMixed) warnings.push('international');
  if (protocol !== 'https:' && !isThisComputer(hostname)) warnings.push('not_encrypted');
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

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Devanagari', 'Thai', 'Han', 'Hangul', 'Hiragana', 'Katakana', 'Cherokee'].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const,
);
/** Japanese and Korean are written in several, and their readers know. */
const TOGETHER = [new Set(['Han', 'Hiragana', 'Katakana']), new Set(['Han', 'Hangul'])];

/** True when a name's letters come from scripts that are not written together: an `а` that is no `a`. */
export function mixesScripts(label: string): boolean {
  const found = SCRIPTS.filter(([, pattern]) => pattern.test(label)).map(([name]) => name);
  return found.length > 1 && !TOGETHER.some((set) => found.every((name) => set.has(name)));
}

/** RFC 3492, decoding only; undefined for what is no Punycode. */
export function fromPunycode(encoded: string): string | undefined {
  const end = encoded.lastIndexOf('-');
  const output = end > 0 ? [...encoded.slice(0, end)] : [];
  let [point, index, bias] = [128, 0, 72];
  for (let at = end > 0 ? end + 1 : 0; at < encoded.length; ) {
    const before = index;
    for (let [weight, k] = [1, 36]; ; k += 36) {
      const digit = digitOf(encoded.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapted(index - before, length, before === 0);
    point += Math.floor(index / length);
    index %= length;
    // Not a number, after digits without an end.
    if (!(point <= 0x10ffff) || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    output.splice(index++, 0, String.fromCodePoint(point));
  }
  return output.join('');
}

function digitOf(code: number): number | undefined {
  if (code >= 48 && code <= 57) return code - 22;
  const letter = code | 32;
  return letter >= 97 && letter <= 122 ? letter - 97 : undefined;
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
