/** The page of the inspector inside VS Code. A test replaces `acquireVsCodeApi`. */
import { render } from 'preact';
import type { VsCodeApi } from '../base/host';
import { loadStrings } from '../base/l10n';
import { InspectorPage } from './inspectorPage';

declare function acquireVsCodeApi(): VsCodeApi;

loadStrings(document.getElementById('acp-l10n')?.textContent);
const api = acquireVsCodeApi();
render(
  <InspectorPage post={(message) => api.postMessage(message)} saved={api.getState()} save={(state) => api.setState(state)} />,
  document.getElementById('acp-root')!,
);
