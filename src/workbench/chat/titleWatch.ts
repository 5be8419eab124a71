/** The title of a surface that shows a session, including the session's request for attention. */
import { needsYou } from '../../core/model/select';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../util/disposable';
import type { Disposable } from '../../core/platform/disposable';
import { type InertText, inertLine } from '../../application/shared/escape';
import { t } from '../shared/l10n';
import { ensureTitle, titleLabel, titleOf } from '../../application/shared/sessionTitle';
import type { ShownTitles } from '../../application/chat/shownTitles';
import type { UnreadSessions } from '../../application/chat/unreadSessions';
import { MAX_TITLE } from '../../application/chat/placement';
import { folderOf } from './webviewPage';

/** Calls `set` with the title, now and after each change. */
export function watchTitle(
  session: Session,
  unread: Pick<UnreadSessions, 'has' | 'onDidChange'>,
  titles: ShownTitles,
  set: (title: InertText) => void,
): Disposable {
  const store = new DisposableStore();
  const { key, agentName } = session;
  /** The session's title, and the parts that the tab's title was made of. */
  let own: string | undefined;
  let last: string | undefined;
  /** Runs for every event, so it compares the title's parts first. */
  const update = (): void => {
    const { state } = session.store;
    // The current title stays until the module is loaded.
    if (!ensureTitle(state, () => store.disposed || update())) {
      return;
    }
    const need = state.pendingPermissions.length > 0 ? 'approval' : needsYou(state) ? 'input' : unread.has(key) ? 'done' : '';
    const whole = titleOf(state) || agentName;
    if (own !== whole) {
      own = whole;
      titles.set(key, { title: whole, agentName });
    }
    const namesAgent = titles.isShared(key);
    const next = `${need} ${namesAgent} ${whole}`;
    if (last === next) {
      return;
    }
    last = next;
    const label = titleLabel(whole, MAX_TITLE);
    const name = namesAgent ? t('{title} — {agent}', { title: label, agent: inertLine(agentName, MAX_TITLE) }) : label;
    const { folder, others } = folderOf(session);
    const title = others ? t('{title} — {folder}', { title: name, folder: inertLine(folder, MAX_TITLE) }) : name;
    // The title uses words rather than only a symbol, because a screen reader reads it too.
    set(
      need === 'approval'
        ? t('{title} (needs approval)', { title })
        : need === 'input'
          ? t('{title} (needs input)', { title })
          : need === 'done'
            ? t('{title} (done)', { title })
            : title,
    );
  };
  store.add(session.store.onEvents(update));
  store.add(unread.onDidChange(update));
  update();
  const others = titles.onDidChange(update);
  store.add({
    dispose: () => {
      others.dispose();
      titles.set(key, undefined);
    },
  });
  return store;
}
