/** Settles replayed texts between two recorded ones: parts of recorded messages, messages that continue, additions, and contradictions. */
import { lowerBound } from './knownTexts';
import type { Piece, RecordedMessage, RecordedMessages } from './messages';

/** The most recorded messages of a gap that are compared with its texts. */
const MAX_COMPARED = 50;
/** Letters that a recorded message needs to be searched inside a longer text. A shorter one may be a quotation. */
const MIN_INSIDE = 24;

/**
 * Returns the pieces. Those between two matches are compared with the recorded messages there, and a piece may become several.
 *
 * @param running the position of the prompt whose turn runs: an agent may replay its history without it. `Infinity` for none
 */
export function settleGaps(pieces: readonly Piece[], record: RecordedMessages, running: number): Piece[] {
  const indexes = record.all.map(({ index }) => index);
  const result: Piece[] = [];
  let low = -1;
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at]!;
    if (piece.index !== undefined) {
      low = piece.index;
      result.push(piece);
      at++;
      continue;
    }
    let end = at;
    while (end < pieces.length && pieces[end]!.index === undefined) {
      end++;
    }
    const high = pieces[end]?.index ?? Infinity;
    const recorded = record.all.slice(lowerBound(indexes, low + 1), lowerBound(indexes, high));
    const isHead = low < 0 && high !== Infinity;
    const ends = { first: at === 0, last: end === pieces.length };
    const settled = settleGap(pieces.slice(at, end), isHead ? recorded.slice(-MAX_COMPARED) : recorded.slice(0, MAX_COMPARED), ends);
    markDifferences(
      settled,
      recorded.filter(({ index }) => index < running),
      isHead,
    );
    result.push(...settled);
    at = end;
  }
  return result;
}

/** @param ends whether the gap has the replay's first piece and its last: those may be any part of a recorded message */
function settleGap(
  pieces: readonly Piece[],
  recorded: readonly RecordedMessage[],
  ends: { readonly first: boolean; readonly last: boolean },
): Piece[] {
  const result: Piece[] = [];
  const waiting = [...pieces].reverse();
  let next = 0;
  for (let piece = waiting.pop(); piece; piece = waiting.pop()) {
    const isEdge = (ends.first && result.length === 0) || (ends.last && waiting.length === 0);
    const place = recorded.findIndex((message, at) => at >= next && isSame(piece!, message, isEdge));
    const message = recorded[place];
    if (!message) {
      result.push(piece);
      continue;
    }
    next = place + 1;
    const { index, spellings } = message;
    const inside = spellings.find((text) => text.length >= MIN_INSIDE && piece!.text.indexOf(text) > 0);
    if (spellings.some((text) => text.startsWith(piece!.text) || text.includes(piece!.text))) {
      result.push({ ...piece, index });
    } else if (inside !== undefined && !spellings.some((text) => piece!.text.startsWith(text))) {
      const start = piece.text.indexOf(inside);
      result.push(part(piece, 0, start), { ...part(piece, start, start + inside.length), index });
      if (start + inside.length < piece.text.length) {
        waiting.push(part(piece, start + inside.length, piece.text.length));
      }
    } else {
      const begun = spellings.find((text) => piece!.text.startsWith(text))!;
      result.push({ ...piece, index, ...(piece.role !== 'user' && { continuesFrom: begun.length }) });
    }
  }
  return result;
}

/** True when a text is a part of the recorded message, or has the message as a part. */
function isSame(piece: Piece, { entry, spellings }: RecordedMessage, isEdge: boolean): boolean {
  const { role, text } = piece;
  if (entry.role !== role) {
    return false;
  }
  return spellings.some((recorded) => {
    if (recorded.startsWith(text) || (isEdge && recorded.includes(text))) {
      return true;
    }
    // The user's message is recorded as it was sent. Agents may add the content of its attachments.
    if (role === 'user') {
      return text.startsWith(recorded) && entry.content.some((block) => block.type !== 'text');
    }
    return text.startsWith(recorded) || (recorded.length >= MIN_INSIDE && text.includes(recorded));
  });
}

function part(piece: Piece, from: number, to: number): Piece {
  return { ...piece, from: piece.from + from, to: piece.from + to, text: piece.text.slice(from, to), isWhole: false };
}

/** Marks pieces that contradict the record at their position. A replay may begin late, so that its beginning contradicts nothing by itself. */
function markDifferences(pieces: readonly Piece[], recorded: readonly RecordedMessage[], isHead: boolean): void {
  const matched = new Set(pieces.map(({ index }) => index));
  for (const role of ['user', 'agent'] as const) {
    const left = recorded.filter(({ index, entry }) => entry.role === role && !matched.has(index)).length;
    const added = pieces.filter((piece) => piece.role === role && piece.index === undefined);
    if (left > 0 && (!isHead || left <= added.length)) {
      added.forEach((piece) => (piece.differs = true));
    }
  }
}
