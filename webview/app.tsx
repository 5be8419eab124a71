/** The panel's layout, and where messages that are not about the state go. */
import { type ComponentChildren, render } from 'preact';
import { entryIdOf } from '../src/core/model/state';
import { Ahead } from './prefetcher';
import { Announcer } from './announcer/announcer';
import { Boundary } from './errorBoundary';
import { Activity } from './composer/activity';
import { Composer } from './composer/composer';
import { type View, ViewContext, useSelect } from './context';
import { Draft } from './draft';
import { readingEntry } from './find/reading';
import { Search } from './find/search';
import { Folds } from './disclosureState';
import { Banner, Header } from './header/header';
import { sharing, type ViewHost } from './host';
import { AgentIcon } from './icons';
import { t } from './l10n';
import { oneLine } from './markdown/textSafety';
import { useLate } from './late';
import { Mirror } from './mirror';
import { conversationParts, loadWhenIdle, partsFor, signInParts, toastParts } from './parts';
import { Forms } from './transcript/elicitation/forms';
import { PAGE_SIZE } from './transcript/list/pages';
import { LiveRegion, Speech } from './announcer/speech';
import { noticeSpeech } from './toasts/speech';
import { Toasts } from './toasts/toasts';
import { Transcript } from './transcript/list/transcript';
import type { TakenOver } from './takeOver';
import { tellTyping } from './typing';

/** Mounts a session's view, talking to `host`. */
export function mount({ root, typed, send }: TakenOver, host: ViewHost): void {
  const speech = new Speech();
  const mirror = new Mirror({ post: (message) => host.post(message), schedule: beforePaint, now: () => Date.now() });
  const shared = sharing(host);
  new Ahead(mirror, (callback) => requestIdleCallback(callback));
  const draft = new Draft(shared, { text: typed, send });
  const forms = new Forms(shared);
  const focus = { current: () => {} };
  const search = new Search({
    post: (message) => host.post(message),
    indexOf: (entryId) => mirror.state.entries.indexOf(entryId),
    reading: readingEntry,
  });
  const view: View = {
    mirror,
    post: (message) => host.post(message),
    say: (words) => speech.say(words),
    folds: new Folds(),
    search,
    forms,
  };
  const announcer = new Announcer((words, urgent) => speech.say(words, urgent));
  const toasts = new Toasts({ now: () => mirror.now(), after: timer });
  mirror.onEvent = (event) => {
    if (event.type === 'notice' && toasts.hear(event)) {
      speech.say(noticeSpeech(event), event.severity === 'error');
    }
  };
  mirror.subscribe(() => {
    if (!mirror.loaded) {
      return;
    }
    announcer.hear(mirror.state);
    forms.keep(mirror.state);
  });
  host.onMessage((message) => {
    if (mirror.receive(message)) {
      return;
    }
    switch (message.type) {
      case 'restore_text':
        draft.restore(message.text);
        focus.current();
        break;
      case 'draft':
        draft.adopt(message);
        if (draft.takeSend()) {
          document.querySelector<HTMLFormElement>('form.composer')?.requestSubmit();
        }
        break;
      case 'attach':
        draft.attach(message.blocks);
        focus.current();
        break;
      case 'code_theme':
        void conversationParts.load().then(({ setCodeTheme }) => setCodeTheme(message.theme));
        break;
      case 'focus':
        if (message.target === 'composer') {
          focus.current();
        } else {
          void Promise.all([signInParts, ...partsFor(mirror.state.entries)].map((part) => part.load())).then(() => focusWaiting(mirror));
        }
        break;
      case 'open_find':
        search.show();
        break;
      case 'found':
        search.receive(message);
        break;
      case 'where':
        host.post({ type: 'reading', entryId: readingEntry() });
        break;
      case 'elicitation_problems':
        forms.found(message.requestKey, message.problems);
        break;
    }
  });
  tellTyping(
    () => host.post({ type: 'typing' }),
    () => Date.now(),
  );
  window.addEventListener('pagehide', () => {
    draft.flush();
    forms.flush();
  });
  render(
    <ViewContext.Provider value={view}>
      <App draft={draft} focus={focus} speech={speech} toasts={toasts} />
    </ViewContext.Provider>,
    root,
  );
  mirror.start();
  const whenIdle = (callback: () => void) => void requestIdleCallback(callback);
  void conversationParts.load().then(({ warmUpLexer }) => {
    whenIdle(warmUpLexer);
    loadWhenIdle(whenIdle);
  });
}

