/** Whether a log shows, when it is replayed, what the live session showed. */
import assert from 'node:assert/strict';
import type { Recording } from '../../../src/acp/replay/recording';
import { LogReplay } from '../../../src/acp/replay/replay';
import type { Trace } from '../../../src/acp/trace/trace';
import { reduce } from '../../../src/core/reduce/reduce';
import { EMPTY_STATE, entryIdOf, isAbsent, type SessionState, type Slot, type TurnEntry } from '../../../src/core/model/state';

/** Ids that each side mints for itself, and times. */
const OWN = new Set([
  'at',
  'updatedAt',
  'startedAt',
  'waited',
  'entryId',
  'messageId',
  'turnId',
  'permissionId',
  'requestKey',
  'noticeId',
  'unknownId',
]);

/** The sessions of what was on the wire, as an export has it but for the secrets. */
export function replayed(trace: Trace): readonly Recording[] {
  const replay = new LogReplay({ startedAt: 0, agentName: 'Replayed' });
  for (const line of trace.jsonLines()) {
    replay.push(line);
  }
  const sessions = replay.end();
  assert.deepEqual([replay.damaged, replay.cut], [0, 0]);
  return sessions;
}

/** Every entry and every fact beside them is the same; of a turn that the log ends in, how it ended is not known. */
export function assertSameConversation(recording: Recording | undefined, live: SessionState): void {
  assert.ok(recording, `session ${live.sessionId} is not in the log`);
  const { state } = recording;
  assert.deepEqual(state, recording.events.reduce(reduce, EMPTY_STATE));
  assert.deepEqual(seen(state, state), seen(live, state));
}

/** What we asked ourselves is on no wire; that the user said no to it, a replay tells in the words of the answer, and the live card by itself. */
function isOurOwn(entry: Slot): boolean {
  if (isAbsent(entry)) {
    return false;
  }
  return (
    (entry.kind === 'permission' && entry.subject.reason !== undefined) ||
    (entry.kind === 'notice' && /^The user did not allow you/.test(entry.description ?? ''))
  );
}

function seen({ title, agent, cwd, entries, plans, config, commands, usage, terminals }: SessionState, replay: SessionState): unknown {
  const isOpenEnded = [...replay.entries].findLast(({ kind }) => kind === 'turn');
  const openTurn = isOpenEnded?.kind === 'turn' && 'failure' in isOpenEnded && isOpenEnded.failure?.code === 'session.replayed';
  // That somebody had to sign in first is said only by a log; what we remark about a session that is brought back, only live.
  // That a folder is another one is said once live, and by a log of each write.
  const isOneSided = (said: string): boolean =>
    /^(?:auth\.required|session\.)/.test(said) || / was replaced or leads elsewhere since /.test(said);
  const conversation = [...entries].filter(
    (entry) =>
      !(
        entry.kind === 'notice' &&
        ('failure' in entry || 'description' in entry) &&
        isOneSided(entry.failure?.code ?? entry.description ?? '')
      ),
  );
  const shown = conversation.filter((entry) => !isOurOwn(entry)).map((entry) => ({ ...entry }) as Record<string, unknown>);
  // Each side names requests itself; how many of a call are the agent's both know.
  shown
    .filter(({ requests }) => requests !== undefined)
    .forEach((call) => {
      const asked = (call.requests as readonly string[]).map((id) => entries.get(entryIdOf.permission(id)));
      call.requests = asked.filter((entry) => entry !== undefined && !isOurOwn(entry)).length || undefined;
    });
  const last = shown.findLast(({ kind }) => kind === 'turn');
  if (openTurn && last) {
    delete last.stopReason;
    delete last.failure;
  }
  // Live, what the user wanted of a request is known, and needs no name.
  shown
    .filter(({ kind, title }) => kind === 'notice' && /^session\/(?:load|resume)$/.test(String(title)))
    .forEach((notice) => (notice.title = ''));
  // Why we did not write a file, the agent was told in words; we knew a code.
  shown.filter(({ kind }) => kind === 'notice').forEach((notice) => ['failure', 'description'].forEach((field) => delete notice[field]));
  // What a write had of new is not in the log.
  shown
    .filter(({ kind, changes }) => kind === 'turn' && changes !== undefined)
    .forEach((turn) => {
      turn.changes = (turn as Partial<TurnEntry>).changes!.files.filter(({ hasText }) => hasText);
    });
  shown.filter(({ changes }) => Array.isArray(changes) && changes.length === 0).forEach((turn) => delete turn.changes);
  // How a command ended is in the log when the agent asked.
  const commandsRun = Object.values(terminals).map(({ terminalId, command, exitStatus }) => {
    return { terminalId, command, ...(replay.terminals[terminalId]?.exitStatus && { exitStatus }) };
  });
  const text = JSON.stringify({ title, agent, cwd, shown, plans, config, commands, usage, commandsRun }, (key, value: unknown) => {
    // A tool call under an id of an earlier one has it with a mark of ours behind.
    return OWN.has(key) ? undefined : key === 'toolCallId' && typeof value === 'string' ? value.replace(/~[\d.]+$/, '~') : value;
  });
  return JSON.parse(text);
}
