/**
 * The view in real Chromium: the playground's bundle in the same document, with the same content security policy, as in the panel. One
 * build, server and browser per run of the tier.
 */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, ConsoleMessage, Dialog, Frame, Page, Request } from 'playwright-core';
import type { EventInput } from '../../../src/core/model/event';
import type { FromView, ToView } from '../../../src/core/protocol/view';
import type { Stage } from '../../../webview/playground/stage';
import type { Player } from '../../../webview/playground/player';
import type { PlaygroundSessions } from '../../../webview/playground/sessions';
import { keepPicture, leaveUndrawn, root, startBrowser, stopBrowser } from '../../support/browser';

export { keepPicture, root };

after(async () => {
  spare = undefined;
  await stopBrowser();
});

declare global {
  interface Window {
    playground: {
      stage: Stage;
      player: Player;
      sessions: PlaygroundSessions;
      deliver: (message: ToView) => void;
      applyTheme: (name: string) => void;
      whole: () => Promise<void>;
      loaded: () => void;
      begin: (key: string) => boolean;
    };
  }
}

/** No animations: they cost an eighth of a processor while an agent works. A test of motion sets `no-preference`. */
const STILL = { reducedMotion: 'reduce' } as const;

type ContextOptions = NonNullable<Parameters<Browser['newContext']>[0]>;

/** A page with its context, created with these options. The size is not part of them. */
interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly options: string;
}

/**
 * A page that a view has left in its loaded state. A navigation takes a quarter of the processor time that a page in a new context takes.
 */
let spare: Opened | undefined;
let views = 0;
let sessions = 0;

const VIEWPORT = { width: 900, height: 800 };

/** A view in a document of its own, and its host side. */
export class View {
  /** Violations of the content security policy, uncaught errors, requests that left the page, navigations and dialogs. */
  readonly offences: string[] = [];
  readonly page: Page;
  private readonly context: BrowserContext;
  /** Callbacks that run when the view leaves its page. */
  private readonly leave: (() => void)[] = [];
  /** True when the test changed something that the next document in this page would inherit. */
  private altered = false;

  private constructor(
    private readonly opened: Opened,
    private readonly address: string,
  ) {
    this.page = opened.page;
    this.context = opened.context;
  }

  /** `query` is the playground's query string. Without one the view waits for the test's events. */
  static async open(query = '', { viewport = VIEWPORT, ...given }: ContextOptions = {}): Promise<View> {
    const { browser, address } = await startBrowser();
    const size = viewport ?? VIEWPORT;
    const options = { ...STILL, ...given };
    const key = JSON.stringify(options);
    const left = spare;
    spare = undefined;
    if (left && left.options !== key) {
      await left.context.close();
    } else if (left) {
      const view = new View(left, address);
      try {
        await left.page.setViewportSize(size);
        await view.load(query);
        return view;
      } catch {
        // The previous test left its page unusable: open a new one.
        await view.discard();
      }
    }
    const context = await browser.newContext({ viewport: size, ...options });
    const view = new View({ page: await context.newPage(), context, options: key }, address);
    await view.prepare();
    // The focus begins where the test puts it: the text box would take the page's focus.
    await view.page.addInitScript('document.hasFocus = () => false');
    await view.load(query);
    return view;
  }

  /**
   * Like {@link open}, with a new session. Reuses the previous test's document if it is still in its loaded state: another session takes an
   * eighth of the processor time of another document.
   */
  static async session(): Promise<View> {
    if (spare?.options !== JSON.stringify(STILL)) {
      return View.open();
    }
    const { address } = await startBrowser();
    const view = new View(spare, address);
    spare = undefined;
    view.watch();
    try {
      await view.page.mouse.move(-1, -1);
      await view.page.setViewportSize(VIEWPORT);
      if (await view.page.evaluate((key) => window.playground.begin(key), `session-${++sessions}`)) {
        view.noticeAlterations();
        return view;
      }
    } catch {}
    view.leave.splice(0).forEach((each) => each());
    spare = view.opened;
    return View.open();
  }

  /** Like {@link open} in a page of its own, without waiting for the page's script. `before` sees the page before it loads anything. */
  static async document(
    query = '',
    options: ContextOptions = {},
    before: (page: Page) => Promise<void> = () => Promise.resolve(),
  ): Promise<View> {
    const { browser, address } = await startBrowser();
    const context = await browser.newContext({ viewport: VIEWPORT, ...STILL, ...options });
    const view = new View({ page: await context.newPage(), context, options: '' }, address);
    view.altered = true;
    await view.prepare();
    view.watch();
    await before(view.page);
    await view.page.goto(`${address}/?bare&${query}`);
    return view;
  }

  /** Waits until everything that the page loads unasked is loaded. */
  async whole(): Promise<void> {
    await this.page.evaluate(() => window.playground.whole());
  }

  /** Waits until the page's script has started. */
  async started(): Promise<void> {
    await this.page.waitForFunction(() => 'playground' in window && window.playground.stage.posted.length > 0);
  }

  async close(): Promise<void> {
    if (this.altered || spare || this.context.pages().length > 1) {
      await this.discard();
    } else {
      this.leave.splice(0).forEach((each) => each());
      spare = this.opened;
    }
  }

  private async discard(): Promise<void> {
    this.leave.splice(0).forEach((each) => each());
    await this.context.close();
  }

  private async load(query: string): Promise<void> {
    const { page } = this;
    this.watch();
    // A pointer left over an element by the previous test would hover there.
    await page.mouse.move(-1, -1);
    await page.goto(`${this.address}/?bare&${query}&view=${++views}`);
    await this.started();
    await this.whole();
    await page.evaluate(() => window.playground.loaded());
    this.noticeAlterations();
  }

