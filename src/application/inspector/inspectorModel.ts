/** The agents of the inspector, and the answers to its page. Without VS Code, so that tests can run it. */
import { frameOptionsOf } from '../../acp/trace/frameOptions';
import { indentJson } from '../../acp/json/indent';
import type { ProtocolSchema } from '../../acp/inspector/frameSchema';
import type { AgentTrace, Traces } from '../../acp/trace/traces';
import type { FromInspectorPage, InspectorAgent, ToInspectorPage } from '../../core/inspector/inspectorPage';
import type { Clock } from '../../core/platform/clock';
import type { Disposable } from '../../core/platform/disposable';
import { oneLine } from '../../text/characters/textSafety';
import { inOrder } from '../export/traceRows';
import type { TranslateVerbatim } from '../shared/translate';
import { frameDetail } from './frameDetail';
import { InspectorFeed } from './inspectorFeed';

export interface InspectorModelDependencies {
  readonly traces: Pick<Traces, 'all' | 'onDidChange'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly t: TranslateVerbatim;
  /** A locale for times. */
  readonly language: string;
  /** Returns the agent of the session in front, which the user most likely means. */
  active(): { readonly agentId: string; readonly cwd: string } | undefined;
  /** Reads the protocol's schema. */
  schema(version: 1 | 2): Promise<ProtocolSchema | undefined>;
  send(message: ToInspectorPage): void;
  /** Opens the messages of the agent as a conversation. */
  replay(agent: AgentTrace): void;
  export(agent: AgentTrace): void;
  copy(text: string): Promise<void>;
}

const MAX_NAME = 100;

export class InspectorModel implements Disposable {
  private readonly keys = new WeakMap<AgentTrace, string>();
  private readonly listening: Disposable;
  private count = 0;
  private selected: AgentTrace | undefined;
  private feed: InspectorFeed | undefined;
  private isShown = false;

  constructor(private readonly deps: InspectorModelDependencies) {
    this.listening = deps.traces.onDidChange(() => this.changed());
  }

  async receive(message: FromInspectorPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.isShown = true;
        return this.start(this.current());
      case 'select':
        return this.start(this.deps.traces.all.find((agent) => this.keyOf(agent) === message.key) ?? this.current());
      case 'open':
        return this.open(message.id);
      case 'copy':
        return this.copy(message.id);
      case 'drawn':
        this.feed?.drawn();
        return;
      case 'search':
        this.feed?.search(message.query);
        return;
      case 'replay':
        return void (this.selected && this.deps.replay(this.selected));
      case 'export':
        return void (this.selected && this.deps.export(this.selected));
    }
  }

  /** Stops sending: the page is not on the screen. It says `ready` when it is created again. */
  hide(): void {
    this.isShown = false;
    this.feed?.dispose();
    this.feed = undefined;
  }

  /** Selects an agent, also before the page is there. */
  select(agent: AgentTrace): void {
    this.selected = agent;
    if (this.isShown) {
      this.start(agent);
    }
  }

  dispose(): void {
    this.listening.dispose();
    this.feed?.dispose();
  }

  /** The selected agent while it is there, otherwise the one that the user most likely means. */
  private current(): AgentTrace | undefined {
    const { traces, active } = this.deps;
    return traces.all.find((agent) => agent === this.selected) ?? inOrder(traces.all, active())[0];
  }

  private start(agent: AgentTrace | undefined): void {
    this.feed?.dispose();
    this.feed = undefined;
    this.selected = agent;
    this.sendAgents();
    if (agent) {
      this.deps.send({ type: 'reset', limit: limitText(agent, this.deps.t) });
      this.feed = new InspectorFeed(agent, this.deps.send, this.deps.clock);
    }
  }

  private changed(): void {
    if (!this.isShown) {
      return;
    }
    if (this.selected) {
      this.sendAgents();
    } else {
      this.start(this.current());
    }
  }

  private sendAgents(): void {
    const agents = inOrder(this.deps.traces.all, this.deps.active()).map((agent) => this.row(agent));
    // An agent that has ended long ago is still shown, while its page is open.
    const isListed = this.selected && agents.some(({ key }) => key === this.keyOf(this.selected!));
    const all = this.selected && !isListed ? [...agents, this.row(this.selected)] : agents;
    this.deps.send({ type: 'agents', agents: all, selected: this.selected && this.keyOf(this.selected) });
  }

  private row(agent: AgentTrace): InspectorAgent {
    const { t, language } = this.deps;
    const { agentName, startedAt, endedAt, hops } = agent;
    const time = (at: number): string => new Date(at).toLocaleTimeString(language);
    return {
      key: this.keyOf(agent),
      name: oneLine(agentName, MAX_NAME),
      status: endedAt === undefined ? t('Running since {time}', { time: time(startedAt) }) : t('Ended at {time}', { time: time(endedAt) }),
      hops: hops.map(({ hop }) => oneLine(hop, MAX_NAME)),
    };
  }

  private async open(id: number): Promise<void> {
    const { deps, feed } = this;
    const found = feed?.find(id);
    if (!feed || !found) {
      deps.send({ type: 'frame', id, text: '', marks: [], verdict: deps.t('This message is no longer kept.') });
      return;
    }
    const schema = await deps.schema(found.version);
    if (this.feed === feed) {
      const { redaction } = feed.agent;
      deps.send(frameDetail(found.entry, { row: found.row, redaction, schema, version: found.version }, deps.t));
    }
  }

  private async copy(id: number): Promise<void> {
    const { feed, deps } = this;
    const found = feed?.find(id);
    if (feed && found) {
      const { redaction } = feed.agent;
      const { text, kind } = found.entry;
      const isFrame = kind === 'a2c' || kind === 'c2a';
      const shown = isFrame ? redaction.frame(text, frameOptionsOf(found.entry, found.row.hop !== undefined)) : redaction.text(text);
      await deps.copy(isFrame ? indentJson(shown, Infinity).lines.join('\n') : shown);
      deps.send({ type: 'say', text: deps.t('Message copied.') });
    }
  }

  private keyOf(agent: AgentTrace): string {
    const known = this.keys.get(agent) ?? `t${++this.count}`;
    this.keys.set(agent, known);
    return known;
  }
}

function limitText({ hops }: AgentTrace, t: TranslateVerbatim): string {
  return hops.length === 0
    ? t('The last 4,000 messages are kept, 16 MB at most.')
    : t('The last 4,000 messages are kept, 16 MB at most, and 2,000 of each program between.');
}
