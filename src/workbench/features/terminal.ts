import type { terminal } from '../../core/protocol/channels/terminal';
import type { DisposableStore } from '../../util/disposable';
import { lazy } from '../../util/lazy';
import { feature } from '../routing/feature';

interface TerminalServices {
  /** Disposed with the window. */
  readonly store: Pick<DisposableStore, 'add'>;
}

export default feature<typeof terminal, TerminalServices>(({ store }) => {
  const shown = lazy(async () => store.add(new (await import('../terminal/terminalPanel')).ShownTerminals()));
  return {
    stop_tool_call: ({ toolCallId }, { session }) => session.stopToolCall(toolCallId),
    stop_terminal: ({ terminalId }, { session }) => session.stopTerminal(terminalId),
    show_terminal: async ({ terminalId }, { session }) => (await shown()).show(session, terminalId),
  };
});
