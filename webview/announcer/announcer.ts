/**
 * Announcements for screen readers: finished sentences of the answer, ended tool calls, requests that
 * wait for the user (at once) and changes of status. Never announces single tokens, entries that were there when the page opened, or more than a user
 * can listen to.
 */
import type { Slot } from '../../src/core/model/state';
import { type PermissionEntry, type SessionState, entryIdOf, isAbsent } from '../../src/core/model/state';
import { busyId, isBusy, isCancelling, isUnresponsive } from '../../src/core/model/select';
import { operationOf } from '../../src/core/approval/operation';
import { subagentLabel } from '../../src/text/messages/subagents';
import { signedInText, signInWaitsText, signInWantedText } from '../../src/text/messages/signIns';
import { unresponsiveText } from '../failures/unresponsiveText';
import { actionLabel } from '../failures/failureActions';
import { failureText } from '../failures/failures';
import { modeOf, type PermissionMode } from '../../src/core/modes/permissionMode';
import type { QueuedMessages } from '../../src/core/model/queuedMessage';
import { t } from '../base/l10n';
import { isForAgent } from '../../src/core/model/audience';
import type { SpokenText } from './spokenText';
import { oneLine } from '../../src/text/characters/textSafety';
import { modeChanges, permissionModeChange } from './modeChanges';
import { queueChanges } from './queueChanges';
import { SubagentEnds } from './subagentEnds';
import { ReviewChanges } from './reviewChanges';
import { ToolEnds } from './toolEnds';
import { turnReasonText } from '../base/strings';

/** UTF-16 units. A longer addition is better read, and the search for sentences must stay cheap. */
const MAX_SPOKEN = 10_000;

/** The longest announcement queue, in UTF-16 units: two minutes of a fast voice. */
const MAX_AHEAD = 3000;
/** UTF-16 units that a fast voice reads out in a second. */
const WORKING_WORDS = 25;

/** Entries at the end of the first page that may be tool calls still running. */
const RUNNING_BACK = 50;

/** Entries. When more arrive in one frame, the others are left to be read. */
const MAX_AT_ONCE = 10;

interface Announcement {
  readonly status: SessionState['status'];
  readonly isReconnecting: boolean;
  /** The id of the turn, or of the work between turns. */
  readonly busyId: string | undefined;
  readonly cancelling: boolean;
  readonly isUnresponsive: boolean;
  readonly permissions: ReadonlySet<string>;
  readonly elicitations: ReadonlySet<string>;
  readonly signIn: SessionState['signIn'];
  readonly queue: QueuedMessages;
  readonly config: SessionState['config'];
  readonly length: number;
  readonly mode: PermissionMode;
}

export class Announcer {
  private heard: Announcement | undefined;
  /** The message that is being announced, and the position reached in it. */
  private speaking: { entryId: string; to: number; muted?: boolean; missed?: boolean; text?: SpokenText | undefined } | undefined;
  private readonly tools = new ToolEnds();
  private readonly subagents = new SubagentEnds();
  private readonly review = new ReviewChanges();
  /** UTF-16 units not read out yet, and the time in ms of that count. */
  private ahead = { units: 0, at: 0 };
  /** True after the announcement that the conversation has more. */
  private silent = false;

  /**
   * @param utter announces a line; an `urgent` one interrupts the current announcement
   * @param now ms
   */
  constructor(
    private readonly utter: (text: string, urgent?: boolean) => void,
    private readonly now: () => number,
    /** Creates the extractor for a message's spoken text. Returns undefined while its code is not loaded. */
    private readonly newText: () => SpokenText | undefined,
  ) {}

