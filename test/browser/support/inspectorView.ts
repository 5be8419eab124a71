/** The inspector in Chromium, with its host side. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Traces } from '../../../src/acp/trace/traces';
import { fromInspectorPage, type ToInspectorPage } from '../../../src/core/inspector/inspectorPage';
import { leaveUndrawn, startBrowser } from '../../support/browser';
import { type InspectedHost, inspectorHost } from '../../support/inspectedAgents';
import { applyTheme } from './themes';
import type { View } from './view';

export class InspectorView {
  /** Violations of the content security policy, errors, messages that are refused, and requests that left the page. */
  readonly offences: string[] = [];
  /** The most rows in one message to the page. */
  largest = 0;
  host!: InspectedHost;
  /** False for an extension host that has exited. */
  answers = true;

  private constructor(readonly page: Page) {}

  static async open(traces: Traces, { width = 1200, theme = 'dark' } = {}): Promise<InspectorView> {
    const { browser, address } = await startBrowser();
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce', deviceScaleFactor: 1 });
    const view = new InspectorView(await context.newPage());
    const { page, offences } = view;
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => offences.push(`error: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && offences.push(`console: ${message.text()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) {
        offences.push(`request: ${request.url()}`);
      }
    });
    const send = (message: ToInspectorPage): void => {
      view.largest = Math.max(view.largest, message.type === 'rows' ? message.rows.length : 0);
      page.evaluate((sent) => window.postMessage(sent, '*'), message).catch(() => undefined);
    };
    view.host = inspectorHost(traces, send);
    await page.exposeFunction('toHost', async (message: unknown) => {
      if (fromInspectorPage.validate(message)) {
        const read = fromInspectorPage.parse(message);
        if (!view.answers) {
          return;
        }
        await (read.type === 'ping' ? send({ type: 'pong' }) : view.host.model.receive(read));
      } else {
        offences.push(`refused: ${JSON.stringify(message)}`);
      }
    });
    await leaveUndrawn(page);
    await page.addInitScript(() => {
      let state: unknown;
      Object.assign(window, {
        acquireVsCodeApi: () => ({
          postMessage: (message: unknown) =>
            void (window as unknown as { toHost(message: unknown): void }).toHost(JSON.parse(JSON.stringify(message))),
          getState: () => state,
          setState: (next: unknown) => (state = next),
        }),
      });
      document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`));
    });
    await page.goto(`${address}/inspector`);
    await page
      .locator('.inspector-row[role=option], .inspector > p')
      .first()
      .waitFor()
      .catch((error: unknown) => assert.fail(`${String(error)}\n${offences.join('\n')}`));
    await applyTheme(page, theme);
    return view;
  }

  get list(): Locator {
    return this.page.getByRole('listbox', { name: 'Messages' });
  }

  row(name: string | RegExp): Locator {
    return this.list.getByRole('option', { name });
  }

  get detail(): Locator {
    return this.page.getByRole('region', { name: 'Message', exact: true });
  }

  /** For the functions that check a page. */
  get asView(): View {
    return this as unknown as View;
  }

  async close(): Promise<void> {
    this.host.model.dispose();
    await this.page.context().close();
    assert.deepEqual(this.offences, []);
  }
}
