/**
 * The turns of one conversation (protocol page "Prompt Turn"): sends what the user says, stops it, and settles what an ended turn leaves open.
 * What was not taken of a prompt goes back to whoever wrote it.
 */
import type { Ongoing, TurnResult } from '../acp/dialect';
import type { Outcome, Settled } from '../acp/jsonrpc/rpc';
import type { ContentBlock } from '../core/model/content';
import { type Failure, isAbort } from '../core/model/failure';
import type { Disposable } from '../core/model/ports';
import { fitPrompt } from '../core/model/promptContent';
import { takesPrompts } from '../core/model/select';
import { notReady } from './sessionNotices';
import type { SessionRooms } from './clientServices';
import type { RunningAgent } from './agent/signIn';
import type { SignInFlow } from './agent/signInFlow';
import type { SessionStore } from './store';

/** Its session. */
export interface TurnsHost {
  readonly store: SessionStore;
  readonly rooms: SessionRooms;
  readonly signingIn: SignInFlow;
  /** Undefined while none runs. */
  agent(): RunningAgent | undefined;
}

type GiveBackListener = (text: string, others: readonly ContentBlock[]) => void;

export class Turns implements Disposable {
  private readonly giveBackListeners = new Set<GiveBackListener>();
  /** What the running turn was started with. */
  private prompted: { readonly turnId: string; readonly content: readonly ContentBlock[] } | undefined;
  /** A prompt that waits for the session to be brought back. */
  private unsent: readonly ContentBlock[] | undefined;
  private count = 0;
  private disposed = false;

  constructor(private readonly host: TurnsHost) {}

  /** Sends a prompt. What was wrong comes back when the session cannot take one now. */
  prompt(content: readonly ContentBlock[]): Failure | undefined {
    const { store } = this.host;
    const { state } = store;
    if (!takesPrompts(state) || !this.host.agent() || state.sessionId === undefined) {
      return notReady(state);
    }
    const { refused } = fitPrompt(content, state.promptCapabilities);
    if (refused.length > 0) {
      return { code: 'turn.not_taken', params: { types: [...new Set(refused.map(({ type }) => type))].join(', ') } };
    }
    const turnId = `turn-${store.seq}-${++this.count}`;
    this.begin(turnId, content);
    this.send(turnId, content);
    return undefined;
  }

  /** `content` waits for the session to be brought back. */
  postpone(content: readonly ContentBlock[]): void {
    this.unsent = content;
  }

  /** It is back: what waited for that is sent, or given back with the reason. */
  goOn(): Failure | undefined {
    const { unsent } = this;
    this.unsent = undefined;
    const refused = unsent && this.prompt(unsent);
    if (refused) {
      this.giveBack(unsent);
    }
    return refused;
  }

  /** Stops the running turn: open tool calls and what waits for an answer end at once, the agent confirms later. False when nobody will confirm. */
  cancel(): boolean {
    const { store, rooms, signingIn } = this.host;
    const { turn, sessionId } = store.state;
    if (!turn || turn.cancelling || sessionId === undefined) {
      return true;
    }
    store.append({ type: 'turn_cancelling' });
    if (signingIn.giveUpTurn()) {
      return false; // Nothing runs at the agent.
    }
    this.host.agent()?.dialect.cancel(sessionId);
    rooms.settleRequests('cancelled');
    return true;
  }

  /** The agent will not answer any more. What is returned is called when the conversation says so, and gives back what was not taken. */
  abandon(): () => void {
    const { status, turn } = this.host.store.state;
    const { prompted, unsent } = this;
    const isBroken = turn !== undefined && turn.turnId === prompted?.turnId && (status === 'starting' || status === 'ready');
    const untaken = [isBroken ? prompted?.content : undefined, unsent].filter((content) => content !== undefined);
    this.unsent = undefined;
    return () => untaken.forEach((content) => this.giveBack(content));
  }

  /** The user has ended the session: what waited for it is theirs again. */
  giveBackUnsent(): void {
    const { unsent } = this;
    this.unsent = undefined;
    if (unsent) {
      this.giveBack(unsent);
    }
  }

