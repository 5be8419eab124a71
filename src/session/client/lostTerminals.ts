/** The terminals of an earlier window, whose commands ended with it. The agent reads their output and gets a status. */
import type { ExitStatus } from '../../core/model/content';
import { PlainOutput } from '../../terminal/output';
import type { SessionStore } from '../state/store';

/** The answer to `terminal/output`. */
interface LostReading {
  readonly output: string;
  readonly truncated: boolean;
  readonly exitStatus: ExitStatus;
}

export interface LostTerminals {
  /** Undefined for a terminal that is not lost. */
  read(terminalId: string): LostReading | undefined;
  release(terminalId: string): void;
}

/** The signal of a terminal that closes. */
const LOST: ExitStatus = { signal: 'SIGHUP' };
const REASON = '\n[The command was ended because the window of the editor was closed or reloaded.]\n';

/** Records the end of the commands that were running. */
export function lostTerminals(store: SessionStore): LostTerminals {
  const lost = new Map<string, LostReading>();
  for (const { terminalId, ours, released, output, dropped, exitStatus, lost: isLost } of Object.values(store.state.terminals)) {
    if (!ours || released) {
      continue;
    }
    const plain = new PlainOutput(undefined);
    // The agent may read it in a window after the one that recorded the end.
    plain.push(Buffer.from(exitStatus && !isLost ? output : output + REASON));
    const { output: text, truncated } = plain.read(true);
    lost.set(terminalId, { output: text, truncated: truncated || dropped > 0, exitStatus: exitStatus ?? LOST });
    if (!exitStatus) {
      store.append({ type: 'terminal_update', terminalId, exitStatus: LOST, lost: true });
    }
  }
  return {
    read: (terminalId) => lost.get(terminalId),
    release: (terminalId) => {
      lost.delete(terminalId);
      store.append({ type: 'terminal_update', terminalId, released: true });
    },
  };
}