  /** Receives each new state. The first state is history and is not announced. */
  hear(state: SessionState): void {
    const before = this.heard;
    this.heard = {
      status: state.status,
      isReconnecting: state.reconnect !== undefined,
      busyId: busyId(state),
      cancelling: isCancelling(state),
      isUnresponsive: isUnresponsive(state),
      permissions: new Set(state.pendingPermissions),
      elicitations: new Set(state.pendingElicitations),
      signIn: state.signIn,
      queue: state.queue,
      config: state.config,
      mode: modeOf(state),
      length: state.entries.length,
    };
    if (!before) {
      this.subagents.hear(state);
      return this.startAtEnd(state);
    }
    // Entries that arrive before the session is ready are a replayed conversation.
    if (before.status === 'starting') {
      this.startAtEnd(state);
    } else {
      this.speakMessages(state, before.length);
      this.tools.hear(state, before.length).forEach((text) => this.tell(text));
    }
    this.subagents.hear(state).forEach((text) => before.status !== 'starting' && this.tell(text));
    modeChanges(before.config, state.config).forEach((text) => this.say(text));
    permissionModeChange(before.mode, modeOf(state)).forEach((text) => this.say(text));
    queueChanges(before.queue, state).forEach((text) => this.say(text));
    this.speakStatus(state, before);
    this.review.hear(state).forEach((text) => this.say(text));
    if (state.signIn?.status !== before.signIn?.status) {
      this.speakSignIn(state);
    }
    for (const permissionId of state.pendingPermissions) {
      if (before.permissions.has(permissionId)) {
        continue;
      }
      const slot = state.entries.get(entryIdOf.permission(permissionId));
      const request = slot && !isAbsent(slot) && slot.kind === 'permission' ? slot : undefined;
      const title = request ? questionTitle(request, state).slice(0, MAX_SPOKEN) : '';
      this.say(t('{agent} needs your permission: {title}', { agent: askerName(request, state), title }), true);
    }
    for (const requestKey of state.pendingElicitations) {
      if (before.elicitations.has(requestKey)) {
        continue;
      }
      const slot = state.entries.get(entryIdOf.elicitation(requestKey));
      const request = slot && !isAbsent(slot) && slot.kind === 'elicitation' ? slot : undefined;
      const message = request ? request.message.slice(0, MAX_SPOKEN) : '';
      this.say(t('{agent} needs your input: {message}', { agent: askerName(request, state), message }), true);
    }
  }

  private say(text: string, urgent = false): void {
    this.ahead = { units: this.waiting() + text.length, at: this.now() };
    this.utter(text, urgent);
  }

  /** UTF-16 units that are still to be read out. */
  private waiting(): number {
    return Math.max(0, this.ahead.units - ((this.now() - this.ahead.at) / 1000) * WORKING_WORDS);
  }

  /** Announces `words` if there is room. Otherwise announces once that the conversation has more. */
  private tell(text: string): void {
    if (this.hasRoom(text.length)) {
      this.silent = false;
      this.say(text);
    } else if (!this.silent) {
      this.silent = true;
      this.say(t('See the conversation for more.'));
    }
  }

  /** True when the queue has room for `units`. After an overflow it must be half empty first, so that the user does not hear scraps. */
  private hasRoom(units: number): boolean {
    return this.waiting() + units <= (this.silent ? MAX_AHEAD / 2 : MAX_AHEAD);
  }

  private startAtEnd(state: SessionState): void {
    const last = state.entries.at(state.entries.length - 1);
    if (last && isAgentText(last)) {
      this.speaking = { entryId: last.entryId, to: textOf(last).length };
    }
    this.tools.skip(state, Math.max(0, state.entries.length - RUNNING_BACK));
    this.review.skip(state);
  }

  private speakStatus(state: SessionState, before: Announcement): void {
    // Attempts to connect again are not announced one by one.
    const hasStopped = before.isReconnecting && !state.reconnect;
    if (state.status !== before.status || hasStopped) {
      if (state.status === 'ready') {
        this.say(t('{agent} is ready', { agent: state.agentName }));
      } else if (state.failure && !state.reconnect) {
        this.say(failureText(state.failure, oneLine(state.agentName, 60)));
      }
    }
    const id = busyId(state);
    if (id !== undefined && id !== before.busyId) {
      if (state.turn) {
        this.ahead.units = 0; // The user has pressed a key, which ends the current announcement.
      }
      this.say(t('{agent} is working', { agent: state.agentName }));
    }
    if (isCancelling(state) && !before.cancelling) {
      this.say(t('Stopping'));
    }
    if (isUnresponsive(state) && !before.isUnresponsive) {
      this.say(`${unresponsiveText(oneLine(state.agentName, 60))} ${actionLabel('restart_agent')}`, true);
    }
    if (id === undefined && before.busyId !== undefined) {
      const slot = state.entries.get(entryIdOf.turn(before.busyId));
      const ofWork = before.cancelling ? 'cancelled' : 'end_turn';
      const turn = slot && !isAbsent(slot) && slot.kind === 'turn' ? slot : { stopReason: ofWork };
      this.say(turnReasonText(turn) || t('{agent} is done', { agent: state.agentName }));
    }
  }

