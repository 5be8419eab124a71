/**
 * The interfaces to the embedder of a session's view and of the page, with four methods each. The embedder is VS Code, or memory in tests and the
 * playground.
 */
import type { OfGeneration } from '../../src/core/protocol/generation';
import type { FromView, ToView } from '../../src/core/protocol/view';

export interface ViewHost {
  /** Sends an intent. Never throws; a message to a host that has stopped is lost. */
  post(message: FromView): void;
  /** One listener, called for each message in order. */
  onMessage(listener: (message: ToView) => void): void;
  /** The state that {@link save} has stored, or undefined. It comes from storage, so check it before use. */
  load(): unknown;
  /** Stores plain JSON for the next time this page opens. */
  save(state: unknown): void;
}

/**
 * The embedder of the whole page. Its messages name the session and the generation of the page that they belong to, see
 * `core/protocol/generation.ts`.
 */
export interface PageHost {
  post(message: FromView | OfGeneration<FromView>): void;
  onMessage(listener: (message: ToView) => void): void;
  load(): unknown;
  save(state: unknown): void;
}

export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

/** A VS Code webview. `page` (the session's key and the like) is stored beside the page's state, so that a restored panel knows its session. */
export class VsCodeHost implements PageHost {
  constructor(
    private readonly api: VsCodeApi,
    private readonly page: Readonly<Record<string, unknown>> = {},
  ) {
    if (api.getState() === undefined) {
      this.save(undefined);
    }
  }

  post(message: FromView): void {
    this.api.postMessage(message);
  }

  onMessage(listener: (message: ToView) => void): void {
    listenTo(window, listener);
  }

  load(): unknown {
    const state = this.api.getState();
    return typeof state === 'object' && state !== null ? (state as { view?: unknown }).view : undefined;
  }

  save(view: unknown): void {
    const isKept = typeof view === 'object' && view !== null;
    const shown = isKept ? (view as { shown?: unknown }).shown : this.page['sessionKey'];
    // A page without a session is restored without one.
    this.api.setState({ ...this.page, sessionKey: typeof shown === 'string' ? shown : undefined, view });
  }
}

/** Both ends in one page: messages of the view go to `receive`, and messages of the other end arrive through {@link deliver}. */
export class MemoryHost implements ViewHost, PageHost {
  private listener: ((message: ToView) => void) | undefined;
  private readonly early: ToView[] = [];

  constructor(
    private readonly receive: (message: FromView) => void,
    private readonly storage: { read(): unknown; write(state: unknown): void } = memoryStorage(),
  ) {}

  post(message: FromView): void {
    // Copies through JSON like the real channel, so that data which JSON cannot express fails here too.
    const copy = JSON.parse(JSON.stringify(message)) as FromView;
    queueMicrotask(() => this.receive(copy));
  }

  onMessage(listener: (message: ToView) => void): void {
    this.listener = listener;
    for (const message of this.early.splice(0)) {
      listener(message);
    }
  }

  load(): unknown {
    return this.storage.read();
  }

  save(state: unknown): void {
    this.storage.write(state);
  }

  /** Sends a message to the view; buffered until the view listens. */
  deliver(message: ToView): void {
    if (this.listener) {
      this.listener(message);
    } else {
      this.early.push(message);
    }
  }
}

function memoryStorage(): { read(): unknown; write(state: unknown): void } {
  let kept: unknown;
  return { read: () => kept, write: (state) => void (kept = state) };
}

function listenTo(target: Window, listener: (message: ToView) => void): void {
  target.addEventListener('message', (event) => {
    const message: unknown = event.data;
    if (typeof message === 'object' && message !== null && typeof (message as { type?: unknown }).type === 'string') {
      listener(message as ToView);
    }
  });
}
