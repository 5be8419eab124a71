/**
 * One conversation: where the rooms meet. Turns what the user wants into requests, what the agent does into events, and keeps nothing of the
 * conversation itself (that is the store's).
 */
import type { Dialect } from '../acp/dialect';
import type { ContentBlock } from '../core/content';
import { type Failure, failureOf } from '../core/failure';
import type { AgentLaunch, Disposable, Roots } from '../core/ports';
import { fitPrompt } from '../core/promptContent';
import { takesPrompts } from '../core/select';
import type { ViewAction } from '../core/view';
import type { AgentLink, LinkListener } from './link';
import { SessionRooms, type RoomPorts } from './rooms';
import { SessionStore } from './store';

/** What a session needs from the rest of the product. */
export interface SessionPorts extends RoomPorts {
  /** The running agent for this launch, started when nobody has it. */
  link(launch: AgentLaunch, cwd: string): AgentLink;
}

/** How long a closing agent may take to answer before it is stopped. */
const CLOSE_MS = 2000;

export class Session implements Disposable {
  readonly store: SessionStore;
  private readonly rooms: SessionRooms;
  private readonly giveBackListeners = new Set<(text: string) => void>();
  private link: AgentLink | undefined;
  private membership: Disposable | undefined;
  private claim: Disposable | undefined;
  private opening: { cancel(): void } | undefined;
  private dialect: Dialect | undefined;
  private turns = 0;
  private notices = 0;
  private disposed = false;

  constructor(
    /** Ours, not the agent's: names the journal and the panel. */
    readonly key: string,
    /** The agent's name in settings. */
    readonly agentName: string,
    readonly roots: Roots,
    private readonly ports: SessionPorts,
    /** Absent for a conversation read back from its journal: it can be read, not continued. */
    readonly launch?: AgentLaunch,
  ) {
    this.store = new SessionStore(ports.clock);
    this.rooms = new SessionRooms(key, agentName, roots, this.store, ports);
  }

  /** Starts the agent, or joins it, and asks for a session. Also after a failure: the conversation so far stays. */
  open(): void {
    const { launch } = this;
    if (!launch || this.disposed || this.membership || this.store.state.status === 'ended') {
      return;
    }
    this.store.append({
      type: 'session_opened',
      agentName: this.agentName,
      cwd: this.roots.cwd,
      ...(this.roots.additionalDirectories.length > 0 && { additionalDirectories: this.roots.additionalDirectories }),
    });
    this.link = this.ports.link(launch, this.roots.cwd);
    // The link may end while it is being joined: the membership is then already of no use.
    const membership = this.link.join(this.listener());
    if (this.store.state.status === 'failed') {
      membership.dispose();
    } else {
      this.membership = membership;
    }
  }

  /** Sends a prompt. What was wrong comes back when the session cannot take one now. */
  prompt(content: readonly ContentBlock[]): Failure | undefined {
    const { state } = this.store;
    const { sessionId } = state;
    if (!takesPrompts(state) || !this.dialect || sessionId === undefined) {
      return { code: state.turn ? 'turn.busy' : state.status === 'ended' ? 'session.ended' : 'session.not_ready' };
    }
    const fitted = fitPrompt(content, state.promptCapabilities);
    if (fitted.refused.length > 0) {
      return { code: 'turn.not_taken', params: { types: [...new Set(fitted.refused.map(({ type }) => type))].join(', ') } };
    }
    const turnId = `turn-${this.store.seq}-${++this.turns}`;
    this.store.append({ type: 'turn_started', turnId }, { type: 'message', role: 'user', messageId: turnId, content });
    const { dialect } = this;
    dialect.prompt(sessionId, fitted.content, (outcome) => {
      if (this.disposed) {
        return; // The window closes: the journal shall say that the turn was interrupted, not that it failed.
      }
      if (outcome.ok) {
        this.store.append(...outcome.value.happenings, { type: 'turn_ended', turnId, stopReason: outcome.value.stopReason });
        if (outcome.value.stopReason === 'refusal') {
          this.giveBack(content);
        } else if (outcome.value.stopReason === 'cancelled') {
          this.rooms.settlePermissions('cancelled');
        }
      } else if (this.store.state.turn?.turnId === turnId && this.store.state.turn.cancelling && isAbort(outcome.failure)) {
        // Agents shall answer `cancelled` (page "Prompt Turn"), but some let through the error that their stopping raised.
        this.store.append({ type: 'turn_ended', turnId, stopReason: 'cancelled' });
        this.rooms.settlePermissions('cancelled');
      } else if (this.store.state.turn?.turnId === turnId) {
        this.store.append({ type: 'turn_ended', turnId, stopReason: 'error', failure: withSignIn(outcome.failure, dialect) });
        this.rooms.settlePermissions('cancelled');
        this.giveBack(content);
      }
    });
    return undefined;
  }

  /** Stops the running turn: open tool calls and permission requests end at once, the agent confirms later. */
  cancel(): void {
    const { turn, sessionId } = this.store.state;
    if (!turn || turn.cancelling || sessionId === undefined) {
      return;
    }
    this.store.append({ type: 'turn_cancelling' });
    this.dialect?.cancel(sessionId);
    this.rooms.settlePermissions('cancelled');
  }

  /** False when the answer came too late. */
  answerPermission(permissionId: string, optionId: string): boolean {
    return this.ports.permissions.answer(this.key, permissionId, optionId);
  }

