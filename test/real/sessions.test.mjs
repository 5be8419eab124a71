// Stored sessions of each agent in ACP_HOST_REAL_AGENTS that supports them, as a user finds them again: listed, loaded, resumed, forked,
// handed over to another agent, deleted. The assertions about an agent's knowledge read the requests to its model.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { quickRows } from '../harness/lib/palette.mjs';
import { agents, protocol } from './agents.mjs';
import { inScript } from './llm/script.mjs';
import { keepJournal, leaveEvidence, openWithAgent, processesOf } from './stage.mjs';

const version = protocol ?? 1;

/** The agent that takes a conversation over, and the path of its model requests. */
const others = { claude: ['codex-acp', /\/responses$/], 'codex-acp': ['claude', /\/messages$/], opencode: ['claude', /\/messages$/] };
const SAID = 'The heron is called Ada.';
/** A session of this run in a list: agents name it after their model, or after the first or latest prompt. */
const ours = /Scripted title|\(script hello\)/;

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => agents[each].sessions)) {
  describe(`the sessions of ${name}, in version ${version}`, () => {
    const offers = new Set(agents[name].sessions);
    const [other, asksAt] = others[name];
    let stage;
    let window;
    let conversation;

    before(async () => {
      stage = await openWithAgent(name, { others: [other] });
      ({ window } = stage);
    });
    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-${this.currentTest.title}`);
    });

    const greeting = 'Hello again, still here.';
    const times = async (text) => (await conversation.log.innerText()).split(text).length - 1;
    const ask = async (text, { says = greeting } = {}) => {
      const [before, asked] = [await times(says), stage.asked.length];
      await conversation.prompt(`${text} ${inScript('hello')}`);
      await until('the answer', async () => (await times(says)) > before, { timeoutMs: 90_000 });
      await conversation.turnEnd();
      return stage.asked.slice(asked).filter(({ text: request }) => request.includes(text));
    };
    const knowsHeron = (requests) => requests.some(({ text }) => text.includes(SAID));
    const history = async () => {
      await window.command('ACP: Browse Agent History…');
      await window.pickRow(name);
      const rows = window.page.locator(quickRows);
      await window.page.locator('.quick-input-widget:visible').getByText(`${name} History`, { exact: true }).waitFor();
      // The list opens before the agent has answered, and may be empty then.
      await until(
        'its list',
        async () => (await rows.count()) > 0 && (await rows.filter({ hasText: 'Loading sessions from' }).count()) === 0,
        {
          timeoutMs: 60_000,
        },
      );
      return rows;
    };
    const end = async () => {
      await window.command('ACP: End Session');
      await conversation.frame.getByText('This session has ended.').waitFor();
      await until('its processes to end', () => processesOf(stage.home).length === 0, { timeoutMs: 20_000 });
    };

    it('ends, and continues where it was', async () => {
      conversation = await newSession(window, name);
      await ask(SAID);
      await end();
      // A session that the user has ended takes no message before the user resumes it.
      const resume = conversation.frame.getByRole('button', { name: 'Resume', exact: true });
      await resume.click();
      await resume.waitFor({ state: 'detached' });
      const requests = await ask('What is it called?');
      assert.ok(knowsHeron(requests), 'it does not know what was said before');
      assert.equal(await times(SAID), 1);
      await end();
      await window.command('View: Close Editor');
    });

    it('is in the agent’s own list, and is replayed from there, once', async function () {
      if (!offers.has('list')) return this.skip();
      // The session is ended and its editor closed: the conversation below comes from the agent's replay.
      await window.command('ACP: Open Session…');
      await window.page.locator(quickRows).filter({ hasText: ours }).first().waitFor();
      await window.dismiss();
      await (await history()).filter({ hasText: ours }).first().click();
      await window.panel();
      conversation = new Conversation(window);
      await until('the conversation', async () => (await times(SAID)) === 1 && (await times('What is it called?')) === 1, {
        timeoutMs: 60_000,
      });
      await until('it to be ready', () => processesOf(stage.home).length > 0);
      await stage.picture('listed');
      assert.ok(knowsHeron(await ask('And once more?')));
      assert.equal(await times(SAID), 1);
      assert.equal(await times(greeting), 3);
    });

    it('is forked: the copy knows everything, and the first does not get the copy’s messages', async function () {
      if (!offers.has('fork')) return this.skip();
      const first = await window.frameName();
      await window.command('ACP: Fork Session');
      await window.panel({ other: first });
      conversation = new Conversation(window);
      await until('what was said before', async () => (await times(SAID)) === 1);
      assert.ok(knowsHeron(await ask('Only in the copy?')));
      keepJournal(`${name}-forked-v${version}`);
      await stage.picture('forked');
      await window.command('View: Close Editor');
      await window.command('ACP: Open Session…');
      // The session is listed after its copy, and before those of other test files.
      await window.page.locator(quickRows).filter({ hasText: ours }).nth(1).click();
      await window.panel();
      conversation = new Conversation(window);
      await until('the first one', async () => (await times('And once more?')) === 1);
      if ((await times('Only in the copy?')) > 0) {
        await window.command('ACP: Open Session…');
        await window.page.locator(quickRows).filter({ hasText: ours }).first().click();
        await until('the first one', async () => (await times('Only in the copy?')) === 0);
      }
      const requests = await ask('Back in the first?');
      assert.ok(knowsHeron(requests));
      assert.ok(!requests.some(({ text }) => text.includes('Only in the copy?')), 'it knows what was said in the copy');
    });

    it(`is handed over to ${other}, whose model is told what was said`, async () => {
      const first = await window.frameName();
      await window.command('ACP: Continue with Another Agent…');
      await window.pickRow(other);
      await window.panel({ other: first });
      conversation = new Conversation(window);
      await until('the conversation to go along', () => conversation.frame.locator('.composer').getByText('conversation.md').isVisible());
      const requests = await ask('You go on.');
      await stage.picture('handed-over');
      const elsewhere = requests.filter(({ url }) => asksAt.test(new URL(url, 'http://model').pathname));
      assert.ok(knowsHeron(elsewhere), `nobody has told ${other}: ${requests.map(({ url }) => url)}`);
      await window.command('ACP: End Session');
      await window.command('View: Close Editor');
    });

    it('is deleted, also at the agent if it supports that', async () => {
      // The first session is active again, now that the other's tab is closed.
      await window.panel();
      conversation = new Conversation(window);
      await until('the first one', async () => (await times(SAID)) === 1);
      const tabs = window.page.locator('.part.editor .tabs-container').getByRole('tab');
      const open = await tabs.count();
      await window.command('ACP: Delete Session…');
      const dialog = window.page.locator('.monaco-dialog-box');
      await dialog
        .getByText(offers.has('delete') ? `${name} will no longer list the session` : 'Only the copy in VS Code will be deleted.')
        .waitFor();
      await stage.picture('delete');
      await window.pressButton('Delete');
      await until('the panel to be closed', async () => (await tabs.count()) < open);
      if (offers.has('list')) {
        const rows = await history();
        await rows.first().waitFor();
        const left = (await rows.allInnerTexts()).filter((text) => ours.test(text));
        assert.equal(left.length, offers.has('fork') && offers.has('delete') ? 1 : offers.has('fork') ? 2 : 0, left.join(' | '));
        await window.dismiss();
      }
    });
  });
}