  private speakSignIn({ signIn, agentName }: SessionState): void {
    switch (signIn?.status) {
      case 'required':
        return this.say(signInWantedText(agentName, t));
      case 'running':
        return this.say(signInWaitsText(t));
      case 'failed':
        return this.say(t('Sign-in failed. {reason}', { reason: signIn.failure ? failureText(signIn.failure) : '' }));
      case 'signed_in':
        return this.say(signedInText(true, t));
      case 'signed_out':
        return this.say(signedInText(false, t));
    }
  }

  private speakMessages(state: SessionState, lengthBefore: number): void {
    if (this.speaking) {
      const slot = state.entries.get(this.speaking.entryId);
      const isLast = slot?.entryId === state.entries.at(state.entries.length - 1)?.entryId;
      if (slot && isAgentText(slot)) {
        this.speak(slot, !isLast || !isBusy(state));
      }
    }
    for (let index = Math.max(lengthBefore, state.entries.length - MAX_AT_ONCE); index < state.entries.length; index++) {
      const slot = state.entries.at(index)!;
      if (!isAgentText(slot)) {
        continue;
      }
      this.speaking = { entryId: slot.entryId, to: 0 };
      this.speak(slot, index < state.entries.length - 1 || !isBusy(state));
    }
  }

  private speak(slot: Slot, finished: boolean): void {
    if (this.speaking!.muted) {
      return;
    }
    const text = textOf(slot);
    if (text.length - this.speaking!.to > MAX_SPOKEN) {
      // The rest of the message is skipped too: a beginning in its middle would make no sense.
      this.speaking!.muted = true;
      return this.tell(t('Long response in the conversation.'));
    }
    if (this.silent && !this.hasRoom(1)) {
      // There is no room to announce the text, so it is not parsed either.
      Object.assign(this.speaking!, { to: text.length, missed: true });
      return;
    }
    const words = this.textSpoken(text)?.hear(text, finished);
    if (words) {
      this.speaking!.to = text.length;
      this.tell(words);
    }
  }

  /** Returns the extractor for the current message, which begins at the announced position. */
  private textSpoken(text: string): SpokenText | undefined {
    const speaking = this.speaking!;
    const before = text.slice(0, speaking.to);
    if (!speaking.text) {
      speaking.text = this.newText();
      speaking.text?.skip(before);
    } else if (speaking.missed) {
      // An unfinished sentence is announced whole.
      speaking.text.hear(before, false);
    }
    speaking.missed = false;
    return speaking.text;
  }
}

/** The agent's name, or the subagent's that asks. */
function askerName(request: { readonly askedBy?: string } | undefined, { agentName }: SessionState): string {
  return request?.askedBy === undefined ? agentName : subagentLabel(oneLine(request.askedBy, 80), t);
}

/** The question's title without the command, which takes long to hear and is part of the question's text. */
function questionTitle(request: PermissionEntry, { entries, cwd }: SessionState): string {
  const { toolCallId } = request.subject;
  const slot = toolCallId === undefined ? undefined : entries.get(entryIdOf.toolCall(toolCallId));
  const call = slot?.kind === 'tool_call' && !isAbsent(slot) ? slot : undefined;
  const { spoken, command, written } = operationOf(request, { call, cwd });
  return spoken || (command === undefined && written === undefined ? t('Permission') : t('Run command'));
}

function isAgentText(slot: Slot): boolean {
  return !isAbsent(slot) && slot.kind === 'message' && slot.role === 'agent';
}

function textOf(slot: Slot): string {
  if (isAbsent(slot) || slot.kind !== 'message') {
    return '';
  }
  return slot.content.map((block) => (block.type === 'text' && !isForAgent(block) ? block.text : '')).join('\n');
}
