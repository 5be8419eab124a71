/**
 * Real agents and the user's rules, on our stack without VS Code: a rule allows a request, a rule denies one, and the model reads its message.
 *
 *     ACP_HOST_REAL_AGENTS=claude,codex-acp,opencode npx mocha --require ./test/support/tsx.cjs test/real/rules.test.ts
 */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ProcessLaunch } from '../../src/core/model/agentLaunch';
import type { PermissionEntry } from '../../src/core/model/state';
import { Stage } from '../support/scenario/stage';
import { StageRules } from '../support/scenario/stageRules';

interface Modules {
  readonly agents: Readonly<Record<string, { readonly first?: readonly [string, string] }>>;
  settingsEntry(name: string, places: object): Pick<ProcessLaunch, 'command' | 'args' | 'env'>;
  ensureAgent(name: string, options: { readonly nodeFolder: string }): Promise<string>;
  startModel(
    scripts: object,
  ): Promise<{ readonly url: string; readonly log: readonly { readonly text: string; readonly url?: string }[]; close(): Promise<void> }>;
}

const names = (process.env['ACP_HOST_REAL_AGENTS'] ?? '').split(',').filter((name) => name !== '');
const protocol = process.env['ACP_HOST_REAL_PROTOCOL'] === '2' ? 2 : 1;
const MESSAGE = 'Ask me before you push, in a sentence with seven words.';

async function modules(): Promise<Modules> {
  const files = ['test/real/agents.mjs', 'test/real/install.mjs', 'test/real/llm/server.mjs'];
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(pathToFileURL(path.resolve(file)).href))))) as Modules;
}

for (const name of names) {
  describe(`the rules of ${name} in version ${protocol}`, function () {
    this.timeout(240_000);

    let real: Modules;
    let model: Awaited<ReturnType<Modules['startModel']>>;
    let stage: Stage;
    const temporary: string[] = [];
    const folder = (label: string): string => {
      const made = realpathSync(mkdtempSync(path.join(tmpdir(), `real-${label}-`)));
      temporary.push(made);
      return made;
    };
    const state = () => stage.session.store.state;
    const questions = (): readonly PermissionEntry[] =>
      [...state().entries].flatMap((entry) => (entry.kind === 'permission' ? [entry as PermissionEntry] : []));

    before(async () => {
      real = await modules();
      const nodeFolder = path.dirname(process.env['ACP_HOST_REAL_NODE'] ?? process.execPath);
      const installed = await real.ensureAgent(name, { nodeFolder });
      const cwd = folder('workspace');
      writeFileSync(path.join(cwd, 'list.txt'), 'one\n');
      // Codex asks about a command only outside of its sandbox, and calls it from a small program.
      const escalated = { sandbox_permissions: 'require_escalated', justification: 'The command needs it.' };
      const program = (cmd: string) => `text(await tools.exec_command(${JSON.stringify({ cmd, ...escalated })}))`;
      const shell = (command: string) =>
        name === 'codex-acp' ? { kind: 'exec', args: { input: program(command) } } : { kind: 'shell', args: { command } };
      const scripts = {
        allowed: [{ text: 'I touch a file.', tools: [shell('touch made.txt')] }, { text: 'Done.' }],
        denied: [{ text: 'I push.', tools: [shell('git push origin main')] }, { text: 'Very well.' }],
        after: [{ text: 'Again.' }],
      };
      model = await real.startModel(scripts);
      const entry = real.settingsEntry(name, { modules: installed, home: folder('home'), llm: model.url, nodeFolder });
      const rules = new StageRules([
        { effect: 'allow', command: 'touch *' },
        { effect: 'deny', command: 'git push *', message: MESSAGE },
      ]);
      const launch = { ...entry, agentId: name, agentName: name, protocol } as Partial<ProcessLaunch>;
      stage = new Stage(cwd, { launch, answer: () => undefined, defaults: null, rules });
      await stage.ready();
      const { first } = real.agents[name]!;
      const option = first && state().config.find((each) => each.name === first[0]);
      if (first && option?.type === 'select') {
        const value = option.groups.flatMap(({ choices }) => choices).find((each) => each.name === first[1])!.value;
        stage.setConfig(option.configId, value);
        await stage.when('the option', () => state().pendingConfig === undefined);
      }
    });

    after(async () => {
      await stage?.close();
      await model?.close();
      for (const made of temporary) {
        // An agent may still write into its home for a moment.
        await rm(made, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 }).catch(() => undefined);
      }
    });

    const turn = async (script: string): Promise<void> => {
      stage.prompt(`Please (script ${script})`);
      await stage.when(`the turn of ${script} to end`, () => state().turn === undefined && state().work === undefined);
    };

    it('allow a request', async () => {
      await turn('allowed');
      const [question] = questions();
      assert.equal(question?.outcome?.byRule?.reason.params?.['text'], 'Allow `touch *`');
      assert.deepEqual(state().pendingPermissions, []);
    });

    it('deny one, and the model reads the message', async () => {
      const before = model.log.length;
      await turn('denied');
      const denied = questions().at(-1);
      assert.equal(denied?.outcome?.byRule?.reason.params?.['text'], 'Deny `git push *`');
      const requests = (): string[] => model.log.slice(before).flatMap(({ text }) => (text.includes('script denied') ? [text] : []));
      const inTurn = requests().map((text) => text.includes(MESSAGE));
      console.log(
        `      requests of the turn with the message: ${JSON.stringify(inTurn)}, it ends with ${JSON.stringify([...state().entries].at(-1))}`.slice(
          0,
          300,
        ),
      );
      await turn('after');
      assert.ok(requests().at(-1)?.includes(MESSAGE) || model.log.at(-1)!.text.includes(MESSAGE), 'the model never read the message');
    });
  });
}
