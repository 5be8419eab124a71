/** codex-acp names a subagent's session after the session and the thread: `<session>:subagent:<thread>`, each part URI-encoded. */

const THREAD = /^([^:]+):subagent:[^:]+$/;

/** Returns the session that a subagent's id names as its own. */
export function sessionOfThread(subagentId: string): string | undefined {
  const session = THREAD.exec(subagentId)?.[1];
  try {
    return session === undefined ? undefined : decodeURIComponent(session);
  } catch {
    return undefined; // Not an encoded text.
  }
}
