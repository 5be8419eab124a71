/** The page of the inspector inside VS Code. A test replaces `acquireVsCodeApi`. */
import { render } from 'preact';
import type { VsCodeApi } from '../base/host';
import { loadStrings } from '../base/l10n';
import type { FromInspectorPage } from '../../src/core/inspector/inspectorPage';
import { ACTION_MS, LostHost, useLost, watchHost } from '../connection/lostHost';
import { InspectorPage } from './inspectorPage';

declare function acquireVsCodeApi(): VsCodeApi;

loadStrings(document.getElementById('acp-l10n')?.textContent);
const api = acquireVsCodeApi();
const heartbeat = watchHost(api);

function Page() {
  return (
    <LostHost isLost={useLost(heartbeat)} command="acpHost.openInspector" argument="reopen">
      <InspectorPage post={post} saved={api.getState()} save={(state) => api.setState(state)} />
    </LostHost>
  );
}

function post(message: FromInspectorPage): void {
  api.postMessage(message);
  // These two are not actions of the user.
  if (message.type !== 'ready' && message.type !== 'drawn') {
    heartbeat.check(ACTION_MS);
  }
}

render(<Page />, document.getElementById('acp-root')!);
