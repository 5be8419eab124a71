/** The page of an agent's endpoints, and pictures of it and of limits and instructions in all themes. They go to test-results/account/. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { EndpointsPage } from '../../src/core/protocol/channels/endpoints';
import type { EventInput } from '../../src/core/model/event';
import { NO_CAPABILITIES } from '../../src/core/model/wellKnown';
import { initialized, message as said } from '../support/events';
import { brokenIn } from './support/axe';
import { eachInItsOwnView, keepPicture, root, View } from './support/view';

const OFFERS = { ...initialized(), offers: { ...NO_CAPABILITIES, providers: true } } as EventInput;
const MAIN = {
  providerId: 'main',
  supported: ['anthropic', 'bedrock'],
  required: true,
  isSet: false,
  current: { apiType: 'anthropic', baseUrl: 'https://api.example.com' },
};
const SECOND = {
  providerId: 'small',
  supported: ['openai'],
  required: false,
  isSet: true,
  current: { apiType: 'openai', baseUrl: 'https://gateway.example.com/v1' },
};

describe('the endpoints of an agent', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));
  beforeEach(() => view.tame());

  const region = () => view.page.getByRole('region', { name: /^Model endpoints of / });
  const show = (page: Omit<EndpointsPage, 'shown'>, shown = '1') => view.send({ type: 'endpoints', shown, ...page });

  it('are opened from the menu, and listed when the agent has answered', async () => {
    await view.happen(OFFERS);
    await view.page.getByRole('button', { name: 'More Actions…' }).click();
    await view.page.getByRole('menuitem', { name: 'Model Endpoints…' }).click();
    const [asked] = await view.postedAtLeast('endpoints');
    assert.equal(asked!.change, undefined);
    await show({ isBusy: true }, asked!.shown);
    await region().getByRole('status').getByText('Asking').waitFor();
    await show({ isBusy: false, endpoints: [MAIN, SECOND] }, asked!.shown);
    await region().getByRole('form', { name: 'main' }).waitFor();
    assert.equal(await region().getByRole('form', { name: 'main' }).getByRole('button', { name: 'Turn Off' }).count(), 0);
  });

  it('are set, reset and turned off, and the key is not typed in the page', async () => {
    await show({ isBusy: false, endpoints: [MAIN, SECOND] });
    const main = region().getByRole('form', { name: 'main' });
    await main.getByLabel('Address of the endpoint').fill('gateway');
    assert.equal(await main.getByRole('button', { name: 'Set Endpoint…' }).getAttribute('aria-disabled'), 'true');
    await main.getByText('Enter an address that begins with https:// or http://').waitFor();
    await main.getByLabel('Address of the endpoint').fill(' https://gateway.example.com ');
    await main.getByLabel('Kind of endpoint').selectOption('bedrock');
    await main.getByLabel('How the key is sent').selectOption('x-api-key');
    await main.getByRole('button', { name: 'Set Endpoint…' }).click();
    const small = region().getByRole('form', { name: 'small' });
    await small.getByRole('button', { name: "Use the Agent's Own Endpoint" }).click();
    await small.getByRole('button', { name: 'Turn Off' }).click();
    const set = { providerId: 'main', to: 'set', apiType: 'bedrock', baseUrl: 'https://gateway.example.com', header: 'x-api-key' };
    assert.deepEqual(
      (await view.postedAtLeast('endpoints', 3)).map(({ change }) => change),
      [set, { providerId: 'small', to: 'reset' }, { providerId: 'small', to: 'off' }],
    );
    assert.equal(await region().locator('input[type=password]').count(), 0);
  });

  it('keep what is typed while the agent is asked, and a late answer does not open the page again', async () => {
    await show({ isBusy: false, endpoints: [MAIN] });
    await region().getByLabel('Address of the endpoint').fill('https://half.example');
    await show({ isBusy: true });
    await show({ isBusy: false, failure: { code: 'request.failed', detail: 'no such model' } });
    await region().getByText('no such model').waitFor();
    assert.equal(await region().getByLabel('Address of the endpoint').inputValue(), 'https://half.example');
    await view.page.keyboard.press('Escape');
    await region().waitFor({ state: 'detached' });
    await show({ isBusy: false, endpoints: [MAIN] });
    await view.painted();
    assert.equal(await region().count(), 0);
    await show({ isBusy: true }, '2');
    await region().waitFor();
  });
});

const HOUR = 3_600_000;
const LIMIT = { code: 'request.failed', params: { cause: 'usage_limit', retryAfter: 5 * 3600 }, detail: "You've hit your limit" } as const;

const SCENES: Readonly<Record<string, (view: View) => Promise<void>>> = {
  limit: async (view) => {
    const resetsAt = (await view.page.evaluate(() => Date.now())) + 5 * HOUR;
    const meters = [
      { id: 'five_hour', usedPercent: 100, status: 'exceeded', resetsAt },
      { id: 'seven_day', usedPercent: 91, resetsAt: resetsAt + 30 * HOUR },
    ];
    await view.happen(
      { ...initialized(), authMethods: [{ methodId: 'browser', name: 'Browser', type: 'agent' }] } as EventInput,
      { type: 'turn_started', turnId: 't' },
      said('fix it', 't', 'user'),
      {
        type: 'quota',
        pools: [
          { id: 'plan', meters },
          { id: 'extra_usage', label: 'Extra', state: 'exhausted', meters: [] },
        ],
      },
      { type: 'turn_ended', turnId: 't', stopReason: 'error', failure: LIMIT },
      { type: 'continue_scheduled', continuesAt: resetsAt, turnId: 't' },
    );
    await view.page.getByText(/^Continues by itself at /).waitFor();
    await view.page.getByRole('button', { name: /5-hour limit: limit reached/ }).click();
    await view.page.getByRole('group', { name: 'Usage' }).waitFor();
  },
  instructions: async (view) => {
    const parts = [
      { source: 'user', text: 'Answer in short sentences.' },
      { source: 'folder', text: 'Use tabs.' },
    ] as const;
    await view.happen(OFFERS, { type: 'instructions', mode: 'append', parts, isSent: true });
    await view.page.getByRole('button', { name: 'More Actions…' }).click();
    await view.page.getByRole('menuitem', { name: /^Instructions…/ }).waitFor();
  },
  endpoints: async (view) => {
    await view.happen(said('Which model do you use?', 'u', 'user'), said('The one of your gateway.', 'a'));
    await view.send({ type: 'endpoints', shown: '1', isBusy: false, endpoints: [MAIN, SECOND], isChanged: true });
    await view.page.getByRole('form', { name: 'small' }).waitFor();
  },
};

describe('limits, instructions and endpoints', function () {
  this.timeout(120_000);
  const folder = path.join(root, 'test-results', 'account');
  before(() => mkdir(folder, { recursive: true }));

  for (const theme of ['dark', 'light', 'hc', 'hc-light']) {
    for (const width of [300, 900]) {
      it(`are accessible in ${theme} at ${width} px`, async () => {
        const view = await View.open(`theme=${theme}`, { viewport: { width, height: 900 }, deviceScaleFactor: 1 });
        try {
          for (const [name, prepare] of Object.entries(SCENES)) {
            await view.page.evaluate(() => window.playground.stage.restart());
            await view.ready();
            await prepare(view);
            await view.painted();
            await keepPicture(view.page, path.join(folder, `${name}-${theme}-${width}.png`));
            assert.deepEqual(await brokenIn(theme, view), [], name);
            const overflow = await view.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
            assert.ok(overflow <= 0, `${name} is ${overflow} px too wide`);
          }
          assert.deepEqual(view.offences, []);
        } finally {
          await view.close();
        }
      });
    }
  }
});
