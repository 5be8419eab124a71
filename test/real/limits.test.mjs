// The limit of an account, at the agents in ACP_HOST_REAL_AGENTS that name the time of its reset. The conversation continues by itself at that time,
// although the window was reloaded meanwhile.
import assert from 'node:assert/strict';
import { until } from '../harness/lib/driver.mjs';
import { Conversation, newSession } from '../harness/lib/journey.mjs';
import { agents, protocol } from './agents.mjs';
import { patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { keepJournal, leaveEvidence, openWithAgent, processesOf } from './stage.mjs';

const version = protocol ?? 1;
/** Seconds. A page counts waits of up to a minute down. */
const WAIT = 100;
/** Seconds that the agents leave out of the time that they name. */
const MINUTE = 60;

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',').filter((each) => agents[each].limit)) {
  describe(`the limit of ${name}, in version ${version}`, () => {
    const { limit } = agents[name];
    let stage;
    let conversation;

    before(async () => {
      stage = await openWithAgent(name, { env: limit.env });
      conversation = await patiently(() => newSession(stage.window, name));
    });
    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-${version}-limit`);
    });
    after(() => keepJournal(`${name}-limits-v${version}`));

    const picture = (what) => stage.picture(`v${version}-limit-${what}`);
    const times = async (text) => (await conversation.log.innerText()).split(text).length - 1;
    /** The requests of the conversation with this text. Those for a title have no tools. */
    const asked = (text) =>
      stage.asked.filter((each) => each.method === 'POST' && each.text.includes(text) && /"tools":\[\{/.test(each.text));

    it('resets at a time at which the conversation continues, over a reload of the window', async function () {
      this.timeout((WAIT + MINUTE + 120) * 1000);
      await conversation.prompt(`Please say hello. ${inScript('hello')}`);
      await until('the greeting', async () => (await times('Hello again, still here.')) === 1, { timeoutMs: 60_000 });
      await conversation.turnEnd();

      const resetsAt = (Math.ceil(Date.now() / 1000) + WAIT) * 1000;
      Object.defineProperty(stage.scripts, 'limited', {
        enumerable: true,
        get: () => [Date.now() < resetsAt ? { error: limit.refusal(resetsAt) } : { text: 'The limit has reset.' }],
      });
      await conversation.prompt(`Please go on. ${inScript('limited')}`);
      await conversation.frame.getByRole('button', { name: /^Continue at / }).waitFor({ timeout: 60_000 });
      assert.match(await conversation.log.innerText(), limit.text);
      await picture('met');
      await conversation.frame.getByRole('button', { name: /^Continue at / }).click();
      await conversation.frame.getByText(/^Continues by itself at /).waitFor();
      await conversation.say(`And then this. ${inScript('heard')}`);
      await until('it to be queued', async () => (await conversation.queued()).length === 1);
      await picture('waiting');
      const before = asked('Please go on.').length;

      await stage.window.reload();
      await stage.window.panel();
      conversation = new Conversation(stage.window);
      await conversation.frame
        .getByText(/^Queued until /)
        .first()
        .waitFor();
      await picture('reloaded');
      await until('the old processes to end', () => processesOf(stage.home).length === 0, { timeoutMs: 20_000 });

      await until('both answers', async () => (await times('The limit has reset.')) === 1 && (await times('I mind them, too.')) === 1, {
        timeoutMs: (WAIT + MINUTE + 60) * 1000,
      });
      await picture('continued');
      assert.ok(Date.now() >= resetsAt);
      const requests = asked('Please go on.').slice(before);
      const early = requests.filter(({ at }) => Date.parse(at) < resetsAt).map(({ at }) => at);
      assert.deepEqual(early, [], `nothing is asked before ${new Date(resetsAt).toISOString()}`);
      const text = await conversation.log.innerText();
      assert.ok(text.indexOf('The limit has reset.') < text.indexOf('And then this.'), 'the failed prompt comes first');
      assert.equal((await conversation.queued()).length, 0);
      assert.equal(await conversation.frame.getByText(/^Continues by itself at /).count(), 0);
    });
  });
}