  private giveBack(content: readonly ContentBlock[]): void {
    const text = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
    const others = content.filter(({ type }) => type !== 'text');
    if (text || others.length > 0) {
      this.giveBackListeners.forEach((listener) => listener(text, others));
    }
  }

  /** What was not taken of a prompt, for the composer: its text, which may be empty, and what went with it. */
  onGiveBack(listener: GiveBackListener): Disposable {
    this.giveBackListeners.add(listener);
    return { dispose: () => void this.giveBackListeners.delete(listener) };
  }

  /** The window closes: what an agent still answers changes nothing. */
  dispose(): void {
    this.disposed = true;
    this.giveBackListeners.clear();
  }

  private begin(turnId: string, content: readonly ContentBlock[]): void {
    this.host.store.append({ type: 'turn_started', turnId }, { type: 'message', role: 'user', messageId: turnId, content });
  }

  private send(turnId: string, content: readonly ContentBlock[]): void {
    const agent = this.host.agent();
    const { sessionId, promptCapabilities, turn } = this.host.store.state;
    if (!agent || sessionId === undefined) {
      return;
    }
    if (turn?.turnId !== turnId) {
      // The conversation was told again meanwhile, without this prompt, which the agent never took.
      this.begin(turnId, content);
    }
    this.prompted = { turnId, content };
    request<TurnResult>(
      agent,
      (settled) => agent.dialect.prompt(sessionId, fitPrompt(content, promptCapabilities).content, settled),
      (outcome) => {
        // When the window closes, the journal shall say that the turn was interrupted, not that it failed.
        if (!this.disposed) {
          this.settle(turnId, content, outcome);
        }
      },
    );
  }

  private settle(turnId: string, content: readonly ContentBlock[], outcome: Outcome<TurnResult>): void {
    const { store, rooms, signingIn } = this.host;
    if (!outcome.ok) {
      this.settleFailed(turnId, content, signingIn.withMethods(outcome.failure));
      return;
    }
    const { happenings, stopReason } = outcome.value;
    store.append(...happenings, { type: 'turn_ended', turnId, stopReason });
    if (stopReason !== 'cancelled') {
      signingIn.accepted();
    }
    if (stopReason === 'refusal') {
      this.giveBack(content);
    } else if (stopReason === 'cancelled') {
      rooms.turnStopped(turnId);
    }
  }

  private settleFailed(turnId: string, content: readonly ContentBlock[], failure: Failure): void {
    const { store, rooms, signingIn } = this.host;
    const turn = store.state.turn?.turnId === turnId ? store.state.turn : undefined;
    const end = (stopReason: string, reason?: Failure): void => {
      store.append({ type: 'turn_ended', turnId, stopReason, ...(reason && { failure: reason }) });
      rooms.turnStopped(turnId);
    };
    if (turn?.cancelling && isAbort(failure)) {
      // Agents shall answer `cancelled` (page "Prompt Turn"), but some let through the error that their stopping raised.
      end('cancelled');
    } else if (turn?.cancelling && failure.code === 'auth.required') {
      end('cancelled');
      this.giveBack(content); // Not a word of it was taken.
    } else if (turn && signingIn.helps(failure)) {
      const giveUp = (): void => {
        const { turn: running } = store.state;
        if (running?.turnId === turnId) {
          end(running.cancelling ? 'cancelled' : 'error', running.cancelling ? undefined : failure);
        }
        this.giveBack(content);
      };
      signingIn.want(failure, { what: 'turn', again: () => this.send(turnId, content), giveUp });
    } else if (turn) {
      end('error', failure);
      this.giveBack(content);
    }
  }
}

/** A request during which the agent may ask something back by the request's id. */
function request<T>({ link, peer }: RunningAgent, start: (settled: Settled<T>) => Ongoing, settled: Settled<T>): void {
  let owned: Disposable | undefined = undefined;
  const { requestId } = start((outcome) => {
    owned?.dispose();
    settled(outcome);
  });
  owned = link.own(requestId, peer);
}
