/** What can be said of a message that was too long to be read, from its two ends: enough that nobody waits for its answer for ever. */
import { lastMembersOf, membersOf } from '../json/source';

export interface OversizedFrame {
  /** The id as it was written; absent when it was in neither end, or is none. */
  readonly idLiteral?: string;
  /** `unknown` when the ends show nothing but an id. */
  readonly kind: 'call' | 'response' | 'unknown';
}

/** `undefined` when the line was no object at all. */
export function readOversizedFrame(head: string, tail: string): OversizedFrame | undefined {
  if (!/^\s*\{/.test(head)) {
    return undefined;
  }
  const members = membersOf(head);
  for (const [key, value] of lastMembersOf(tail)) {
    members.set(key, value);
  }
  const literal = members.get('id');
  const isCall = members.has('method') || members.has('params');
  return {
    ...(literal !== undefined && isId(literal) && { idLiteral: literal }),
    kind: isCall ? 'call' : members.has('result') || members.has('error') ? 'response' : 'unknown',
  };
}

function isId(literal: string): boolean {
  try {
    const id: unknown = JSON.parse(literal);
    return id === null || typeof id === 'string' || typeof id === 'number';
  } catch {
    return false;
  }
}
