/** The page of agents inside VS Code. A test replaces `acquireVsCodeApi`. */
import { render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { AgentTab, ToAgentsPage } from '../../src/core/agents/agentsPage';
import { loadStrings } from '../base/l10n';
import type { VsCodeApi } from '../base/host';
import { AgentPage } from './agentPage';
import { Browse } from './browse';
import { type AgentsHost, HostContext } from './parts';
import { Running } from './running';

declare function acquireVsCodeApi(): VsCodeApi;

type PageState = Extract<ToAgentsPage, { type: 'browse' | 'agent' | 'running' }>;

function Page() {
  const [state, setState] = useState<PageState>();
  const [tab, setTab] = useState<AgentTab>('details');
  const [said, setSaid] = useState('');
  useLayoutEffect(() => {
    const listen = ({ data }: MessageEvent<ToAgentsPage>): void => {
      if (data.type === 'tab') {
        setTab(data.tab);
      } else if (data.type === 'say') {
        setSaid(data.text);
      } else if (['browse', 'agent', 'running'].includes(data.type)) {
        setState(data);
      }
    };
    window.addEventListener('message', listen);
    host.post({ type: 'ready' });
    return () => window.removeEventListener('message', listen);
  }, []);
  return (
    <HostContext.Provider value={host}>
      {state?.type === 'browse' && <Browse state={state} />}
      {state?.type === 'agent' && <AgentPage state={state} tab={tab} select={setTab} />}
      {state?.type === 'running' && <Running state={state} />}
      <div class="agent-hidden" role="status">
        {said}
      </div>
    </HostContext.Provider>
  );
}

loadStrings(document.getElementById('acp-l10n')?.textContent);
const api = acquireVsCodeApi();
const host: AgentsHost = { post: (message) => api.postMessage(message) };
render(<Page />, document.getElementById('acp-root')!);
