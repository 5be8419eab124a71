/** The sessions that the page can switch between, and the host's side of switching: the same messages, with the same generations. */
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
  /** False simulates a host that has stopped. */
  answers = true;

  /**
   * @param first the key of the session that is shown first
   * @param deliver sends a message to the page
   */
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

  /** The generation that the page shows at present. */
  get current(): number {
    return this.generation;
  }

  /** Returns the session of this key, and creates it when there is none. It continues whether it is shown or not. */
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

  /** Shows this session in the page. @param state the state that another page has stored for it */
  switchTo(key: string, state?: string): void {
    this.shown = key;
    this.state = state;
    if (this.isReady) {
      this.begin();
    }
  }

  /** Receives a message from the page. */
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
      // The user's text is stored for its session; other messages of a hidden session are dropped.
      if (key !== undefined && (generation === this.generation || intent.type === 'draft' || intent.type === 'page_state')) {
        this.stage(key).receive(intent as FromView);
      }
    }
  }

  /** Shows the welcome page instead of a session. Its requests go to the session that was shown before. */
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
