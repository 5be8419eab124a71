/** UTF-16 units of what a page tells of a session besides its draft (`page_state`): what is longer is not told. */
export const MAX_PAGE_STATE = 1024 * 1024;
