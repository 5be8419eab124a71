/** Web addresses in a command's output, as links. */
import type { ComponentChildren } from 'preact';
import { CJK_PUNCTUATION } from '../../../src/text/characters/cjk';
import { Link } from '../../markdown/inline';

/** UTF-16 units of a run that is looked through, and of an address. */
const MAX_RUN = 4000;
const ADDRESS = /\bhttps?:\/\/[^\s"'`<>\u2500-\u259f]{1,2000}/gi;

/** The places of addresses in `text`, in order: `[start, end)`. */
export function addressesIn(text: string): readonly (readonly [start: number, end: number])[] {
  if (text.length > MAX_RUN || !text.includes('://')) {
    return [];
  }
  return [...text.matchAll(ADDRESS)].flatMap(({ 0: match, index }) => {
    const cjk = match.search(CJK_PUNCTUATION);
    const address = withoutEnd(cjk < 0 ? match : match.slice(0, cjk));
    return /:\/\/[\p{L}\p{N}[]/u.test(address) ? [[index, index + address.length] as const] : [];
  });
}

/** Without the signs of a sentence, and without brackets that were opened before the address. */
function withoutEnd(address: string): string {
  const open = new Map([...')]}'].map((closing) => [closing, count(address, OPENING[closing]!) - count(address, closing)]));
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1]!;
    const excess = open.get(last);
    if (excess === undefined ? !/[.,;:!?*_~]/.test(last) : excess >= 0) {
      break;
    }
    if (excess !== undefined) {
      open.set(last, excess + 1);
    }
  }
  return address.slice(0, end);
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** `text` as it is, with its addresses as links. */
export function linked(text: string): ComponentChildren {
  const places = addressesIn(text);
  if (places.length === 0) {
    return text;
  }
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const [start, end] of places) {
    const address = text.slice(start, end);
    parts.push(
      text.slice(from, start),
      <Link key={start} href={address}>
        {address}
      </Link>,
    );
    from = end;
  }
  return [...parts, text.slice(from)];
}
