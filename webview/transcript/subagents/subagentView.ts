/**
 * A view whose state is the conversation of a subagent, so that the components of the conversation render it. Requests to the host, the open and
 * closed parts and the search are those of the session: ids of entries are unique in it.
 */
import { EMPTY_STATE, type SessionState } from '../../../src/core/model/state';
import { conversationView, subagentOf } from '../../../src/core/subagents/subagentTree';
import type { View } from '../../state/context';
import type { Mirror } from '../../state/mirror';

export function subagentView(view: View, subagentId: string): View {
  return { ...view, mirror: subagentMirror(view.mirror, subagentId), subagentId };
}

function subagentMirror(mirror: Mirror, subagentId: string): Mirror {
  let conversation: SessionState | undefined;
  let shown = EMPTY_STATE;
  const state = (): SessionState => {
    const child = subagentOf(mirror.state, subagentId);
    const { terminals, subagents } = mirror.state;
    if (child && (child.conversation !== conversation || shown.terminals !== terminals || shown.subagents !== subagents)) {
      ({ conversation } = child);
      shown = conversationView(mirror.state, child);
    }
    return shown;
  };
  // Everything else is the session's mirror.
  return Object.create(mirror, {
    state: { get: state },
    want: { value: (entryIds: readonly string[]) => mirror.want(entryIds) },
    wantTerminal: { value: (terminalId: string) => mirror.wantTerminal(terminalId) },
  }) as Mirror;
}
