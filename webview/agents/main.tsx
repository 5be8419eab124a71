/** The page of agents inside VS Code. A test replaces `acquireVsCodeApi`. */
import { render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { AGENT_TABS, type AgentTab, type SavedView, savedView, type ToAgentsPage } from '../../src/core/agents/agentsPage';
import { loadStrings } from '../base/l10n';
import type { VsCodeApi } from '../base/host';
import { ACTION_MS, LostHost, useLost, watchHost } from '../connection/lostHost';
import { AgentPage } from './agentPage';
import { Browse } from './browse';
import { type AgentsHost, HostContext } from './parts';
import { Running } from './running';
import { lazy, useLoaded } from '../base/lazy';

declare function acquireVsCodeApi(): VsCodeApi;

type PageState = Extract<ToAgentsPage, { type: 'browse' | 'agent' | 'running' | 'share' }>;

/** ms for which a sentence about a finished action is shown. */
const SAID_MS = 5000;

function Page() {
  const [state, setState] = useState<PageState>();
  const [tab, setTab] = useState<AgentTab>(saved.tab);
  const [said, setSaid] = useState('');
  useLayoutEffect(() => {
    const listen = ({ data }: MessageEvent<ToAgentsPage>): void => {
      if (data.type === 'tab') {
        setTab(data.tab);
      } else if (data.type === 'say') {
        setSaid(data.text);
      } else if (data.type !== 'pong' && ['browse', 'agent', 'running', 'share'].includes(data.type)) {
        setState(data);
      }
    };
    window.addEventListener('message', listen);
    host.post({ type: 'ready' });
    return () => window.removeEventListener('message', listen);
  }, []);
  useLayoutEffect(() => {
    // The same sentence may come again, and must then be said again.
    const timer = said === '' ? undefined : setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  useLayoutEffect(() => save({ tab }), [tab]);
  const isLost = useLost(heartbeat);
  const view = state && viewOf(state);
  useLayoutEffect(() => (view ? save({ view }) : undefined), [view?.kind, view?.kind === 'agent' && view.key]);
  return (
    <HostContext.Provider value={host}>
      <LostHost isLost={isLost} command="acpHost.browseAgents" argument={{ view: saved.view ?? { kind: 'browse' } }}>
        {state?.type === 'browse' && <Browse state={state} initial={saved.query} changed={(query) => save({ query })} />}
        {state?.type === 'agent' && <AgentPage state={state} tab={tab} select={setTab} />}
        {state?.type === 'running' && <Running state={state} />}
        {state?.type === 'share' && <SharingPage state={state} isLost={isLost} />}
      </LostHost>
      <div class="agents-said" role="status">
        {said}
      </div>
    </HostContext.Provider>
  );
}

/** Shown only on its own page. */
const sharingChunk = lazy(() => import('./sharing'));

function SharingPage(props: { state: Extract<ToAgentsPage, { type: 'share' }>; isLost: boolean }) {
  const chunk = useLoaded(sharingChunk);
  return chunk ? <chunk.Sharing {...props} /> : null;
}

interface Saved {
  readonly tab: AgentTab;
  readonly query: string;
  /** Names the page after a reload of the window. */
  readonly view?: SavedView | undefined;
}

function viewOf(state: PageState): SavedView {
  return state.type === 'agent' ? { kind: 'agent', key: state.agent.key } : { kind: state.type };
}

/** The choices of the user that outlive the document: VS Code deletes the document of a hidden panel. */
function savedState(value: unknown): Saved {
  const { tab, query } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof Saved, unknown>>;
  return {
    tab: AGENT_TABS.find((each) => each === tab) ?? 'details',
    query: typeof query === 'string' ? query : '',
    view: savedView(value),
  };
}

function save(more: Partial<Saved>): void {
  saved = { ...saved, ...more };
  api.setState(saved);
}

loadStrings(document.getElementById('acp-l10n')?.textContent);
const api = acquireVsCodeApi();
let saved = savedState(api.getState());
const heartbeat = watchHost(api);
const host: AgentsHost = {
  post: (message) => {
    api.postMessage(message);
    if (message.type !== 'ready') {
      heartbeat.check(ACTION_MS);
    }
  },
};
render(<Page />, document.getElementById('acp-root')!);
