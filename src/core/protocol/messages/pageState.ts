/** UTF-16 units of a page's state of a session besides its draft (`page_state`). A longer state is not sent. */
export const MAX_PAGE_STATE = 1024 * 1024;
