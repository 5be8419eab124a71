/**
 * The view in a plain page, with a bar that selects its content. `?journal=NAME&speed=N` plays a recorded session at once, `?bare` has no bar and
 * waits for a test, `?bare&gallery` shows every kind of entry. `&theme=NAME` sets the colours, `&session=KEY` is the first session's key.
 * `window.playground` is for tests and experiments.
 */
import { render } from 'preact';
import type { ToView } from '../../src/core/protocol/view';
import { mount } from '../app/app';
import { MemoryHost } from '../base/host';
import { loadStrings } from '../base/l10n';
import { whole } from '../app/chunks';
import { takeOver } from '../app/takeOver';
import { CODE_THEMES } from './codeThemes';
import { galleryEvents } from './gallery';
import { Controls } from './controls';
import { Player } from './player';
import { PlaygroundSessions } from './sessions';
import type { Stage } from './stage';
import { syntheticEvents } from './synthetic';
import { adoptPageSheet, applyTheme } from './themes';
import { Untouched } from './untouched';

const query = new URLSearchParams(location.search);
const STORAGE = 'playground.view';
/** The session that tests and the bar use. */
const FIRST = query.get('session') ?? 'one';
/** The other session to switch to. */
const OTHER = 'two';

const OF_PAGE: ReadonlySet<ToView['type']> = new Set(['code_theme', 'editor', 'appearance', 'live_context', 'composer', 'no_session']);

const host: MemoryHost = new MemoryHost((message) => sessions.receive(message), {
  read: () => JSON.parse(sessionStorage.getItem(STORAGE) ?? 'null') as unknown,
  write: (state) => sessionStorage.setItem(STORAGE, JSON.stringify(state)),
});
/** The number of messages about the page, independent of its session. */
let pageMessages = 0;
const deliver = (message: ToView): void => {
  pageMessages += OF_PAGE.has(message.type) ? 1 : 0;
  host.deliver(JSON.parse(JSON.stringify(message)) as ToView);
};
const sessions: PlaygroundSessions = new PlaygroundSessions(FIRST, deliver);
const stage = sessions.stage(FIRST);
const player = new Player(stage);

declare global {
  interface Window {
    playground: {
      stage: Stage;
      player: Player;
      sessions: PlaygroundSessions;
      /** Delivers exactly this message to the page. */
      deliver: (message: ToView) => void;
      applyTheme: typeof showTheme;
      whole: typeof whole;
      /** Records the page's state after loading, which {@link begin} compares. */
      loaded: () => void;
      /** Shows a new session and makes it the stage. Returns false when the page's state has changed since it was loaded. */
      begin: (key: string) => boolean;
    };
  }
}
let untouched: { readonly holds: boolean } | undefined;
window.playground = { stage, player, sessions, deliver, applyTheme: showTheme, whole, loaded, begin };

loadStrings(document.getElementById('acp-l10n')?.textContent);
adoptPageSheet();
showTheme(query.get('theme') ?? 'dark');
const taken = takeOver();
mount(taken, host, FIRST);
deliver({ type: 'editor', fileName: 'greet.ts' });

if (!query.has('bare')) {
  stage.startPage = {
    demo: false,
    folder: 'project',
    git: true,
    file: { name: 'greet.ts', uri: 'file:///home/ada/sample/greet.ts' },
    recent: [{ sessionKey: 'another', title: 'Write the docs', about: 'Demo Agent, yesterday' }],
    location: 'editor',
  };
  void showControls();
} else if (query.has('gallery')) {
  stage.events(galleryEvents(Date.now()));
}

function loaded(): void {
  const document = new Untouched();
  const before = pageMessages;
  untouched = {
    get holds() {
      return pageMessages === before && document.holds;
    },
  };
}

function begin(key: string): boolean {
  if (!untouched?.holds) {
    return false;
  }
  // Tab then begins at the top of the page.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  // A reload shows this session.
  query.set('session', key);
  history.replaceState(null, '', `?${query}`);
  sessions.switchTo(key);
  window.playground.stage = sessions.stage(key);
  return true;
}

/** Applies a theme like VS Code, and sends the page the syntax colours like the host. */
function showTheme(name: string): void {
  applyTheme(name);
  const theme = CODE_THEMES[name];
  deliver({ type: 'code_theme', ...(theme && { theme }) });
}

/** The other session starts with a small conversation. */
function switchTo(key: string): void {
  if (!sessions.keys.includes(key)) {
    sessions.stage(key).events(syntheticEvents(3));
  }
  sessions.switchTo(key);
}

/** The bar is rendered outside the view's root. */
async function showControls(): Promise<void> {
  const names = (await fetch('journals/index.json')
    .then((response) => response.json())
    .catch(() => [])) as string[];
  const bar = document.createElement('div');
  document.body.append(bar);
  render(
    <Controls
      player={player}
      stage={stage}
      sessions={[FIRST, OTHER]}
      switchTo={switchTo}
      load={async (name) => (await fetch(`journals/${encodeURIComponent(name)}.jsonl`)).text()}
      names={names}
      journal={query.get('journal') ?? undefined}
      speed={Number(query.get('speed') ?? 1)}
      theme={query.get('theme') ?? 'dark'}
      setTheme={showTheme}
      setWidth={(width) => taken.root.style.setProperty('width', width)}
    />,
    bar,
  );
}
