/** Requests with bounds of size and time, and with redirects that never leave a safe scheme. */

/** The part of the global `fetch` that is used. VS Code's has its proxy settings and certificates. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
