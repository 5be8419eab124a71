/** The sandbox of the session, in the header. */
import type { SandboxMode } from '../../src/core/sandbox/sandbox';
import { t } from '../base/l10n';
import { useSelect } from '../state/context';

export function sandboxModeName(mode: SandboxMode): string {
  return mode === 'off' ? t('Off') : mode === 'commands' ? t('Commands') : t('Agent');
}

/** Nothing while the sandbox is off. */
export function SandboxFact() {
  const mode = useSelect((state) => state.sandbox?.mode ?? 'off');
  return mode === 'off' ? null : <span class="header-sandbox">{t('Sandbox: {mode}', { mode: sandboxModeName(mode) })}</span>;
}
