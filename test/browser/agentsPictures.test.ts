/** The pages of agents in four themes at three widths: pictures for people, and the rules of accessibility. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { AgentTab, ToAgentsPage } from '../../src/core/agents/agentsPage';
import { browseState, FAILED_START, finishedTest, pageState, RUNNING } from '../support/agentPages';
import { keepPicture, root, stopBrowser } from '../support/browser';
import { AgentsView } from './support/agentsView';
import { brokenIn } from './support/axe';
import { themesOf } from './support/themesOf';

const THEMES = themesOf(['dark', 'light', 'hc', 'hc-light'], ['dark', 'light']);
const WIDTHS = [300, 600, 1200];

const tab = (name: AgentTab): ToAgentsPage => ({ type: 'tab', tab: name });
const SCENES: Readonly<Record<string, readonly ToAgentsPage[]>> = {
  browse: [browseState()],
  agent: [pageState(), tab('details')],
  versions: [pageState(), tab('versions')],
  features: [pageState(), tab('features')],
  settings: [pageState(), tab('settings')],
  log: [pageState(), tab('log')],
  test: [pageState('Goose', { test: finishedTest() }), tab('test')],
  failed: [
    pageState('Goose', {
      test: finishedTest({ ...FAILED_START, readyAfter: undefined, dialect: undefined, sessionAfter: undefined } as never),
    }),
    tab('test'),
  ],
  running: [RUNNING],
};

describe('the pages of agents', function () {
  this.timeout(180_000);
  const folder = path.join(root, 'test-results', 'agents');
  before(() => mkdir(folder, { recursive: true }));
  after(stopBrowser);

  for (const theme of THEMES) {
    it(`break no rule of accessibility in ${theme}`, async () => {
      const view = await AgentsView.open({ theme });
      try {
        for (const [name, messages] of Object.entries(SCENES)) {
          for (const message of messages) {
            await view.send(message);
          }
          for (const width of WIDTHS) {
            await view.page.setViewportSize({ width, height: 800 });
            if (name === 'agent') {
              await view.page.locator('.readme').waitFor();
            }
            await keepPicture(view.page, path.join(folder, `${name}-${theme}-${width}.png`));
            assert.deepEqual(await brokenIn(theme, view.asView), [], `${name} at ${width}`);
            const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            assert.ok(overflow <= 0, `${name} at ${width} is ${overflow} pixels too wide`);
          }
        }
      } finally {
        await view.close();
      }
    });
  }
});
