// The same journey with every agent named in ACP_HOST_REAL_AGENTS, as a user would do it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness/lib/driver.mjs';
import { chooseOption, chosenOption } from '../harness/lib/configOptions.mjs';
import { newSession, shows } from '../harness/lib/journey.mjs';
import { wait } from '../harness/lib/proc.mjs';
import { agents, protocol } from './agents.mjs';
import { allow, answerAll, patiently, refuse } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { commandOutput } from './scripts.mjs';
import { transport } from './remote.mjs';
import { closeServers, keepJournal, leaveEvidence, openWithAgent, processesOf } from './stage.mjs';

/** The time in ms after which the view drops a choice that the agent did not confirm. A choice shown after that is confirmed. */
const CONFIRMED_MS = 4500;

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',')) {
  describe(name, () => {
    const agent = agents[name];
    let stage;
    let conversation;
    let broken;
    /** A step of the journey. The steps after a failed one fail too, and name it. */
    const step = (title, work) =>
      it(title, async () => {
        if (broken) throw new Error(`not tried, because "${broken}" failed`);
        try {
          await work();
        } catch (error) {
          broken = title;
          await leaveEvidence(`${name}-${title}`);
          throw error;
        }
      });

    before(async () => {
      stage = await openWithAgent(name);
    });
    after(() => keepJournal(name));

    step('starts from the settings', async () => {
      conversation = await patiently(() => newSession(stage.window, name));
      await until(
        'the agent to be ready',
        async () => (await conversation.composer.getAttribute('placeholder')).includes(name) && !(await starting()),
        { timeoutMs: 60_000 },
      );
      if (agent.first) await choose(...agent.first);
    });

    step('plans, asks, edits a file, runs a command and streams', async () => {
      const file = join(stage.folder, 'src', 'calc.js');
      const before = readFileSync(file, 'utf8');
      const farewells = watchText('The function add is', 'That was all of it.');
      await conversation.prompt(`Please fix add in src/calc.js. ${inScript('fix')}`);
      const asked = await answerAll(conversation, allow, async (card, count) => {
        await stage.picture(`permission-${count}`);
        if (/calc\.js/.test(await card.innerText()))
          assert.equal(readFileSync(file, 'utf8'), before, 'nothing may be written before the answer');
      });
      const seen = await farewells.stop();
      if (agent.asks !== false) {
        assert.ok(asked.length > 0, 'no permission was asked');
        assert.ok(
          asked.some((text) => /calc\.js/.test(text)),
          `no permission named the file: ${JSON.stringify(asked)}`,
        );
      }
      assert.equal(readFileSync(file, 'utf8'), before.replace('a - b', 'a + b'));
      await conversation.says('That was all of it.');
      assert.ok(seen.length >= 3, `the last message was seen at ${seen.length} length(s): it did not stream`);
      await stage.picture();
      await openCards();
      if (agent.reportsOutput !== false) {
        assert.ok(
          await shows(conversation.log, new RegExp(`^(Output: )?${commandOutput}$`, 'm')),
          'no card shows the output of the command',
        );
      }
      assert.equal((await conversation.log.innerText()).split('That was all of it.').length, 2, 'the farewell is there once');
      if (agent.plans) assert.ok((await conversation.planEntries()).some((entry) => entry.includes('Fix add')));
      await stage.picture('opened');
    });

    step('shows tool calls with names and final statuses', async () => {
      const cards = await conversation.log.getByRole('article').evaluateAll((all) => all.map((card) => card.getAttribute('aria-label')));
      assert.ok(cards.length >= 2, JSON.stringify(cards));
      for (const label of cards) assert.match(label, /^\S.*, Done$/);
    });

    step('takes no for an answer', async () => {
      if (agent.asks === false) return;
      await conversation.prompt(`Do one thing more. ${inScript('refuse-write')}`);
      const asked = await answerAll(conversation, refuse, () => stage.picture('refused-card'));
      assert.ok(asked.length > 0, 'no permission was asked');
      assert.equal(existsSync(join(stage.folder, 'unwanted.txt')), false);
      await stage.picture('refused');
    });

    step('changes an option, and it sticks', async () => {
      await choose(...agent.option);
      await stage.picture('option');
    });

    step('stops a slow turn, and the next prompt works', async () => {
      await conversation.prompt(`Take your time. ${inScript('slow')}`);
      await conversation.says('slow3', { timeoutMs: 60_000 });
      await conversation.stopButton.click();
      await conversation.turnEnd({ timeoutMs: 15_000 });
      await conversation.prompt(`And now? ${inScript('hello')}`);
      await conversation.says('Hello again, still here.', { timeoutMs: 60_000 });
      await conversation.turnEnd();
      assert.doesNotMatch(await conversation.log.innerText(), /slow250/);
      const [label, choice] = agent.option;
      assert.equal(await chosen(label), choice, 'the option of before is still chosen');
    });

    if (agent.steers >= (protocol ?? 1)) {
      step('takes a message into the running turn', async () => {
        const stopped = async () => (await conversation.log.innerText()).split('Stopped').length;
        const [before, asked] = [await stopped(), stage.asked.length];
        await conversation.prompt(`Count a little. ${inScript('count')}`);
        await conversation.says('count3', { timeoutMs: 60_000 });
        await conversation.composer.fill(`Mind the tests, too. ${inScript('heard')}`);
        await conversation.composer.press('Control+Enter');
        await conversation.says('Mind the tests, too.', { timeoutMs: 30_000 });
        await conversation.turnEnd({ timeoutMs: 90_000 });
        await stage.picture('steered');
        const requests = stage.asked.slice(asked).map(({ text }) => text);
        assert.ok(
          requests.some((text) => text.includes('Count a little') && text.includes('Mind the tests, too.')),
          'the model was asked with it',
        );
        // A queued message would have come after the whole count. A message that replaces the turn would have stopped the count.
        assert.doesNotMatch(await conversation.log.innerText(), /count59/);
        assert.equal(await stopped(), before);
        assert.equal(await conversation.queue.count(), 0);
      });
    }

    step('comes back after a crash, and remembers', async () => {
      for (const { pid } of processesOf(stage.home)) process.kill(pid, 'SIGKILL');
      if (transport) await connectedAgain();
      else await conversation.frame.getByRole('button', { name: 'Restart', exact: true }).click();
      const before = stage.asked.length;
      await conversation.prompt(`Do you remember? ${inScript('hello')}`);
      await until('the second greeting', async () => (await conversation.log.innerText()).split('Hello again, still here.').length === 3, {
        timeoutMs: 60_000,
      });
      await conversation.turnEnd();
      const text = await conversation.log.innerText();
      assert.equal(text.split('That was all of it.').length, 2, 'what was said before is there once');
      const remembered = stage.asked
        .slice(before)
        .some((request) => request.text.includes('Please fix add') && request.text.includes('Do you remember?'));
      assert.equal(remembered, agent.remembers !== false, 'the model is told what was said before');
      assert.equal(text.includes("doesn't remember the conversation above"), agent.remembers === false);
      await stage.picture('restarted');
    });

    step('ends, and leaves no process', async () => {
      assert.notDeepEqual(processesOf(stage.home), [], 'the agent ran until now');
      await stage.window.command('ACP: End Session');
      await conversation.frame.getByText('This session has ended.').waitFor();
      // An agent's own server outlives the session.
      if (transport && agent.serve) await closeServers();
      await until('its processes to end', () => processesOf(stage.home).length === 0, { timeoutMs: 15_000 });
      await stage.picture('ended');
    });

    /** The line below the header counts down until the connection is made again. */
    async function connectedAgain() {
      const line = conversation.frame.locator('.reconnect-line');
      await line.waitFor();
      await line.waitFor({ state: 'detached', timeout: 60_000 });
      await until('the agent to be ready', async () => (await conversation.composer.getAttribute('placeholder')).includes(name));
    }

    const starting = () => conversation.frame.getByText(`Starting ${name}…`).isVisible();

    /** Watches a message from its first words to its last; `stop()` returns the lengths seen. */
    function watchText(first, last) {
      const lengths = new Set();
      let going = true;
      const watching = (async () => {
        for (; going; await wait(40)) {
          const text = await conversation.log.innerText({ timeout: 2000 }).catch(() => '');
          const at = text.lastIndexOf(first);
          if (at >= 0) lengths.add(text.length - at);
          if (text.includes(last)) return;
        }
      })();
      return {
        stop: async () => {
          going = false;
          await watching;
          return [...lengths];
        },
      };
    }

    async function choose(label, choice) {
      await chooseOption(conversation.frame, label, choice);
      await wait(CONFIRMED_MS);
      assert.equal(await chosen(label), choice);
    }

    function chosen(label) {
      return chosenOption(conversation.frame, label);
    }

    /** Expands every collapsed card. */
    async function openCards() {
      const headers = conversation.log.getByRole('article').locator('.tool-header[aria-expanded="false"]');
      for (let more = await headers.count(); more > 0; more--) await headers.first().click();
    }
  });
}
