// Subagents and background work of the agents in ACP_HOST_REAL_AGENTS that have them, as a user sees, answers and stops them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appears, until } from '../harness/lib/driver.mjs';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { agents, protocol } from './agents.mjs';
import { allow, patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { teamScripts } from './scripts.mjs';
import { journalOf, keepJournal, leaveEvidence, openWithAgent } from './stage.mjs';

const version = protocol ?? 1;

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => agents[each].team)) {
  describe(`the subagents of ${name}, in version ${version}`, () => {
    const { team } = agents[name];
    const [reader, writer] = team.names;
    let stage;
    let conversation;
    let broken;
    const step = (title, work) =>
      it(title, async () => {
        if (broken) throw new Error(`not tried, because "${broken}" failed`);
        try {
          await work();
        } catch (error) {
          broken = title;
          await leaveEvidence(`${name}-${version}-${title}`);
          throw error;
        }
      });
    const picture = (what) => stage.picture(`v${version}-${what}`);
    const picturePlan = () => picture('plan');
    const card = (child) => conversation.log.getByRole('article', { name: new RegExp(`^Sub-agent ${child}(,|$)`) });
    const label = async (child) => (await card(child).first().getAttribute('aria-label')).replace(/^[^,]*(, )?/, '');
    const shows = (child, state) => until(`${child} to be "${state}"`, async () => (await label(child)) === state, { timeoutMs: 60_000 });
    const fold = (child) => card(child).locator('> .tool-head .tool-header');
    const inner = (child) => conversation.frame.getByRole('group', { name: `Conversation of ${child}` });
    const tasks = () => conversation.frame.getByRole('group', { name: 'Background tasks' });
    const questions = () => conversation.permission().filter({ has: conversation.frame.locator('.options') });
    const allowIt = async (question) => {
      const id = await question.getAttribute('data-entry-id');
      const names = (await question.getByRole('button').allInnerTexts()).map((text) => text.trim());
      await question.getByRole('button', { name: names.find((text) => allow.test(text)), exact: true }).click();
      await conversation.frame.locator(`[data-entry-id="${id}"] .options`).waitFor({ state: 'detached' });
    };
    /** Answers each question until `done`. */
    const allowUntil = async (what, done, look = () => {}) => {
      for (const deadline = Date.now() + 120_000; Date.now() < deadline; await wait(100)) {
        if (await done()) return;
        if (!(await appears(questions(), 200))) continue;
        await look(questions().first());
        await allowIt(questions().first());
      }
      throw new Error(`no ${what}`);
    };

    before(async () => {
      stage = await openWithAgent(name);
      Object.assign(stage.scripts, teamScripts(stage.folder));
      conversation = await patiently(() => newSession(stage.window, name));
    });
    after(() => keepJournal(`${name}-subagents-v${version}`));

    step('follow a plan, which the user approves', async () => {
      await chooseOption(conversation.frame, ...team.plan);
      await conversation.prompt(`Please plan first. ${inScript('planning')}`);
      await allowUntil(
        'end of the plan',
        async () => (await conversation.plan.count()) > 0 && (await conversation.send.isVisible()),
        picturePlan,
      );
      await conversation.turnEnd();
      await conversation.plan.getByRole('button', { expanded: false }).click();
      assert.match(await conversation.plan.innerText(), /The plan\s+Fix add\s+Test it/);
      await picture('planned');
      await chooseOption(conversation.frame, ...team.first);
    });

    step('start two at once, each in a card with its name and task', async () => {
      await conversation.prompt(`Please send two. ${inScript('team')}`);
      await card(reader).waitFor({ timeout: 60_000 });
      await card(writer).waitFor({ timeout: 60_000 });
      await picture('started');
      assert.equal(await card(reader).count(), 1);
      assert.equal(await card(writer).count(), 1);
    });

    step('ask in the name of the child, which waits', async () => {
      await questions().first().waitFor({ timeout: 60_000 });
      await shows(writer, 'Waiting for you');
      assert.equal(await label(reader), 'Running');
      await picture('waiting');
      const text = await questions().first().innerText();
      assert.match(text, new RegExp(writer), text);
      assert.match(text, /notes\.txt/);
      assert.equal(existsSync(join(stage.folder, 'notes.txt')), false);
      await card(writer).getByRole('button', { name: 'Show Question' }).click();
    });

    step('show the tool in use', async () => {
      const command = () => card(writer).locator('.subagent-now').innerText();
      let answers = 0;
      await allowUntil(
        'tool in use',
        async () => answers >= team.questions && /for i in/.test(await command()) && (await label(writer)) === 'Running',
        () => answers++,
      );
      assert.equal(readFileSync(join(stage.folder, 'notes.txt'), 'utf8'), 'notes\n');
      await picture('running');
    });

    step('stop one, and the other continues', async () => {
      assert.equal(await label(reader), 'Running');
      await card(reader)
        .getByRole('button', { name: `Stop ${reader}` })
        .click();
      await shows(reader, 'Stopped');
      assert.equal(await label(writer), 'Running');
      assert.equal(await card(reader).getByRole('button', { name: /^Stop/ }).count(), 0);
      await picture('stopped');
      await shows(writer, 'Done');
      await conversation.turnEnd({ timeoutMs: 60_000 });
      await picture('ended');
    });

    step('open to their conversations, and close again', async () => {
      assert.equal(await inner(writer).count(), 0);
      await fold(writer).click();
      await inner(writer).waitFor();
      const text = await inner(writer).innerText();
      for (const each of [/I write\./, /notes\.txt/, /A command\./, /for i in/, /The notes are there\./]) assert.match(text, each);
      await fold(reader).click();
      assert.match(await inner(reader).innerText(), /I read the file\./);
      await picture('opened');
      await fold(writer).click();
      await fold(reader).click();
      await inner(writer).waitFor({ state: 'detached' });
    });

    step('work in the background is listed with its state and output', async () => {
      await conversation.prompt(`Please start the server. ${inScript('server')}`);
      await allowUntil('list of tasks', async () => (await tasks().count()) > 0 && !(await conversation.stopButton.isVisible()));
      await conversation.says('It runs.');
      await tasks().getByRole('button', { expanded: false }).first().click();
      const row = tasks().getByRole('listitem').first();
      await row.waitFor();
      assert.match(await row.innerText(), /echo listening[\s\S]*Running/);
      await row.getByRole('button', { expanded: false }).first().click();
      await picture('background');
      if (team.output.includes(version))
        await until('its output', async () => /request 2/.test(await row.innerText()), { timeoutMs: 30_000 });
      await picture('background-output');
      // The output has the terminal's own Stop.
      const stop = row.locator('> .text-button').filter({ hasText: 'Stop' });
      assert.equal(await stop.count(), team.stops.includes(version) ? 1 : 0);
      if (team.stops.includes(version)) {
        await stop.click();
        await tasks().waitFor({ state: 'detached', timeout: 20_000 });
        await picture('background-stopped');
      }
    });

    step('are the same after a reload of the window', async () => {
      await until('silence', async () => {
        const before = journalOf();
        await wait(3000);
        return journalOf() === before;
      });
      const open = async () => {
        for (const child of [reader, writer]) if ((await fold(child).getAttribute('aria-expanded')) === 'false') await fold(child).click();
      };
      await open();
      // The agent ends with the window, and its command with it. An ended terminal is drawn in another way. A change that a subagent began in a turn
      // and made after it is only counted with the reload.
      const text = async () =>
        (await conversation.log.innerText())
          .replace(/\d+ (s|min|m)\b/g, 'time')
          .replace(/(sleep 600\n)[^]*?(?=\nIt runs\.)/, '$1')
          .replace(version === 2 ? /\n1 file changed\n\+1\n\u22120(?=\n)/ : '', '');
      const before = await text();
      const events = journalOf().trimEnd().split('\n');
      await picture('before-reload');
      await stage.window.reload();
      await stage.window.panel();
      conversation = new Conversation(stage.window);
      await card(writer).waitFor();
      await open();
      await until('the same text', async () => (await text()) === before, { timeoutMs: 15_000 }).catch(async () => {
        await picture('after-reload');
        assert.equal(await text(), before);
      });
      await picture('after-reload');
      assert.equal(await label(reader), 'Stopped');
      assert.equal(await label(writer), 'Done');
      assert.doesNotMatch(await conversation.log.innerText(), /In background|Running/);
      assert.equal(await tasks().count(), 0);
      if (team.output.includes(version)) await conversation.says('request 2');
      const later = journalOf().trimEnd().split('\n');
      assert.deepEqual(later.slice(0, events.length), events);
    });
  });
}
