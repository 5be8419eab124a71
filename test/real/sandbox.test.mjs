// Each agent named in ACP_HOST_REAL_AGENTS as a whole in the sandbox. Skipped by name where bubblewrap does not run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
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
/** The folder for temporary files of Claude, which must be writable in the sandbox. */
const env = { CLAUDE_CODE_TMPDIR: '/tmp' };

for (const name of process.env.ACP_HOST_REAL_AGENTS.split(',')) {
  const title = `${name}, in the sandbox${missing === undefined ? '' : ` (skipped: ${missing})`}`;
  (missing === undefined ? describe : describe.skip)(title, () => {
    const outside = join(homedir(), `acp-host-real-outside-${process.pid}`);
    const secret = join(homedir(), `acp-host-real-secret-${process.pid}`);
    const unlisted = createServer((_request, response) => response.end('reached'));
    let hits = 0;
    const homes = [];
    /** A home outside of the temporary folder, which a sandbox replaces by one of its own. */
    const home = () => {
      homes.push(mkdtempSync(join(homedir(), 'acp-host-real-home-')));
      // OpenCode writes this file at its first start, and does not start where it cannot.
      mkdirSync(join(homes.at(-1), '.config', 'opencode'), { recursive: true });
      writeFileSync(join(homes.at(-1), '.config', 'opencode', '.gitignore'), 'node_modules\n');
      return homes.at(-1);
    };
    let stage;
    let conversation;

    before(async () => {
      writeFileSync(secret, 'TOKEN=4711');
      unlisted.on('connection', () => hits++);
      await new Promise((resolve) => unlisted.listen(0, '127.0.0.1', resolve));
      stage = await openWithAgent(name, {
        home: home(),
        env,
        settings: (model) => ({
          'acpHost.sandbox': { [name]: 'agent' },
          'acpHost.sandboxHosts': [new URL(model).host],
          'acpHost.sandboxUnreadable': [secret],
        }),
      });
      const { folder, scripts } = stage;
      const key = join(stage.home, '.ssh', 'id_work');
      mkdirSync(join(stage.home, '.ssh'));
      writeFileSync(key, 'PRIVATE KEY 4711');
      const { port } = unlisted.address();
      const requests = `curl -sS -m 5 http://127.0.0.1:${port}/; curl -sS -m 5 http://unlisted.example/; true`;
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
        shell(`cat ${key} >> ${folder}/stolen.txt`),
        shell(`(${requests}) > ${folder}/requests.txt 2>&1`),
        shell('setsid nohup sleep 4711 > /dev/null 2>&1 & echo left behind'),
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
      [outside, secret, ...homes].forEach((file) => rmSync(file, { recursive: true, force: true, maxRetries: 5 }));
      unlisted.close();
    });

    it('edits, runs a test and keeps its own state, but writes, reads and reaches nothing outside', async () => {
      const { folder } = stage;
      await conversation.prompt(`Please work. ${inScript('sandboxed')}`, { timeoutMs: 90_000 });
      await answerAll(conversation, allow);
      await conversation.says('All was tried.', { timeoutMs: 90_000 });
      await stage.picture('sandbox');
      assert.match(readFileSync(join(folder, 'src', 'calc.js'), 'utf8'), /a \+ b/);
      assert.equal(readFileSync(join(folder, 'result.txt'), 'utf8').trim(), 'six times seven is 42');
      assert.equal(existsSync(outside), false);
      assert.doesNotMatch(existsSync(join(folder, 'stolen.txt')) ? readFileSync(join(folder, 'stolen.txt'), 'utf8') : '', /4711/);
      assert.equal(hits, 0, 'the host that is not listed was reached');
      assert.match(readFileSync(join(folder, 'requests.txt'), 'utf8'), /curl: \(/);
      // The agent has stored the conversation outside of its folders, as it stores its sign-in.
      assert.ok(
        stateOf(stage.home).some((file) => readFileSync(file, 'latin1').includes('script sandboxed')),
        stateOf(stage.home).join(', '),
      );
      await appears(conversation, /The sandbox refused to write/);
      await appears(conversation, /The sandbox refused a connection to unlisted\.example/);
    });

    it('ends with everything that it started', async () => {
      assert.ok(
        processesOf(stage.home).some(({ command }) => command.includes('sleep 4711')),
        'nothing was left behind',
      );
      await stage.window.command('ACP: End Session');
      await until('no process of it', () => processesOf(stage.home).length === 0, { timeoutMs: 20_000 });
    });

    it('is not held by a sandbox around the commands of ACP Host, which its own commands are not', async () => {
      stage = await openWithAgent(name, { home: home(), env, settings: () => ({ 'acpHost.sandbox': { [name]: 'commands' } }) });
      const shell = { kind: 'shell', args: { command: `echo planted > ${outside}` } };
      stage.scripts.outside = [{ text: 'I write outside.', tools: [shell] }, { text: 'It is written.' }];
      conversation = await patiently(() => newSession(stage.window, name));
      await conversation.frame.getByText('Sandbox: Commands').waitFor();
      const { first, writes = first } = agents[name];
      await until('the agent to be ready', async () => (await conversation.composer.getAttribute('placeholder')).includes(name));
      if (writes) await chooseOption(conversation.frame, ...writes);
      await conversation.prompt(`Please work. ${inScript('outside')}`, { timeoutMs: 90_000 });
      await answerAll(conversation, allow);
      await conversation.says('It is written.', { timeoutMs: 90_000 });
      assert.equal(existsSync(outside), true);
      // The choice of the sandbox says so.
      await conversation.frame.locator('#more-menu-button').click();
      await conversation.frame.getByRole('menuitem', { name: 'Sandbox: Commands…' }).click();
      await stage.window.page
        .locator('.quick-input-widget:visible')
        .getByRole('option', { name: /^Commands/ })
        .waitFor();
      await stage.picture('sandbox-commands');
      await stage.window.dismiss();
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

/** Waits for a refusal, whose tool call may be collapsed. */
async function appears(conversation, text) {
  await conversation.frame.getByText(text).first().waitFor({ state: 'attached' });
}

/** The files in the folders in which agents keep their state. */
function stateOf(home) {
  const folders = ['.claude', '.codex', '.local/share/opencode'].map((each) => join(home, each)).filter(existsSync);
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
}
