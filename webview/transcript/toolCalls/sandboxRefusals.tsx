/** The accesses that the sandbox refused to a tool call, each with a button that allows it. */
import type { ToolCallEntry } from '../../../src/core/model/state';
import { isAllowable } from '../../../src/core/sandbox/allowable';
import { refusalKey, type SandboxRefusal } from '../../../src/core/sandbox/sandbox';
import { oneLine } from '../../../src/text/characters/textSafety';
import { t } from '../../base/l10n';
import { failureText } from '../../failures/failures';
import { useSelect, useView } from '../../state/context';

export function SandboxRefusals({ entry }: { entry: ToolCallEntry }) {
  const { post } = useView();
  const all = useSelect((state) => state.sandboxRefusals);
  if (!all) {
    return null;
  }
  const terminals = entry.content.flatMap((each) => (each.type === 'terminal' ? [refusalKey.terminal(each.terminalId)] : []));
  const refusals = [refusalKey.toolCall(entry.toolCallId), ...terminals].flatMap((key) => (Object.hasOwn(all, key) ? all[key]! : []));
  if (refusals.length === 0) {
    return null;
  }
  return (
    <ul class="sandbox-refusals" aria-label={t('Refused by the sandbox')}>
      {refusals.map((refusal) => (
        <li key={`${refusal.kind} ${refusal.target}`}>
          <span>{refusalText(refusal)}</span>
          {isAllowable(refusal) && (
            <button
              type="button"
              class="text-button"
              onClick={() => post({ type: 'sandbox_allow', kind: refusal.kind, target: refusal.target })}
            >
              {refusal.kind === 'host' ? t('Allow This Host') : t('Allow This Folder')}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function refusalText({ kind, target }: SandboxRefusal): string {
  const shown = oneLine(target, 300);
  switch (kind) {
    case 'host':
      return failureText({ code: 'sandbox.refused', params: { host: shown } });
    case 'write':
      return t('The sandbox refused to write {path}.', { path: shown });
    case 'read':
      return t('The sandbox refused to read {path}.', { path: shown });
  }
}
