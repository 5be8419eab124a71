/** The user's marks on a session, in `<key>.marks.json` beside its journal. Any window may write them. */
import { boolean, type Infer, fallback, number, object, string } from '../../core/schema/schema';

const sessionMarks = object({
  /** The user's name for the session, which takes precedence over other titles. */
  name: fallback(string()),
  pinned: fallback(boolean()),
  archived: fallback(boolean()),
  /** ms since the epoch. Everything up to this time counts as seen. */
  seenAt: fallback(number()),
});
export type SessionMarks = Infer<typeof sessionMarks>;
/** `undefined` deletes a mark. */
export type MarksPatch = { readonly [K in keyof SessionMarks]?: SessionMarks[K] | undefined };

export const NO_MARKS: SessionMarks = {};

/** The marks in a file's text; none when it cannot be parsed. */
export function parseMarks(text: string | undefined): SessionMarks {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return sessionMarks.validate(value) ? sessionMarks.parse(value) : NO_MARKS;
  } catch {
    return NO_MARKS;
  }
}

/** `marks` with `patch`. `seenAt` never decreases, because two windows may write it at the same time. */
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

/** The file's text for these marks; undefined when there are none. */
export function marksText(marks: SessionMarks): string | undefined {
  return Object.keys(marks).length > 0 ? JSON.stringify(marks) : undefined;
}
