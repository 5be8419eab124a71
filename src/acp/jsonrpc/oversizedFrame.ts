/** Reads the two ends of a message that was too long, to find the id whose answer must not be awaited forever. */
import { lastMembersOf, membersOf } from '../json/source';

export interface OversizedFrame {
  /** The id as it was written; absent when neither end contains it, or it is invalid. */
  readonly idLiteral?: string;
  /** `unknown` when the ends contain only an id. */
  readonly kind: 'call' | 'response' | 'unknown';
}

/** Returns `undefined` when the line was not an object. */
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
