/** The page's layout. */
import { type ComponentChildren, render } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { isNew, showsSignIn } from '../../src/core/model/select';
import type { FromView } from '../../src/core/protocol/view';
import { LiveRegion, Speech } from '../announcer/speech';
import { Activity } from '../composer/activity';
import { Composer } from '../composer/composer';
import { ConnectionContext } from '../connection/connection';
import { Heartbeat, withHeartbeat } from '../connection/heartbeat';
import { ViewContext, useSelect } from '../state/context';
import { ConversationView, type Showing, timer } from './conversationView';
import type { InitialInput } from '../state/draft';
import { Boundary } from '../base/errorBoundary';
import type { FooterProps } from '../base/feature';
import { Banner, Header, ReconnectLine } from '../header/header';
import type { PageHost, ViewHost } from '../base/host';
import { useLazy, useLoaded } from '../base/lazy';
import { type NoSession, PageSessions } from './pageSessions';
import { conversationChunk, disconnectedChunk, loadWhenIdle, startChunk, toastChunk, welcomeChunk } from './chunks';
import type { TakenOver } from './takeOver';
import type { WelcomeProps } from '../start/welcome';
import type { Toasts } from '../toasts/toasts';
import { Transcript } from '../transcript/list/transcript';
import { stopComposingKeys } from '../typing/composition';
import { reportTyping } from '../typing/typingReporter';
import { useForceUpdate } from '../base/memo';
import { watchTyping } from '../typing/focusReturn';

/** The longest wait, in ms, for an idle moment in which a module is loaded. */
const IDLE_MS = 2000;

/** Shows sessions of `host`: first the one with this key, then the ones that the host selects. Without a session, shows the welcome page. */
export function mount({ root, typed, send }: TakenOver, host: PageHost, sessionKey: string | undefined): void {
  stopComposingKeys(document);
  const speech = new Speech();
  const heartbeat = new Heartbeat({ ping: (pingId) => host.post({ type: 'ping', pingId }), after: timer });
  const connection = { heartbeat, sessionKey: () => sessions.key };
  let times = 0;
  const show = (showing: Showing): boolean => {
    const hadFocus = document.activeElement !== document.body && root.contains(document.activeElement);
    // The key differs per session, so that no component keeps state of the previous one. The live region stays, because screen readers ignore a new
    // one.
    render(
      <main class="app">
        <ConnectionContext.Provider value={connection}>
          <ViewContext.Provider key={++times} value={showing.view}>
            <Session {...showing} />
          </ViewContext.Provider>
        </ConnectionContext.Provider>
        <LiveRegion speech={speech} />
      </main>,
      root,
    );
    return hadFocus;
  };
  const showNone = (none: NoSession, post: (message: FromView) => void): void => {
    speech.clear();
    render(
      <main class="app">
        <LazyWelcome key={++times} location={none.location} post={post} />
        <LiveRegion speech={speech} />
      </main>,
      root,
    );
  };
  // Text typed before the page was ready belongs to the first session.
  let early: InitialInput | undefined = { text: typed, send };
  const open = (sessionHost: ViewHost): ConversationView => {
    const conversation = new ConversationView({ host: sessionHost, speech, render: show, early });
    early = undefined;
    return conversation;
  };
  const sessions = new PageSessions(withHeartbeat(host, heartbeat), sessionKey, open, showNone);
  const beat = (): void => (document.visibilityState === 'visible' ? heartbeat.resume() : heartbeat.pause());
  document.addEventListener('visibilitychange', beat);
  window.addEventListener('focus', beat);
  beat();
  watchTyping();
  reportTyping(
    () => host.post({ type: 'typing' }),
    () => Date.now(),
  );
  window.addEventListener('pagehide', () => sessions.flush());
  // Every way of moving the session to another page takes the focus first.
  window.addEventListener('blur', () => sessions.flush());
  // A VS Code shortcut may close the page or move the session. The key's own effect on the text comes later.
  const onShortcut = ({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): void => {
    if (ctrlKey || metaKey || altKey || /^F\d/.test(key)) {
      sessions.flush();
    }
  };
  window.addEventListener('keydown', onShortcut, { capture: true });
  // A busy page, or a busy machine, may have no idle moment for a minute.
  const whenIdle = (callback: () => void) => void requestIdleCallback(callback, { timeout: IDLE_MS });
  void conversationChunk.load().then(({ warmUpLexer }) => {
    whenIdle(warmUpLexer);
    loadWhenIdle(whenIdle);
  });
}

function Session({ view, draft, toasts }: Showing) {
  const leave = (): void => view.composer.focus();
  return (
    <>
      <div>
        <GuardedRegion>
          <Header />
        </GuardedRegion>
        <GuardedRegion>
          <ReconnectLine />
        </GuardedRegion>
      </div>
      <Transcript>
        <GuardedRegion>
          <LazyStartPage draft={draft} />
        </GuardedRegion>
      </Transcript>
      <footer class="dock">
        <div class="dock-boxes">
          <GuardedRegion>
            <LazyToasts toasts={toasts} leave={leave} />
          </GuardedRegion>
          <GuardedRegion>
            <LazyDisconnected draft={draft} />
          </GuardedRegion>
          <GuardedRegion>
            <Banner />
          </GuardedRegion>
          <GuardedRegion>
            <Activity />
          </GuardedRegion>
          <LazyFooters leave={leave} />
        </div>
        <Composer draft={draft} />
      </footer>
    </>
  );
}

function LazyToasts(props: { toasts: Toasts; leave: () => void }) {
  const chunk = useLazy(toastChunk);
  return chunk ? <chunk.ToastsView {...props} /> : null;
}

function LazyDisconnected(props: Pick<Showing, 'draft'>) {
  const heartbeat = useContext(ConnectionContext)?.heartbeat;
  const forceUpdate = useForceUpdate();
  useLayoutEffect(() => heartbeat?.subscribe(() => forceUpdate()), [heartbeat]);
  return heartbeat?.isLost ? <LoadedDisconnected {...props} /> : null;
}

function LoadedDisconnected(props: Pick<Showing, 'draft'>) {
  const chunk = useLoaded(disconnectedChunk);
  return chunk ? <chunk.Disconnected {...props} /> : null;
}

/** The features' parts between the conversation and the message box. */
function LazyFooters(props: FooterProps) {
  const chunk = useLazy(conversationChunk);
  return chunk?.footers.map(({ Footer }) => (
    <GuardedRegion>
      <Footer {...props} />
    </GuardedRegion>
  ));
}

/** A region around the conversation. When it fails to render, the rest of the page stays, and the next change renders it again. */
function GuardedRegion({ children }: { children: ComponentChildren }) {
  const state = useSelect((state) => state);
  return (
    <Boundary of={state} instead={() => null}>
      {children}
    </Boundary>
  );
}

/** The start page until the user has sent a message. Not shown while a session is loading or after it failed to start. */
function LazyStartPage(props: Pick<Showing, 'draft'>) {
  const isEmpty = useSelect(
    (state, mirror) =>
      mirror.loaded &&
      isNew(state) &&
      (state.status === 'ready' || (state.status === 'starting' && state.sessionId === undefined && !showsSignIn(state))),
  );
  return isEmpty ? <LoadedStartPage {...props} /> : null;
}

function LoadedStartPage(props: Pick<Showing, 'draft'>) {
  const chunk = useLoaded(startChunk);
  return chunk ? <chunk.StartPage {...props} /> : null;
}

function LazyWelcome(props: WelcomeProps) {
  const chunk = useLoaded(welcomeChunk);
  return chunk ? <chunk.Welcome {...props} /> : null;
}
