/** The page of agents in Chromium, and its host side. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FromAgentsPage, ToAgentsPage } from '../../../src/core/agents/agentsPage';
import { leaveUndrawn, startBrowser } from '../../support/browser';
import { applyTheme } from './themes';
import type { View } from './view';

interface Host {
  posted: FromAgentsPage[];
  /** False for an extension host that has exited. */
  answers: boolean;
}

export interface AgentsViewOptions {
  readonly width?: number;
  readonly theme?: string;
}

export class AgentsView {
  /** Violations of the content security policy, errors, and requests that left the page. */
  readonly offences: string[] = [];

  private constructor(readonly page: Page) {}

  static async open({ width = 900, theme = 'dark' }: AgentsViewOptions = {}): Promise<AgentsView> {
    const { browser, address } = await startBrowser();
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce', deviceScaleFactor: 1 });
    const view = new AgentsView(await context.newPage());
    const { page, offences } = view;
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && offences.push(`console: ${message.text()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) {
        offences.push(`request: ${request.url()}`);
      }
    });
    await leaveUndrawn(page);
    await page.addInitScript(() => {
      let state: unknown;
      const host: Host = { posted: [], answers: true };
      Object.assign(window, {
        host,
        acquireVsCodeApi: () => ({
          postMessage: (message: FromAgentsPage) => {
            if (message.type !== 'ping') {
              host.posted.push(JSON.parse(JSON.stringify(message)) as FromAgentsPage);
            } else if (host.answers) {
              window.postMessage({ type: 'pong' }, '*');
            }
          },
          getState: () => state,
          setState: (next: unknown) => (state = next),
        }),
      });
      document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`));
    });
    await page.goto(`${address}/agents`);
    await page.waitForFunction(() => (window as unknown as { host: Host }).host.posted.length > 0);
    await applyTheme(page, theme);
    return view;
  }

  async send(message: ToAgentsPage): Promise<void> {
    await this.page.evaluate(
      (sent) =>
        new Promise<void>((resolve) => {
          window.postMessage(sent, '*');
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        }),
      message,
    );
  }

  /** Lets the extension host answer, or exit. */
  async answers(value: boolean): Promise<void> {
    await this.page.evaluate((is) => void ((window as unknown as { host: Host }).host.answers = is), value);
  }

  /** The messages of this type that the page has posted. */
  async posted<T extends FromAgentsPage['type']>(type: T): Promise<Extract<FromAgentsPage, { type: T }>[]> {
    const all = await this.page.evaluate(() => (window as unknown as { host: Host }).host.posted);
    return all.filter((message): message is Extract<FromAgentsPage, { type: T }> => message.type === type);
  }

  /** For the functions that check a page. */
  get asView(): View {
    return this as unknown as View;
  }

  async close(): Promise<void> {
    await this.page.context().close();
    assert.deepEqual(this.offences, []);
  }
}
