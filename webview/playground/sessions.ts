/** The sessions that the page can be switched between, and the host's end of the switching: the same messages, under the same numbers. */
import { generationOf, type OfGeneration } from '../../src/core/protocol/generation';
import type { FromView, ToView } from '../../src/core/protocol/view';
import { Stage } from './stage';

export class PlaygroundSessions {
  private readonly stages = new Map<string, Stage>();
  private readonly generations = new Map<number, string>();
  private shown: string;
  private state: string | undefined;
  private generation = 0;
  private isReady = false;
  /** False: the host is gone. */
  answers = true;

  /** @param first the key of the session that is shown first @param deliver brings a message to the page */
  constructor(
    first: string,
    private readonly deliver: (message: ToView) => void,
  ) {
    this.shown = first;
  }

  /** The key of the session that is shown. */
  get key(): string {
    return this.shown;
  }

  get keys(): readonly string[] {
    return [...this.stages.keys()];
  }

  /** The number of the present showing. */
  get current(): number {
    return this.generation;
  }

  /** The session of this key, made when there is none. It goes on, whether it is shown or not. */
  stage(key: string): Stage {
    const known = this.stages.get(key);
    if (known) {
      return known;
    }
    const stage = new Stage(
      (message) => key === this.shown && this.deliver({ ...message, generation: this.generation } as OfGeneration<ToView>),
      () => Date.now(),
    );
    this.stages.set(key, stage);
    return stage;
  }

  /** Shows this session in the page. @param state what another page has kept of it */
  switchTo(key: string, state?: string): void {
    this.shown = key;
    this.state = state;
    if (this.isReady) {
      this.begin();
    }
  }

  /** What the page posted. */
  receive(message: FromView): void {
    const generation = generationOf(message);
    if (!this.answers) {
      return;
    }
    if (message.type === 'ping') {
      this.deliver({ type: 'pong', pingId: message.pingId });
    } else if (message.type === 'ready') {
      this.isReady = true;
      this.begin();
    } else if (generation === undefined) {
      this.stage(this.shown).receive(message);
    } else {
      const key = this.generations.get(generation);
      const { generation: _, ...intent } = message as FromView & { generation: number };
      // The user's text is whose it is; nobody waits for the rest.
      if (key !== undefined && (generation === this.generation || intent.type === 'draft' || intent.type === 'page_state')) {
        this.stage(key).receive(intent as FromView);
      }
    }
  }

  /** Shows none, but what one can begin with. What is wanted there is the first session's. */
  showNone(): void {
    this.generations.set(++this.generation, this.shown);
    this.deliver({ type: 'no_session', location: 'editor', generation: this.generation } as OfGeneration<ToView>);
  }

  private begin(): void {
    this.generations.set(++this.generation, this.shown);
    const stage = this.stage(this.shown);
    const { state } = this;
    this.state = undefined;
    stage.send({ type: 'session', sessionKey: this.shown, ...(state !== undefined && { state }) });
    stage.receive({ type: 'ready' });
    stage.send({ type: 'page', folderName: 'sample', multiRoot: false });
  }
}
