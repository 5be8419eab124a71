/** Questions to the user in one session: the agent's own requests for permission, and ours. Each is an event of the conversation first. */
import { newsOfToolCall, titleOfToolCall } from '../../core/model/permissionSubject';
import type { FileChange, PermissionOption, PermissionSubject, ToolContent } from '../../core/model/content';
import type { SessionHappening } from '../../core/model/event';
import { entryIdOf, isAbsent } from '../../core/model/state';
import type { PermissionOutcome, PermissionRoom } from '../../permission/permissionService';
import { abortOutcome } from '../lifecycle/abortOutcome';
import type { SessionPeer } from '../agent/agentConnection';
import type { Replay } from '../lifecycle/replayTarget';
import type { SessionStore } from '../store';

export type Told = Pick<SessionStore, 'append' | 'seq' | 'state'>;

type PermissionRequest = Parameters<SessionPeer['requestPermission']>[0];

interface Question {
  readonly title: string;
  readonly description?: string | undefined;
  readonly options: readonly PermissionOption[];
  readonly subject: PermissionSubject;
}

/** Its session. */
export interface PermissionsHost {
  readonly key: string;
  readonly agentName: string;
  /** Absolute. */
  readonly cwd: string;
  readonly store: SessionStore;
  /** The store, and what is told aside while an earlier conversation is brought back. */
  readonly asked: Told;
  readonly room: PermissionRoom;
  replay(): Replay | undefined;
}

export class Permissions {
  private count = 0;
  /** What the user allowed the agent's own requests in the turn of that id. */
  private allowed: { readonly turnId: string; readonly changes: FileChange[] } | undefined;

  constructor(private readonly host: PermissionsHost) {}

  /** The changes of files that the user was shown in the agent's own requests, and allowed, in the running turn; undefined when none was allowed. */
  get allowedInTurn(): readonly FileChange[] | undefined {
    const { turn } = this.host.store.state;
    return turn && this.allowed?.turnId === turn.turnId ? this.allowed.changes : undefined;
  }

  /** A change that was allowed has been made. */
  spend(change: FileChange): void {
    this.allowed = this.allowed && { ...this.allowed, changes: this.allowed.changes.filter((other) => other !== change) };
  }

  /** The agent asks. */
  async request(request: PermissionRequest, signal: AbortSignal): Promise<{ optionId: string } | 'cancelled'> {
    const { store, replay } = this.host;
    const told = replay() ?? store;
    const { description, options, subject, toolCall, meta, extra } = request;
    const news = toolCall && newsOfToolCall(told.state, toolCall);
    if (news) {
      told.append({ type: 'tool_call_update', toolCallId: toolCall.toolCallId, patch: news });
    }
    const permissionId = this.mint();
    const title = request.title || titleOfToolCall(told.state, subject.toolCallId);
    const whole = wholeSubject(subject, told);
    const requested = (shown: PermissionSubject): SessionHappening => ({
      type: 'permission_requested',
      permissionId,
      title,
      ...(description !== undefined && { description }),
      options,
      subject: shown,
      ...(meta !== undefined && { meta }),
      ...(extra && { extra }),
    });
    // Its tool call is not on the screen while it is told aside.
    store.append(requested(replay() ? whole : subject));
    replay()?.mirror(requested(subject));
    const outcome = await this.ask(permissionId, { title, description, options, subject: whole }, signal);
    if (outcome.outcome === 'selected') {
      this.remember(options, outcome.optionId, subject);
      return { optionId: outcome.optionId };
    }
    return 'cancelled';
  }

  /** We ask. */
  async question({ title, options, subject }: Question, signal: AbortSignal | undefined): Promise<PermissionOutcome> {
    const permissionId = this.mint();
    this.host.asked.append({ type: 'permission_requested', permissionId, title, options, subject });
    return this.ask(permissionId, { title, options, subject }, signal);
  }

  private mint(): string {
    return `permission-${this.host.store.seq}-${++this.count}`;
  }

  private async ask(permissionId: string, question: Question, signal: AbortSignal | undefined): Promise<PermissionOutcome> {
    const outcome = await this.answerTo(permissionId, question, signal);
    this.host.asked.append({
      type: 'permission_resolved',
      permissionId,
      outcome: outcome.outcome,
      ...(outcome.outcome === 'selected' && { optionId: outcome.optionId }),
    });
    return outcome;
  }

  private async answerTo(
    permissionId: string,
    { title, description, options, subject }: Question,
    signal: AbortSignal | undefined,
  ): Promise<PermissionOutcome> {
    const { key, agentName, cwd, store, room } = this.host;
    if (store.state.turn?.cancelling || store.state.status === 'ended') {
      return { outcome: 'cancelled' };
    }
    if (signal?.aborted) {
      return { outcome: abortOutcome(signal) };
    }
    const withdraw = (): void => room.settle(key, permissionId, signal ? abortOutcome(signal) : 'withdrawn');
    signal?.addEventListener('abort', withdraw, { once: true });
    try {
      return await room.ask({
        sessionKey: key,
        agentName,
        permissionId,
        title,
        ...(description !== undefined && { description }),
        options,
        subject,
        cwd,
      });
    } finally {
      signal?.removeEventListener('abort', withdraw);
    }
  }

  /** Only what the request itself said of changes counts: a tool call that it names can become another one while the user reads. */
  private remember(options: readonly PermissionOption[], optionId: string, subject: PermissionSubject): void {
    const turnId = this.host.store.state.turn?.turnId;
    const chosen = options.filter((option) => option.optionId === optionId);
    if (turnId === undefined || !chosen.every(({ kind }) => kind === 'allow_once' || kind === 'allow_always')) {
      return;
    }
    if (this.allowed?.turnId !== turnId) {
      this.allowed = { turnId, changes: [] };
    }
    this.allowed.changes.push(...(subject.content ?? []).flatMap((each) => (each.type === 'diff' ? each.changes : [])));
  }
}

/** A request often names a tool call that says more than it does itself; the card finds that by itself, the quick pick must be told. */
function wholeSubject(subject: PermissionSubject, { state }: Told): PermissionSubject {
  const slot = subject.toolCallId === undefined ? undefined : state.entries.get(entryIdOf.toolCall(subject.toolCallId));
  if (slot?.kind !== 'tool_call' || isAbsent(slot)) {
    return subject;
  }
  const own = subject.content ?? [];
  const content = own.some(isDiff) ? own : [...own, ...slot.content.filter(isDiff)];
  const { rawInput = slot.rawInput, kind = slot.toolKind } = subject;
  return {
    ...subject,
    kind,
    ...(content.length > 0 && { content }),
    locations: subject.locations?.length ? subject.locations : slot.locations,
    ...(rawInput !== undefined && { rawInput }),
  };
}

function isDiff({ type }: ToolContent): boolean {
  return type === 'diff';
}
