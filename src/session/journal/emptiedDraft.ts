/**
 * The stored form of an emptied draft: only its time. Without it, a page whose saved state is older would show the deleted text again: VS Code saves
 * the state of pages only now and then.
 */
export function emptiedDraft(at: number): string {
  return JSON.stringify({ at, content: [] });
}

/** True for the stored form of an emptied draft, which holds nothing of the user's. */
export function isEmptiedDraft(text: string): boolean {
  return /^\{"at":\d+,"content":\[\]\}$/.test(text);
}
