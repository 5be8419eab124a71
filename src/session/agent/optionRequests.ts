/** Requests that set the agent's options. A message waits for them, because it must not reach another model or mode than the user sees chosen. */
import { nextDefault } from '../../core/preferences/agentPreferences';
import type { EventInput } from '../../core/model/event';
import type { Failure } from '../../core/model/failure';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { choosesEarly } from '../../core/model/select';
import type { AgentAttachment } from './agentAttachment';
import type { SessionNotices } from '../state/sessionNotices';
import type { SessionStore } from '../state/store';
import type { SignInFlow } from './signInFlow';

/** ms that a message waits, for all options together, before the user is asked. */
const OVERDUE_MS = 5000;
/** Causes of a refusal that are temporary. */
const TRANSIENT: ReadonlySet<unknown> = new Set(['rate_limit', 'overloaded', 'network', 'proxy', 'service']);

type Value = string | boolean;

export interface OptionRequestDependencies {
  readonly store: SessionStore;
  readonly notices: SessionNotices;
  readonly clock: Clock;
  readonly signIn: SignInFlow;
  /** Undefined while there is no agent. */
  attachment(): AgentAttachment | undefined;
  /** Reports that the agent has refused a value. `current`: the value that stays set, if it is known. */
  refused?(configId: string, value: Value, current: Value | undefined): void;
  /** Sends the messages that waited. */
  sendQueued(): void;
}

export class OptionRequests {
  /** The values that the agent has not confirmed, by option. The object identifies the newest request of the option. */
  private readonly pending = new Map<string, { readonly value: Value }>();
  private timer: Disposable | undefined;
  private isOverdue = false;
  /** Called once when the values of {@link setAll} are set, or the user does not wait for them. */
  private whenSet: (() => void) | undefined;
  /** The values that {@link setAll} has not requested yet. */
  private left: Record<string, Value> = {};

  constructor(private readonly deps: OptionRequestDependencies) {}

  /** Sets one option. A request that fails because the user is not signed in is repeated after the sign-in. */
  set(configId: string, value: Value): void {
    delete this.left[configId];
    if (this.agent) {
      this.expect({ [configId]: value });
      this.request(configId, value, () => this.deps.sendQueued());
    } else if (choosesEarly(this.deps.store.state)) {
      // The choice is stored as the user's last one, with which the session begins.
      this.deps.store.append({ type: 'config_value', configId, value });
    }
  }

  /**
   * Sets the options that the agent has, one after the other: one can change what another offers. Then calls `whenSet`, and sends the messages that
   * waited.
   */
  setAll(values: Readonly<Record<string, Value>>, whenSet: () => void): void {
    const { store, sendQueued } = this.deps;
    this.whenSet = whenSet;
    const left = (this.left = { ...values });
    const expected: Record<string, Value> = {};
    for (const option of store.state.config) {
      const wanted = this.agent && nextDefault([option], values);
      if (wanted) {
        expected[wanted.configId] = wanted.value;
      }
    }
    const tokens = this.expect(expected);
    const next = (): void => {
      const option = this.agent && nextDefault(store.state.config, left);
      if (!option) {
        // The agent no longer offers the rest.
        tokens.forEach(([configId, token]) => this.settle(configId, token));
        this.valuesSet();
        return sendQueued();
      }
      delete left[option.configId];
      this.request(option.configId, option.value, next);
    };
    next();
  }

  /** Stops waiting for overdue options: the user sends the messages without them. */
  giveUp(): void {
    if (this.isOverdue) {
      const { whenSet } = this;
      this.reset();
      whenSet?.();
    }
  }

  /** Forgets the requests to an agent that has ended. */
  reset(): void {
    this.whenSet = undefined;
    this.pending.clear();
    this.report();
  }

  private valuesSet(): void {
    const { whenSet } = this;
    this.whenSet = undefined;
    whenSet?.();
  }

  private get agent(): boolean {
    return this.deps.store.state.sessionId !== undefined && this.deps.attachment()?.agent !== undefined;
  }

  private request(configId: string, value: Value, done: () => void): void {
    const { store, notices, signIn, attachment } = this.deps;
    const stay = attachment();
    const { sessionId } = store.state;
    if (!stay?.agent || sessionId === undefined) {
      return;
    }
    const token = this.pending.get(configId);
    const settled = stay.whileAttached<readonly EventInput[]>((outcome) => {
      if (!outcome.ok && outcome.failure.code === 'request.timeout' && this.isOverdue) {
        return; // Reported already. The messages wait for the user.
      }
      if (outcome.ok) {
        store.append(...outcome.value);
      } else if (signIn.helps(outcome.failure)) {
        // After the sign-in, it is repeated before the prompt that waits.
        this.whenSet = undefined;
        signIn.want(outcome.failure, { what: 'config', configId, value });
      } else {
        notices.warnOfConfig(configId, value, outcome.failure);
        this.refused(configId, value, outcome.failure);
      }
      this.settle(configId, token);
      done();
    });
    stay.agent.dialect.setConfig(sessionId, configId, value, settled);
  }

  /** Reports a value that the agent refuses permanently, so that the next session does not set it either. */
  private refused(configId: string, value: Value, failure: Failure): void {
    if (failure.code === 'request.failed' && !TRANSIENT.has(failure.params?.['cause'])) {
      const option = this.deps.store.state.config.find((each) => each.configId === configId);
      this.deps.refused?.(configId, value, option?.type === 'unknown' ? undefined : option?.currentValue);
    }
  }

  private expect(values: Readonly<Record<string, Value>>): [string, { readonly value: Value }][] {
    const tokens = Object.entries(values).map(([configId, value]): [string, { readonly value: Value }] => [configId, { value }]);
    tokens.forEach(([configId, token]) => this.pending.set(configId, token));
    if (tokens.length > 0) {
      // The time limit starts again with each request.
      this.isOverdue = false;
      this.timer?.dispose();
      this.timer = this.deps.clock.after(OVERDUE_MS, () => this.overdue());
      this.report();
    }
    return tokens;
  }

  private settle(configId: string, token: { readonly value: Value } | undefined): void {
    if (token && this.pending.get(configId) === token) {
      this.pending.delete(configId);
      this.report();
    }
  }

  private overdue(): void {
    this.isOverdue = true;
    for (const [configId, { value }] of this.pending) {
      this.deps.notices.warnOfConfig(configId, value, {
        code: 'request.timeout',
        params: { method: 'session/set_config_option', ms: OVERDUE_MS },
      });
    }
    this.report();
  }

  private report(): void {
    if (this.pending.size === 0) {
      this.timer?.dispose();
      this.isOverdue = false;
    }
    const options = [...this.pending].map(([configId, { value }]) => ({ configId, value }));
    const { store } = this.deps;
    if (options.length > 0 || store.state.pendingConfig) {
      store.append({ type: 'config_pending', options, ...(this.isOverdue && { overdue: true }) });
    }
  }
}
