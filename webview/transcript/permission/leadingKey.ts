/** The keys that lead from the message box to a waiting request. */

/** A key that leads to a request. Pressed again there, it answers. */
export type LeadingKey = 'Escape' | 'Ctrl+Enter';

/** The request whose card gets the focus by such a key. The card takes it from here, and shows what the next press does. */
export const led: { entryId: string | undefined; by: LeadingKey } = { entryId: undefined, by: 'Escape' };
