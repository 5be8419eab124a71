// Requests of an agent other than permissions: a form that is validated before it is sent, and a web page that opens only when the user
// agrees.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { script, scripted } from '../e2e/agents.mjs';
import { openWorkspace } from '../e2e/stage.mjs';

const FORM = {
  mode: 'form',
  message: 'What is it called?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Project name', pattern: '^[a-z-]+$' },
      odd: { type: 'string', title: 'Odd', pattern: '^(a+)+$' },
      port: { type: 'integer', title: 'Port', default: 3000 },
    },
    required: ['name'],
  },
};
// No server is at this address: the test only checks that the page is opened, and when.
const PAGE = {
  mode: 'url',
  message: 'Please authorize.',
  elicitationId: 'auth-1',
  url: 'https://agent.invalid/connect?to=https%3A%2F%2Fb.invalid%2F&id=auth-1',
};

describe('elicitation', () => {
  let window;
  let conversation;
  const card = (name) => conversation.frame.getByRole('group', { name, exact: true });
  const button = (name, label) => card(name).getByRole('button', { name: label, exact: true });

  const start = async () => {
    ({ window } = await openWorkspace({ userSettings: { 'acpHost.agents': { Asker: scripted() } } }));
    conversation = await newSession(window, 'Asker');
  };

  it('shows a form, keeps typed values while it is hidden, and sends nothing invalid', async () => {
    await start();
    await conversation.prompt(script({ elicit: FORM }));
    await card('What is it called?').waitFor();
    await card('What is it called?').getByLabel('Project name').fill('My Project');
    await card('What is it called?')
      .getByLabel('Odd')
      .fill(`${'a'.repeat(40)}!`);
    await window.screenshot('elicitation-form');

    // The page closes with its tab and is created again.
    await window.quickOpen('src/calc.js', 'calc.js');
    await window.tab('calc.js').waitFor();
    const waiting = window.page.locator('.statusbar-item[id*="acpHost.sessions"]');
    await until('the status bar to say that the agent waits', async () =>
      /needs your answer/.test((await waiting.locator('a').getAttribute('aria-label')) ?? ''),
    );
    await waiting.locator('a').click();
    await card('What is it called?').waitFor();
    await until('the focus to be on the form', () =>
      card('What is it called?').evaluate((element) => element === element.ownerDocument.activeElement),
    );
    assert.equal(await card('What is it called?').getByLabel('Project name').inputValue(), 'My Project');

    await button('What is it called?', 'Submit').click();
    await card('What is it called?').getByText('Value must match the pattern: ^[a-z-]+$').waitFor();
    await card('What is it called?').getByText("Couldn't check this").waitFor();
    await window.screenshot('elicitation-problems');
    await card('What is it called?').getByLabel('Project name').fill('my-project');
    await button('What is it called?', 'Submit').click();
    await conversation.says(`elicit: {"action":"accept","content":{"name":"my-project","odd":"${'a'.repeat(40)}!","port":3000}}`);
    await conversation.turnEnd();
    await card('What is it called?').getByText('You answered').waitFor();
  });

  it('opens a web page outside, exactly as shown, and only when the user agrees', async () => {
    await start();
    const opened = [];
    const note = (request) => request.url().includes('agent.invalid') && opened.push(request.url());
    window.page.context().on('request', note);
    try {
      await conversation.prompt(script({ elicit: PAGE }, { sleep: 1500 }, { completed: 'auth-1' }, { waitCancel: true }));
      await card('Please authorize.').waitFor();
      assert.equal(await card('Please authorize.').locator('.address').innerText(), PAGE.url);
      await button('Please authorize.', 'Open agent.invalid in Browser').click();
      // VS Code itself asks about an unknown site; until then the agent has no answer.
      const dialog = window.page.locator('.monaco-dialog-box');
      await dialog.waitFor();
      assert.ok((await dialog.innerText()).includes('agent.invalid'));
      await window.screenshot('elicitation-page');
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
      await conversation.frame.locator('.elicitation button[aria-disabled=false]').first().waitFor();
      assert.deepEqual(opened, []);
      assert.ok(!(await conversation.log.innerText()).includes('elicit: '));
      await button('Please authorize.', 'Open agent.invalid in Browser').click();
      await dialog.waitFor();
      const popup = window.page.context().waitForEvent('page');
      await dialog.getByRole('button', { name: 'Open', exact: true }).click();
      await (await popup).close();
      await conversation.says('elicit: {"action":"accept"}');
      assert.deepEqual([...new Set(opened)], [PAGE.url]);
      await card('Please authorize.').getByText('Finished', { exact: true }).waitFor();
      await conversation.stopButton.click();
      await conversation.turnEnd();
    } finally {
      window.page.context().off('request', note);
    }
  });

  it('is requested by the demo agent', async () => {
    await window.closeEditors();
    conversation = await newSession(window, 'Demo');
    await conversation.prompt('Ask me a form');
    const name = 'What should the new project be like?';
    await button(name, 'Submit').waitFor();
    await window.screenshot('elicitation-demo');
    await button(name, 'Submit').click();
    await button('Open the protocol documentation on questions like these?', 'Decline').click();
    await conversation.turnEnd();
    await conversation.says('Nothing was opened');
  });
});
