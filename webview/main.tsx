/** The page inside VS Code: the only file that uses `acquireVsCodeApi`. */
import { mount } from './app/app';
import { reportActivity } from './typing/reportActivity';
import { type VsCodeApi, VsCodeHost } from './base/host';
import { loadStrings } from './base/l10n';
import { takeOver } from './app/takeOver';

declare function acquireVsCodeApi(): VsCodeApi;

loadStrings(document.getElementById('acp-l10n')?.textContent);
const facts = pageFacts();
const host = new VsCodeHost(acquireVsCodeApi(), facts);
mount(takeOver(), host, typeof facts.sessionKey === 'string' ? facts.sessionKey : undefined);
reportActivity(
  (message) => host.post(message),
  () => Date.now(),
);

/** The facts that the host wants to be stored beside the view's state (the session's key), so that it can restore the panel after a reload. */
function pageFacts(): Record<string, unknown> {
  try {
    const facts: unknown = JSON.parse(document.getElementById('acp-page')?.textContent || '{}');
    return typeof facts === 'object' && facts !== null ? (facts as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
