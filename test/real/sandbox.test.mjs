// Each agent named in ACP_HOST_REAL_AGENTS as a whole in the sandbox. Skipped by name where bubblewrap does not run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { chooseOption } from '../harness/lib/configOptions.mjs';
import { until } from '../harness/lib/driver.mjs';
import { newSession } from '../harness/lib/journey.mjs';
import { agents } from './agents.mjs';
import { allow, answerAll, patiently } from './answers.mjs';
import { inScript } from './llm/script.mjs';
import { keepJournal, leaveEvidence, openWithAgent, processesOf } from './stage.mjs';

const missing = missingSandbox();

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',')) {
  const title = `${name}, in the sandbox${missing === undefined ? '' : ` (skipped: ${missing})`}`;
  (missing === undefined ? describe : describe.skip)(title, () => {
    const outside = join(homedir(), `acp-host-real-outside-${process.pid}`);
    const secret = join(homedir(), `acp-host-real-secret-${process.pid}`);
    let stage;
    let conversation;

    before(async () => {
      writeFileSync(secret, 'TOKEN=4711');
      stage = await openWithAgent(name, {
        settings: (model) => ({
          'acpHost.sandbox': { [name]: 'agent' },
          'acpHost.sandbox.hosts': [new URL(model).host],
          'acpHost.sandbox.unreadable': [secret],
        }),
      });
      const { folder, scripts } = stage;
      const shell = (command) => ({ text: 'A command.', tools: [{ kind: 'shell', args: { command } }] });
      scripts.sandboxed = [
        { text: 'I read.', tools: [{ kind: 'read', args: { path: join(folder, 'src', 'calc.js') } }] },
        {
          text: 'I fix.',
          tools: [{ kind: 'edit', args: { path: join(folder, 'src', 'calc.js'), old: 'return a - b;', new: 'return a + b;' } }],
        },
        shell(`node -p "'six times seven is ' + 6 * 7" > ${folder}/result.txt`),
        shell(`echo planted > ${outside}`),
        shell(`cat ${secret} > ${folder}/stolen.txt`),
        { text: 'All was tried.' },
      ];
      conversation = await patiently(() => newSession(stage.window, name));
      const isStarting = () => conversation.frame.getByText(`Starting ${name}…`).isVisible();
      const isReady = async () => (await conversation.composer.getAttribute('placeholder')).includes(name) && !(await isStarting());
      await until('the agent to be ready', isReady, { timeoutMs: 90_000 });
      const { first, writes = first } = agents[name];
      if (writes) await chooseOption(conversation.frame, ...writes);
    });

    afterEach(async function () {
      if (this.currentTest.state === 'failed') await leaveEvidence(`${name}-sandbox`);
    });

    after(() => {
      keepJournal(`${name}-sandbox`);
      [outside, secret].forEach((file) => rmSync(file, { force: true }));
    });

    it('edits, runs a test and keeps its own state, but writes and reads nothing outside', async () => {
      const { folder, home } = stage;
      await conversation.prompt(`Please work. ${inScript('sandboxed')}`, { timeoutMs: 90_000 });
      await answerAll(conversation, allow);
      await conversation.says('All was tried.', { timeoutMs: 90_000 });
      await stage.picture('sandbox');
      assert.match(readFileSync(join(folder, 'src', 'calc.js'), 'utf8'), /a \+ b/);
      assert.equal(readFileSync(join(folder, 'result.txt'), 'utf8').trim(), 'six times seven is 42');
      assert.equal(existsSync(outside), false);
      assert.doesNotMatch(existsSync(join(folder, 'stolen.txt')) ? readFileSync(join(folder, 'stolen.txt'), 'utf8') : '', /4711/);
      const state = [join(home, '.claude'), join(home, '.codex')].filter(existsSync).flatMap((each) => readdirSync(each));
      assert.ok(state.length > 1, `its state: ${state.join(', ')}`);
      await conversation.frame
        .getByText(/The sandbox refused to write/)
        .first()
        .waitFor({ state: 'attached' });
    });

    it('ends with everything that it started', async () => {
      await stage.window.command('ACP: End Session');
      await until('no process of it', () => processesOf(stage.home).length === 0, { timeoutMs: 20_000 });
    });
  });
}

/** Why this machine has no sandbox; undefined when it has one. */
function missingSandbox() {
  try {
    const args = ['--unshare-user', '--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', 'true'];
    execFileSync('bwrap', args, { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `bubblewrap does not run here: ${error.message.split('\n')[0]}`;
  }
}
