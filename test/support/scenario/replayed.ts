/** Checks that a replayed log shows the same as the live session. */
import { jsonLines } from '../../../src/acp/trace/exportLines';
import assert from 'node:assert/strict';
import type { Recording } from '../../../src/acp/replay/recording';
import { LogReplay } from '../../../src/acp/replay/replay';
import { LOGGED_V1 } from '../../../src/acp/v1/clientFrames';
import { LOGGED_V2 } from '../../../src/acp/v2/clientFrames';
import type { Trace } from '../../../src/acp/trace/trace';
import { reduce } from '../../../src/core/reduce/reduce';
import { isHostQuestion } from '../../../src/core/approval/requests';
import {
  EMPTY_STATE,
  entryIdOf,
  isAbsent,
  type PermissionEntry,
  type SessionState,
  type Slot,
  type TurnEntry,
} from '../../../src/core/model/state';

/** Ids that each side creates for itself, and times. */
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
  // The rule that answered, and the host's advice, are on no wire.
  'byRule',
  'advice',
]);

/** The sessions recorded on the wire, as an export has them, but with the secrets. */
export function replayed(trace: Trace): readonly Recording[] {
  const replay = new LogReplay({ startedAt: 0, agentName: 'Replayed', versions: [LOGGED_V2, LOGGED_V1] });
  for (const line of jsonLines(trace)) {
    replay.push(line);
  }
  const sessions = replay.end();
  assert.deepEqual([replay.damaged, replay.cut], [0, 0]);
  return sessions;
}

/** Asserts that all entries and other facts are the same. The end of a turn in which the log ends is unknown. */
export function assertSameConversation(recording: Recording | undefined, live: SessionState): void {
  assert.ok(recording, `session ${live.sessionId} is not in the log`);
  const { state } = recording;
  assert.deepEqual(state, recording.events.reduce(reduce, EMPTY_STATE));
  assert.deepEqual(seen(state, state), seen(live, state));
}

/**
 * Our own requests to the user are on no wire. If the user refused, a replay shows that in the text of the answer, and the live session on
 * the card.
 */
function isOurOwn(entry: Slot): boolean {
  if (isAbsent(entry)) {
    return false;
  }
  return (
    (entry.kind === 'permission' && isHostQuestion(entry.subject)) ||
    // A rule has answered before our own question was asked.
    (entry.kind === 'permission' && entry.outcome?.byRule !== undefined && entry.subject.toolCallId === undefined) ||
    // The refusal to stop a task is the answer to our request.
    (entry.kind === 'notice' && entry.failure?.code === 'request.failed' && entry.failure.params?.['method'] === 'stop') ||
    (entry.kind === 'notice' && /^(?:The user did not allow you|You must not )/.test(entry.description ?? ''))
  );
}

function seen({ title, agent, cwd, entries, plans, config, commands, usage, terminals }: SessionState, replay: SessionState): unknown {
  const isOpenEnded = [...replay.entries].findLast(({ kind }) => kind === 'turn');
  const openTurn = isOpenEnded?.kind === 'turn' && 'failure' in isOpenEnded && isOpenEnded.failure?.code === 'session.replayed';
  // A required sign-in is only recorded in a log; our notices about a reopened session and about overwritten lines only exist live. A replaced folder is reported once
  // live, and in a log for each write.
  const isOneSided = (said: string): boolean =>
    /^(?:auth\.required|session\.|changes\.)/.test(said) || / was replaced or leads elsewhere since /.test(said);
  const conversation = [...entries].filter(
    (entry) =>
      !(
        entry.kind === 'notice' &&
        ('failure' in entry || 'description' in entry) &&
        isOneSided(entry.failure?.code ?? entry.description ?? '')
      ),
  );
  const shown = conversation.filter((entry) => !isOurOwn(entry)).map((entry) => ({ ...entry }) as Record<string, unknown>);
  // Each side creates its own names for requests; both know how many requests of a call are the agent's.
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
  // The log does not contain the changes of a file while a request waited.
  shown.forEach((entry) => delete entry.outdated);
  // The log contains neither the rule that answered a request nor the reason that ACP Host added.
  for (const entry of shown.filter(({ kind }) => kind === 'permission') as unknown as PermissionEntry[]) {
    const { reason, ...subject } = entry.subject;
    Object.assign(entry, {
      subject: reason ? subject : entry.subject,
      outcome: { ...entry.outcome, byRule: undefined },
    });
  }
  // Live, the purpose of the request is known, and it needs no name.
  shown
    .filter(({ kind, title }) => kind === 'notice' && /^session\/(?:load|resume)$/.test(String(title)))
    .forEach((notice) => (notice.title = ''));
  // The agent received the reason of a refused write as text, while we had a code.
  shown.filter(({ kind }) => kind === 'notice').forEach((notice) => ['failure', 'description'].forEach((field) => delete notice[field]));
  // The log does not contain the changes of a write.
  shown
    .filter(({ kind, changes }) => kind === 'turn' && changes !== undefined)
    .forEach((turn) => {
      // The versions before the turn are stored beside the session.
      turn.changes = (turn as Partial<TurnEntry>).changes!.files.filter(({ hasText }) => hasText).map(({ kept: _, ...file }) => file);
    });
  shown.filter(({ changes }) => Array.isArray(changes) && changes.length === 0).forEach((turn) => delete turn.changes);
  // The log contains a command's exit status only if the agent asked for it.
  const commandsRun = Object.values(terminals).map(({ terminalId, command, exitStatus }) => {
    return { terminalId, command, ...(replay.terminals[terminalId]?.exitStatus && { exitStatus }) };
  });
  const text = JSON.stringify({ title, agent, cwd, shown, plans, config, commands, usage, commandsRun }, (key, value: unknown) => {
    // A tool call with an earlier call's id has the same id with our suffix.
    return OWN.has(key) ? undefined : key === 'toolCallId' && typeof value === 'string' ? value.replace(/~[\d.]+$/, '~') : value;
  });
  return JSON.parse(text);
}
