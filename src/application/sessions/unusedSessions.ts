/**
 * Ends a session without a message when the user closes its chat, and deletes its files. Otherwise its agent's process would keep running without
 * appearing in any list. Independent of VS Code.
 */
import { isUnused } from '../../core/model/select';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import type { Drafts } from '../../session/journal/drafts';
import type { SessionMarks } from '../../session/journal/sessionMarks';
import type { Session } from '../../session/session';
import type { Listeners } from '../../core/platform/listeners';

/** The stores that {@link discardSession} removes a session from. */
export interface DiscardDependencies {
  readonly sessions: { remove(key: string): Promise<void> };
  readonly panels: { forget(key: string): void };
  readonly drafts: Pick<Drafts, 'forget'>;
}

export interface UnusedSessionsDependencies extends DiscardDependencies {
  readonly clock: Pick<Clock, 'after'>;
  readonly sessions: DiscardDependencies['sessions'] & {
    readonly all: readonly { readonly key: string }[];
    get(key: string): Session | undefined;
  };
  readonly panels: DiscardDependencies['panels'] & { readonly hidden: Listeners<[sessionKey: string]>; isShown(key: string): boolean };
  readonly drafts: Pick<Drafts, 'forget' | 'get' | 'load'>;
  /** True while another extension may still use the session. */
  isHeld(session: Session): boolean;
  readonly files: { readMarks(key: string): Promise<SessionMarks>; readComments(key: string): Promise<string | undefined> };
}

/** The time in ms in which a chat that moves appears on its new surface, and the closed page reports its last draft. */
const MOVE_MS = 1000;

const READ_ONLY: ReadonlySet<string> = new Set(['session.live_elsewhere', 'session.newer_version', 'session.restricted_mode']);

/** Starts to watch closed chats. Returns a handle that stops it. */
export function discardUnused(deps: UnusedSessionsDependencies): Disposable {
  /** Timers, by the session's key. */
  const waiting = new Map<string, Disposable>();
  const check = (key: string): void => {
    waiting.get(key)?.dispose();
    const timer = deps.clock.after(MOVE_MS, () => {
      waiting.delete(key);
      void discardClosed(key, deps);
    });
    waiting.set(key, timer);
  };
  const subscription = deps.panels.hidden.add(check);
  // This code is loaded after the first chat, which may be closed already.
  deps.sessions.all.forEach(({ key }) => check(key));
  return {
    dispose: () => {
      subscription.dispose();
      waiting.forEach((timer) => timer.dispose());
    },
  };
}

async function discardClosed(key: string, deps: UnusedSessionsDependencies): Promise<void> {
  const { sessions, panels, drafts, files, isHeld } = deps;
  const closed = (): Session | undefined => {
    const session = sessions.get(key);
    const state = session?.store.state;
    // A session that another window has open is left to that window. A newer version may have stored more than this one reads.
    const isReadOnly = session?.isRecorded || READ_ONLY.has(state?.failure?.code ?? '');
    return state && isUnused(state) && !isReadOnly && !isHeld(session!) && !panels.isShown(key) && !hasDraft(drafts, key)
      ? session
      : undefined;
  };
  if (!closed()) {
    return;
  }
  // An unreadable file may contain the user's text, so the session is kept.
  const [marks, comments] = await Promise.all([
    files.readMarks(key).catch(() => undefined),
    files.readComments(key).catch(() => ''),
    drafts.load(key),
  ]);
  const session = closed();
  if (session && marks && !marks.name && !marks.pinned && !marks.archived && comments === undefined) {
    await discardSession(session, deps);
  }
}

function hasDraft(drafts: Pick<Drafts, 'get'>, key: string): boolean {
  const draft = drafts.get(key);
  return draft !== undefined && (draft.content.length > 0 || draft.edit !== undefined);
}

/** Ends a session, closes its panel and deletes its stored files. */
export async function discardSession(session: Session, { sessions, panels, drafts }: DiscardDependencies): Promise<void> {
  panels.forget(session.key);
  drafts.forget(session.key);
  await session.end();
  await sessions.remove(session.key);
}