  setConfig(configId: string, value: string | boolean): void {
    const { sessionId, config } = this.store.state;
    if (!this.dialect || sessionId === undefined) {
      return;
    }
    this.dialect.setConfig(sessionId, configId, value, (outcome) => {
      if (outcome.ok) {
        this.store.append(...outcome.value);
      } else {
        const name = config.find((option) => option.configId === configId)?.name ?? configId;
        this.notice(name, outcome.failure);
      }
    });
  }

  stopTerminal(terminalId: string): void {
    this.rooms.stopTerminal(terminalId).catch((error: unknown) => this.notice(terminalId, failureOf(error)));
  }

  /** Actions of the view that are the session's own; false for those of the workbench. */
  act(action: ViewAction): boolean {
    switch (action) {
      case 'retry':
      case 'restart':
        this.open();
        return true;
      case 'cancel_start':
        if (this.store.state.status === 'starting') {
          this.fail({ code: 'agent.start_cancelled' });
        }
        return true;
      case 'end_session':
        void this.end();
        return true;
      default:
        return false;
    }
  }

  /** Text that was not taken, for the composer. */
  onGiveBack(listener: (text: string) => void): Disposable {
    this.giveBackListeners.add(listener);
    return { dispose: () => void this.giveBackListeners.delete(listener) };
  }

  /** The user is done with it: stops the turn, closes the session at the agent, and stops the process when it was the last. */
  async end(): Promise<void> {
    if (this.store.state.status === 'ended') {
      return;
    }
    this.cancel();
    const { dialect } = this;
    const { sessionId, status } = this.store.state;
    this.store.append({ type: 'session_ended' });
    if (status === 'ready' && sessionId !== undefined && dialect?.closeSession) {
      const close = dialect.closeSession.bind(dialect);
      await new Promise<void>((resolve) => {
        const limit = this.ports.clock.after(CLOSE_MS, resolve);
        close(sessionId, () => {
          limit.dispose();
          resolve();
        });
      });
    }
    this.leave();
  }

  /** The window closes: what runs is stopped, nothing more is said to the agent. */
  dispose(): void {
    this.disposed = true;
    this.leave();
    this.rooms.dispose();
    this.giveBackListeners.clear();
  }

  private listener(): LinkListener {
    return {
      onProgress: (command, line) => {
        if (this.store.state.status === 'starting') {
          this.store.append({ type: 'start_progress', command, ...(line !== undefined && { line }) });
        }
      },
      onReady: (dialect) => this.onAgent(dialect),
      onEnd: (failure) => this.fail(failure),
    };
  }

  private onAgent(dialect: Dialect): void {
    const { link } = this;
    this.dialect = dialect;
    this.store.append({
      type: 'agent_initialized',
      protocolVersion: dialect.protocolVersion,
      promptCapabilities: dialect.promptCapabilities,
      authMethods: dialect.authMethods,
      ...(dialect.agent && { agent: dialect.agent }),
    });
    this.opening = dialect.newSession(this.roots, (outcome) => {
      this.opening = undefined;
      if (!outcome.ok) {
        this.fail(withSignIn(outcome.failure, dialect));
      } else if (link) {
        const { sessionId, happenings } = outcome.value;
        this.rooms.open();
        this.claim = link.claim(sessionId, this.rooms.peer);
        // A new session at the agent, under an old conversation: what stands above is not known to it.
        const isAgain = this.store.state.sessionId !== undefined;
        this.store.append(...happenings, { type: 'session_ready', sessionId });
        if (isAgain) {
          const noticeId = `restart-${this.store.seq}`;
          this.store.append({ type: 'notice', noticeId, severity: 'info', title: '', failure: { code: 'session.restarted' } });
        }
      }
    });
  }

  /** The agent is gone, or never came, or was not waited for. */
  private fail(failure: Failure): void {
    const { status } = this.store.state;
    if (status === 'starting') {
      this.store.append({ type: 'session_failed', failure });
    } else if (status === 'ready') {
      const lost = this.store.state.turn && lastPrompt(this.store);
      this.store.append({ type: 'disconnected', failure });
      if (lost) {
        this.giveBack(lost);
      }
    }
    this.leave();
  }

  private leave(): void {
    this.opening?.cancel();
    this.opening = undefined;
    this.claim?.dispose();
    this.claim = undefined;
    this.dialect = undefined;
    this.rooms.close();
    const { membership } = this;
    this.membership = undefined;
    this.link = undefined;
    membership?.dispose();
  }

  private notice(title: string, failure: Failure): void {
    this.store.append({ type: 'notice', noticeId: `notice-${this.store.seq}-${++this.notices}`, severity: 'error', title, failure });
  }

  private giveBack(content: readonly ContentBlock[]): void {
    const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
    if (text) {
      this.giveBackListeners.forEach((listener) => listener(text));
    }
  }
}

/** An agent that wants a sign-in does not say how: that was in its answer to `initialize` (protocol page "Authentication"). */
function withSignIn(failure: Failure, { authMethods }: Dialect): Failure {
  if (failure.code !== 'auth.required' || authMethods.length === 0) {
    return failure;
  }
  return { ...failure, params: { ...failure.params, methods: authMethods.map(({ name }) => name).join(', ') } };
}

function isAbort({ code, detail = '' }: Failure): boolean {
  return code === 'request.cancelled' || (code === 'request.failed' && /\b(abort|cancel|interrupt)/i.test(detail));
}

/** The content of the running turn's prompt. */
function lastPrompt(store: SessionStore): readonly ContentBlock[] | undefined {
  const { turn, entries } = store.state;
  const slot = turn && entries.get(`user:${turn.turnId}`);
  return slot?.kind === 'message' && 'content' in slot ? slot.content : undefined;
}
