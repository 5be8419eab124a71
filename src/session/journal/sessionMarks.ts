/** What the user says of a session, in `<key>.marks.json` beside its journal: whoever writes it, in whichever window. */
import { boolean, type Infer, lenient, number, object, string } from '../../core/model/schema';

const sessionMarks = object({
  /** What the user calls it; comes before any other title. */
  name: lenient(string()),
  pinned: lenient(boolean()),
  archived: lenient(boolean()),
  /** ms since the epoch; what happened until then was seen. */
  seenAt: lenient(number()),
});
export type SessionMarks = Infer<typeof sessionMarks>;
/** `undefined` takes a mark away. */
export type MarksPatch = { readonly [K in keyof SessionMarks]?: SessionMarks[K] | undefined };

export const NO_MARKS: SessionMarks = {};

/** What a file of marks holds; none when it cannot be read as that. */
export function parseMarks(text: string | undefined): SessionMarks {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return sessionMarks.is(value) ? sessionMarks.copy(value) : NO_MARKS;
  } catch {
    return NO_MARKS;
  }
}

/** `marks` with `patch`. What was seen stays seen: two windows tell of it at once. */
export function patchedMarks(marks: SessionMarks, patch: MarksPatch): SessionMarks {
  const { name, pinned, archived, seenAt } = { ...marks, ...patch };
  const seen = patch.seenAt !== undefined ? Math.max(patch.seenAt, marks.seenAt ?? 0) : seenAt;
  return {
    ...(name !== undefined && name !== '' && { name }),
    ...(pinned && { pinned }),
    ...(archived && { archived }),
    ...(seen !== undefined && { seenAt: seen }),
  };
}

/** What the file holds for these; undefined when there is nothing to be kept. */
export function marksText(marks: SessionMarks): string | undefined {
  return Object.keys(marks).length > 0 ? JSON.stringify(marks) : undefined;
}