  private noticeAlterations(): void {
    const { page } = this;
    const alter = (target: object, name: string): void => {
      const original = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      Reflect.set(target, name, (...args: unknown[]) => {
        this.altered = true;
        return original.apply(target, args);
      });
      this.leave.push(() => void Reflect.deleteProperty(target, name));
    };
    ['addInitScript', 'emulateMedia', 'exposeFunction', 'on', 'once', 'route'].forEach((name) => alter(page, name));
    ['addInitScript', 'grantPermissions', 'newCDPSession', 'newPage', 'on', 'route'].forEach((name) => alter(this.context, name));
    ['install', 'setFixedTime'].forEach((name) => alter(page.clock, name));
  }

  /** Sets up everything that applies to every document in the page. */
  private async prepare(): Promise<void> {
    const { page } = this;
    // Shorter than a test's own timeout, so that a failure names the awaited condition.
    page.setDefaultTimeout(20_000);
    await leaveUndrawn(page);
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`));
      // A draft must survive a reload, but not its view.
      const view = new URLSearchParams(location.search).get('view');
      if (view !== null && sessionStorage.getItem('view') !== view) {
        sessionStorage.clear();
        sessionStorage.setItem('view', view);
      }
    });
  }

  private watch(): void {
    const { page, context, offences } = this;
    const handlers = {
      pageerror: (error: Error) => void offences.push(`error: ${error.message}`),
      console: (message: ConsoleMessage) => void (message.type() === 'error' && offences.push(`console: ${message.text()}`)),
      dialog: (dialog: Dialog) => {
        offences.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      },
      request: (request: Request) => {
        if (!request.url().startsWith(this.address) && !request.url().startsWith('data:') && !request.url().startsWith('blob:')) {
          offences.push(`request: ${request.url()}`);
        }
      },
      framenavigated: (frame: Frame) => {
        if (!frame.url().startsWith(this.address) && frame.url() !== 'about:blank') {
          offences.push(`navigation: ${frame.url()}`);
        }
      },
    };
    for (const [name, handler] of Object.entries(handlers)) {
      page.on(name as 'console', handler as () => void);
      this.leave.push(() => void page.off(name as 'console', handler as () => void));
    }
    const opens = (opened: Page): void => void offences.push(`page: ${opened.url()}`);
    context.on('page', opens);
    this.leave.push(() => void context.off('page', opens));
  }

  /** Sends these events to the session. */
  async happen(...events: EventInput[]): Promise<void> {
    await this.page.evaluate((all) => window.playground.stage.happen(...all), events);
  }

  /** Opens a session that is ready for a prompt. */
  async ready(): Promise<void> {
    await this.happen(
      { type: 'session_opened', agentName: 'Demo Agent', cwd: '/home/ada/sample' },
      {
        type: 'agent_initialized',
        protocolVersion: 1,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        authMethods: [],
      },
      { type: 'session_ready', sessionId: 's1' },
    );
  }

  async send(message: ToView): Promise<void> {
    await this.page.evaluate((sent) => {
      window.playground.stage.send(sent);
      if (sent.type === 'focus') {
        // VS Code focuses the page together with that message.
        window.dispatchEvent(new Event('focus'));
      }
    }, message);
  }

  /** The messages of this type that the view has posted so far. */
  async posted<T extends FromView['type']>(type: T): Promise<Extract<FromView, { type: T }>[]> {
    const all = await this.page.evaluate(() => window.playground.stage.posted);
    return all.filter((message): message is Extract<FromView, { type: T }> => message.type === type);
  }

  /** Waits until the view has posted `count` messages of this type; returns them. */
  async postedAtLeast<T extends FromView['type']>(type: T, count = 1): Promise<Extract<FromView, { type: T }>[]> {
    await this.page.waitForFunction(
      ([wanted, least]) => window.playground.stage.posted.filter((message) => message.type === wanted).length >= least,
      [type, count] as const,
    );
    return this.posted(type);
  }

  /** Lets the host only record the user's actions. */
  async tame(): Promise<void> {
    await this.page.evaluate(() => {
      window.playground.stage.reacts = false;
    });
  }

  /** Waits two frames, so that sent events are painted. */
  async painted(): Promise<void> {
    await this.page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
  }
}

/** Waits until the new session is in the document: a test that only reads the page does so at once, and must not read the session before. */
async function nextFrame({ page }: View): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
}

/**
 * Hooks of a `describe` in which every test has a session of its own, ready unless `prepare` says otherwise. A test with an offence fails.
 */
export function eachInItsOwnView(
  opened: (view: View) => void,
  prepare = async (view: View) => {
    await view.ready();
    await nextFrame(view);
  },
  open: () => Promise<View> = () => View.session(),
): void {
  let view: View;
  beforeEach(async () => {
    view = await open();
    opened(view);
    await prepare(view);
  });
  afterEach(async () => {
    try {
      assert.deepEqual(view.offences, []);
    } finally {
      await view.close();
    }
  });
}

/** Like {@link eachInItsOwnView}, in a newly loaded document: for state that a page has once, whatever session it shows. */
export function eachInItsOwnDocument(opened: (view: View) => void, prepare?: (view: View) => Promise<void>): void {
  eachInItsOwnView(opened, prepare, () => View.open());
}

/**
 * Hooks of a `describe` whose tests share a page without animations and with a host that only records. Each test begins with a new session.
 */
export function allInOneView(opened: (view: View) => void): void {
  let view: View;
  before(async () => {
    view = await View.open();
    opened(view);
  });
  beforeEach(async () => {
    await view.page.evaluate(() => {
      window.playground.stage.restart();
      window.playground.stage.posted.length = 0;
    });
    await view.ready();
    await view.tame();
    await nextFrame(view);
  });
  after(() => view.close());
  afterEach(() => assert.deepEqual(view.offences, []));
}
