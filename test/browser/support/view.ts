/**
 * The view in real Chromium: the playground's bundle inside the very document, with the very policy, that the panel gets. One build, server
 * and browser per run of the tier.
 */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { SessionHappening } from '../../../src/core/model/event';
import type { FromView, ToView } from '../../../src/core/protocol/view';
import type { Stage } from '../../../webview/playground/stage';
import type { Player } from '../../../webview/playground/player';
import type { PlaygroundSessions } from '../../../webview/playground/sessions';
import { root, startBrowser, stopBrowser } from '../../support/browser';

export { root };

after(stopBrowser);

declare global {
  interface Window {
    playground: {
      stage: Stage;
      player: Player;
      sessions: PlaygroundSessions;
      deliver: (message: ToView) => void;
      applyTheme: (name: string) => void;
    };
  }
}

/** A view in a page of its own, and the host's end of it. */
export class View {
  /** Violations of the page's policy, uncaught errors, requests that left the page, navigations, dialogs. */
  readonly offences: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly address: string,
  ) {}

  /** `query` as the playground takes it; without one the view waits for what the test sends. */
  static async open(query = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<View> {
    const { browser, address } = await startBrowser();
    const context = await browser.newContext({ viewport: { width: 900, height: 800 }, ...options });
    const view = new View(await context.newPage(), context, address);
    await view.watch();
    await view.page.goto(`${address}/?bare&${query}`);
    await view.page.waitForFunction(() => window.playground.stage.posted.length > 0);
    return view;
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private async watch(): Promise<void> {
    const { page, offences } = this;
    page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && offences.push(`console: ${message.text()}`));
    page.on('dialog', (dialog) => {
      offences.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(this.address) && !request.url().startsWith('data:') && !request.url().startsWith('blob:')) {
        offences.push(`request: ${request.url()}`);
      }
    });
    page.on('framenavigated', (frame) => {
      if (!frame.url().startsWith(this.address) && frame.url() !== 'about:blank') {
        offences.push(`navigation: ${frame.url()}`);
      }
    });
    this.context.on('page', (opened) => offences.push(`page: ${opened.url()}`));
    // What the tests' loader puts into functions, which run in the page without it.
    await page.addInitScript('globalThis.__name = (value) => value');
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`));
    });
  }

  /** These happen to the session now. */
  async happen(...happenings: SessionHappening[]): Promise<void> {
    await this.page.evaluate((all) => window.playground.stage.happen(...all), happenings);
  }

  /** A session that is ready for a prompt. */
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
    await this.page.evaluate((sent) => window.playground.stage.send(sent), message);
  }

  /** What the view posted so far, of this type. */
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

  /** The host only notes what the user does. */
  async tame(): Promise<void> {
    await this.page.evaluate(() => {
      window.playground.stage.reacts = false;
    });
  }

  /** Two frames: what was sent is painted. */
  async painted(): Promise<void> {
    await this.page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
  }
}

/** Hooks of a `describe` whose every test has a page of its own, with a session that is ready unless `prepare` says otherwise; one that met an offence fails. */
export function eachInItsOwnView(opened: (view: View) => void, prepare = (view: View) => view.ready()): void {
  let view: View;
  beforeEach(async () => {
    view = await View.open();
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

/** Hooks of a `describe` whose tests share a page, where nothing moves by itself and the host only notes; each begins with a session anew. */
export function allInOneView(opened: (view: View) => void): void {
  let view: View;
  before(async () => {
    view = await View.open('', { reducedMotion: 'reduce' });
    opened(view);
  });
  beforeEach(async () => {
    await view.page.evaluate(() => {
      window.playground.stage.restart();
      window.playground.stage.posted.length = 0;
    });
    await view.ready();
    await view.tame();
  });
  after(() => view.close());
  afterEach(() => assert.deepEqual(view.offences, []));
}
