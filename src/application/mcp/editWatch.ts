/** The files that a session's agent writes, through the host or on the disk itself, from the events of the session. */
import path from 'node:path';
import type { SessionEvent } from '../../core/model/event';
import { entryIdOf, isAbsent, type ToolCallEntry } from '../../core/model/state';
import type { Disposable } from '../../core/platform/disposable';
import { bodyOf } from '../../core/subagents/innerEvents';
import { realPathOf } from '../../util/realPath';
import { slotIn } from '../../core/subagents/subagentTree';
import type { AfterEdits } from '../../mcp/editor/afterEdits';
import type { Session } from '../../session/session';

/** Tool calls of these kinds change the files that they name. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

/** Passes the files that the session's agent writes to `edits`, each before it is written where the agent reports that. */
export function watchEdits(
  { key, roots, store }: Pick<Session, 'key' | 'roots' | 'store'>,
  edits: Pick<AfterEdits, 'beforeWrite' | 'written' | 'forget'>,
): Disposable {
  const completed = new Set<string>();
  /** The folders that were opened by a link, by their real paths. Agents name files by these, and the editor by the opened folder. */
  const links = new Map<string, string>();
  for (const folder of [roots.cwd, ...roots.additionalDirectories].filter((each) => path.isAbsolute(each))) {
    realPathOf(folder).then(
      (real) => void (real !== folder && links.set(real, folder)),
      () => undefined,
    );
  }
  const absolute = (file: string): string => {
    const named = path.resolve(roots.cwd, file);
    const [real, folder] = [...links].find(([each]) => named.startsWith(each + path.sep)) ?? [];
    return real === undefined ? named : path.join(folder!, named.slice(real.length));
  };
  const follow = (event: SessionEvent): void => {
    switch (event.type) {
      case 'turn_started':
        completed.clear();
        break;
      case 'file_written':
        edits.written(key, [absolute(event.file.path)]);
        break;
      case 'tool_call_update': {
        const call = slotIn(store.state, entryIdOf.toolCall(event.toolCallId));
        const paths = call && !isAbsent(call) && call.kind === 'tool_call' ? changedFiles(call).map(absolute) : [];
        if (paths.length === 0 || completed.has(event.toolCallId)) {
          break;
        }
        if ((call as ToolCallEntry).status === 'completed') {
          completed.add(event.toolCallId);
          edits.written(key, paths);
        } else {
          edits.beforeWrite(key, paths);
        }
        break;
      }
      case 'session_ended':
        edits.forget(key);
        break;
    }
  };
  const subscription = store.onEvents((_, events, whole) => {
    if (!whole) {
      events.forEach((event) => follow(bodyOf(event)));
    }
  });
  return {
    dispose: () => {
      subscription.dispose();
      edits.forget(key);
    },
  };
}

function changedFiles({ toolKind, locations, content }: ToolCallEntry): readonly string[] {
  const diffs = content.flatMap((part) => (part.type === 'diff' ? part.changes.map((change) => change.path) : []));
  return diffs.length > 0 ? [...new Set(diffs)] : CHANGING.has(toolKind) ? locations.map((location) => location.path) : [];
}