function App({ draft, focus, speech, toasts }: { draft: Draft; focus: { current: () => void }; speech: Speech; toasts: Toasts }) {
  return (
    <main class="app">
      <Part>
        <Header />
      </Part>
      <Transcript>
        <Welcome />
      </Transcript>
      <footer class="dock">
        <Part>
          <LateToasts toasts={toasts} leave={() => focus.current()} />
        </Part>
        <Part>
          <Banner />
        </Part>
        <Part>
          <Activity />
        </Part>
        <Part>
          <LatePlans />
        </Part>
        <Composer draft={draft} focus={focus} />
      </footer>
      <LiveRegion speech={speech} />
    </main>
  );
}

function LateToasts(props: { toasts: Toasts; leave: () => void }) {
  const parts = useLate(toastParts);
  return parts ? <parts.ToastsView {...props} /> : null;
}

function LatePlans() {
  const parts = useLate(conversationParts);
  return parts ? <parts.Plans /> : null;
}

/** What stands around the conversation: where it cannot be shown it is tried again with the next change, and takes nothing along. */
function Part({ children }: { children: ComponentChildren }) {
  const state = useSelect((state) => state);
  return (
    <Boundary of={state} instead={() => null}>
      {children}
    </Boundary>
  );
}

/** Until something was said. */
function Welcome() {
  const empty = useSelect((state, mirror) => mirror.loaded && state.status === 'ready' && state.entries.length === 0);
  const agent = useSelect((state) => state.agent);
  const agentName = useSelect((state) => state.agentName);
  if (!empty) {
    return null;
  }
  return (
    <div class="welcome">
      <AgentIcon />
      <div class="welcome-name">{oneLine(agent?.title ?? agentName, 80)}</div>
      {agent?.version !== undefined && <div class="dim">{oneLine(agent.version, 40)}</div>}
      <div class="dim">{t('Ask for a change, a question about the code, or a command to run.')}</div>
    </div>
  );
}

/** Frames in which a page that was just made, or a part of it that is far away, comes to show a card. */
const FRAMES = 20;

/** The card of what waits longest, not one of its buttons: a key pressed meanwhile must not answer. */
function focusWaiting(mirror: Mirror, frames = FRAMES): void {
  const { entries, pendingPermissions, pendingElicitations } = mirror.state;
  const [permissionId] = pendingPermissions;
  const [requestKey] = pendingElicitations;
  const entryId =
    permissionId !== undefined
      ? entryIdOf.permission(permissionId)
      : requestKey !== undefined
        ? entryIdOf.elicitation(requestKey)
        : undefined;
  const card = document.querySelector<HTMLElement>(entryId === undefined ? '[data-sign-in]' : `[data-entry-id="${CSS.escape(entryId)}"]`);
  if (card) {
    card.scrollIntoView({ block: 'nearest' });
    card.focus({ preventScroll: true });
  } else if (frames > 0) {
    if (entryId !== undefined) {
      document.querySelectorAll('.page')[Math.floor(entries.indexOf(entryId) / PAGE_SIZE)]?.scrollIntoView({ block: 'nearest' });
    }
    beforePaint(() => focusWaiting(mirror, frames - 1));
  }
}

function timer(ms: number, callback: () => void): () => void {
  const handle = setTimeout(callback, ms);
  return () => clearTimeout(handle);
}

/** At the next frame; soon, when there are no frames because nobody looks. */
function beforePaint(callback: () => void): void {
  let done = false;
  const once = () => {
    if (done) {
      return;
    }
    done = true;
    callback();
  };
  requestAnimationFrame(once);
  setTimeout(once, 100);
}
