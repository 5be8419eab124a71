/** What stands in a plain text between what does not belong together: longer than any blank that find takes for one. */
export const EDGE = '\n\n';
