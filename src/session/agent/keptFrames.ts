/**
 * Keeps the journals of an agent's sessions and its keeper in step. The keeper drops a frame when the journals have its events, and the agent gets no
 * frame before the journals have what caused it. Loaded with the first agent that a keeper holds.
 */
import type { FramePosition, KeptAgent } from '../../core/keeper/keptAgent';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';

/** A session of the agent. */
export interface KeptSession {
  readonly key: string;
  /** True when the agent has the session open. */
  readonly isReady: boolean;
  /** Undefined for a session without a journal. */
  readonly journal: KeptJournal | undefined;
}

interface KeptJournal {
  readonly hasPending: boolean;
  storedFrame(position: FramePosition): number;
  written(): Promise<void>;
}

/** The text that a window leaves for the next one. */
export interface KeptNote {
  readonly keys: readonly string[];
}

/** ms after a frame in which the keeper learns that it is stored. */
const STORED_MS = 100;

/** @param sessions the present sessions of the agent @param onNote called when other sessions need the agent than before */
export function followFrames(
  kept: KeptAgent,
  clock: Clock,
  sessions: () => readonly KeptSession[],
  onNote: () => void,
): Disposable & { changed(): void } {
  let timer: Disposable | undefined;
  let noted = '';
  const update = (): void => {
    timer = undefined;
    const present = sessions();
    const { position } = kept;
    kept.stored(Math.min(position.handled, ...present.flatMap(({ journal }) => journal?.storedFrame(position) ?? [])));
    const keys = present.filter(({ isReady }) => isReady).map(({ key }) => key);
    const note = JSON.stringify({ keys } satisfies KeptNote);
    if (note !== noted) {
      noted = note;
      kept.note(note, keys.length > 0);
      onNote();
    }
  };
  const changed = (): void => void (timer ??= clock.after(STORED_MS, update));
  kept.beforeSend = () => {
    const pending = sessions().flatMap(({ journal }) => (journal?.hasPending ? [journal.written()] : []));
    return pending.length > 0 ? Promise.all(pending).then(() => undefined) : undefined;
  };
  const handled = kept.onHandled(changed);
  changed();
  return {
    changed,
    dispose: () => {
      timer?.dispose();
      handled.dispose();
    },
  };
}
