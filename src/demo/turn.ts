/** One turn's output. Everything that the guide says passes through it, so that Stop works at every point and the usage is counted in one place. */
import { methods } from '@agentclientprotocol/sdk';
import type { AgentContext, ContentBlock, PlanEntry, SessionUpdate, ToolCall, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import { paceOf } from './config';
import type { Settings } from './config';

/** Thrown by all methods of a turn after it was cancelled. */
export class Cancelled extends Error {}

export type PlanStatus = PlanEntry['status'];

export class Turn {
  private planSteps: { content: string; status: PlanStatus }[] = [];
  private readonly cleanups = new Set<() => Promise<unknown>>();

  constructor(
    readonly client: AgentContext,
    readonly sessionId: string,
    readonly settings: Settings,
    readonly signal: AbortSignal,
    /** Counts the characters that a model would have received or sent. */
    private readonly count: (characters: number) => void,
  ) {}

  /** Streams markdown like a model does: in pieces of a word or two. */
  async say(markdown: string): Promise<void> {
    await this.stream('agent_message_chunk', markdown);
  }

  /** Works like {@link say}, if the user wants each step explained. */
  async explain(markdown: string): Promise<void> {
    if (this.settings.explain) {
      await this.say(markdown);
    }
  }

  /** Streams a thought, if the user wants to see thoughts. */
  async think(text: string): Promise<void> {
    if (this.settings.thinking !== 'off') {
      await this.stream('agent_thought_chunk', text);
    }
  }

  private async stream(sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', text: string): Promise<void> {
    for (const piece of text.match(/\s*\S+(?:\s+\S+)?(?:\s+$)?/g) ?? []) {
      await this.update({ sessionUpdate, content: { type: 'text', text: piece } });
      await this.pause(paceOf(this.settings));
    }
    this.count(text.length);
  }

  /** Shows a plan. Every later call of {@link advance} sends it whole again, as the protocol requires. */
  async plan(...steps: string[]): Promise<void> {
    this.planSteps = steps.map((content) => ({ content, status: 'pending' }));
    await this.sendPlan();
  }

  /** Completes the step in progress and begins the next one. */
  async advance(): Promise<void> {
    const current = this.planSteps.find(({ status }) => status === 'in_progress');
    if (current) {
      current.status = 'completed';
    }
    const next = this.planSteps.find(({ status }) => status === 'pending');
    if (next) {
      next.status = 'in_progress';
    }
    await this.sendPlan();
  }

  private async sendPlan(): Promise<void> {
    if (this.planSteps.length === 0) {
      return;
    }
    const entries = this.planSteps.map((step, index) => ({ ...step, priority: index === 0 ? ('high' as const) : ('medium' as const) }));
    await this.update({ sessionUpdate: 'plan', entries });
  }

  async startTool(tool: ToolCall): Promise<void> {
    await this.update({ sessionUpdate: 'tool_call', ...tool });
  }

  async updateTool(update: ToolCallUpdate): Promise<void> {
    await this.update({ sessionUpdate: 'tool_call_update', ...update });
  }

  async update(update: SessionUpdate): Promise<void> {
    this.check();
    await this.client.notify(methods.client.session.update, { sessionId: this.sessionId, update });
  }

  /** Waits for a response of the client, or throws {@link Cancelled} as soon as the turn is cancelled. */
  async wait<T>(answer: Promise<T>): Promise<T> {
    this.check();
    let stop = (): void => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(new Cancelled());
      this.signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([answer, stopped]);
    } catch (error) {
      // A response that fails because the turn was cancelled needs no message of its own.
      throw this.signal.aborted ? new Cancelled() : error;
    } finally {
      this.signal.removeEventListener('abort', stop);
    }
  }

  async pause(ms: number): Promise<void> {
    this.check();
    if (ms > 0) {
      await delay(ms, undefined, { signal: this.signal }).catch(() => this.check());
    }
  }

  /** Registers a cleanup for the end of the turn. The returned function removes it. */
  onEnd(cleanup: () => Promise<unknown>): () => void {
    this.cleanups.add(cleanup);
    return () => this.cleanups.delete(cleanup);
  }

  async end(): Promise<void> {
    // A disconnected client cannot respond, and nothing is left to clean up there.
    await Promise.allSettled([...this.cleanups].map((cleanup) => cleanup()));
    this.cleanups.clear();
  }

  private check(): void {
    if (this.signal.aborted) {
      throw new Cancelled();
    }
  }
}

/** Returns a text block for a tool call's content. */
export function text(value: string): { type: 'content'; content: ContentBlock } {
  return { type: 'content', content: { type: 'text', text: value } };
}
