/**
 * Operations for which the user is asked although the agent did not ask: protected files, commands. The events are in
 * test/golden/scenarios/protected/.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Stage } from '../../support/scenario/stage';
import type { Step } from '../scripted/steps';
import { scenarios } from './suite';

const write = (name: string, content = 'planted\n'): Step => ({ write: { path: `\${cwd}/${name}`, content } });
const read = (name: string): Step => ({ read: `\${cwd}/${name}` });
const request = (method: string, params: object): Step => ({ request: { method, params: { sessionId: 'session-1', ...params } } });

/** Links and folders that a repository can contain. */
async function repository({ cwd }: Stage): Promise<void> {
  for (const folder of ['.git/hooks', 'src', 'conf', 'bare/objects', 'bare/refs', 'packages/a/.vscode']) {
    await mkdir(path.join(cwd, folder), { recursive: true });
  }
  await writeFile(path.join(cwd, 'bare/HEAD'), 'ref: refs/heads/main\n');
  await symlink('../.git/hooks', path.join(cwd, 'src/scripts'));
  await symlink('conf', path.join(cwd, '.vscode'));
  await symlink('.env', path.join(cwd, 'notes.txt'));
  await symlink('../.bashrc', path.join(cwd, 'src/new.txt'));
}

/** Gives this answer to each request, and asserts that no file has changed by then. */
function unchanged(answer: string): { readonly answer: () => string; watch(stage: Stage): void } {
  let stage: Stage | undefined;
  let before: readonly (readonly [string, string])[] = [];
  const files = () => [...stage!.buffers.disk.files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()] as const);
  return {
    answer: () => {
      assert.deepEqual(files(), before);
      return answer;
    },
    watch: (watched) => {
      stage = watched;
      before = files();
    },
  };
}

scenarios('protected', (scenario) => {
  const refusing = unchanged('reject');

  scenario('writes', { answer: refusing.answer }, async (stage) => {
    await repository(stage);
    refusing.watch(stage);
    await stage.turn(
      write('.git/hooks/pre-commit'),
      write('.git'),
      write('.GIT/config'),
      write('.g\u200cit/config'),
      write('.ＧＩＴ/config'),
      write('GIT~1/config'),
      write('src/../.git/config'),
      write('src/scripts/pre-commit'),
      write('src/new.txt'),
      write('.vscode/settings.json'),
      write('conf/settings.json'),
      write('packages/a/.vscode/tasks.json'),
      write('bare/hooks/post-checkout'),
      write('.devcontainer/devcontainer.json'),
      write('.husky/pre-push'),
      write('.github/workflows/ci.yml'),
      write('deep/down/any.code-workspace'),
      write('.npmrc'),
      write('.envrc'),
      write('.bashrc'),
      write('.profile'),
      write('.gitconfig'),
      write('.mcp.json'),
      write('.claude/settings.json'),
      write('src/fine.txt'),
    );
  });

  const unread = unchanged('reject');
  scenario('reads', { answer: unread.answer }, async (stage) => {
    await repository(stage);
    for (const name of ['.env', 'src/.env.local', 'certs/server.KEY', '.ssh/id_ed25519', 'keys/id_ed25519.pub', 'src/code.ts']) {
      await stage.file(name, `${name}: secret\n`);
    }
    unread.watch(stage);
    await stage.turn(
      read('.env'),
      read('src/.env.local'),
      read('certs/server.KEY'),
      read('.ssh/id_ed25519'),
      read('notes.txt'),
      read('.git/../.env'),
      read('keys/id_ed25519.pub'),
      read('src/code.ts'),
    );
  });

  scenario(
    'allowed-once-and-for-the-session',
    { answer: (title) => (title.startsWith('Read') ? 'allow' : 'allow_session') },
    async (stage) => {
      await stage.file('.vscode/settings.json', '{}\n');
      await stage.file('.vscode/tasks.json', '[]\n');
      await stage.file('.env', 'KEY=1\n');
      await stage.turn(
        read('.env'),
        read('.env'),
        write('.vscode/settings.json', '{ "a": 1 }\n'),
        write('.vscode/settings.json', '{ "a": 2 }\n'),
        write('.vscode/tasks.json', '{}\n'),
      );
    },
  );

  scenario('overwrites', { answer: (title) => (title.includes('pem') ? 'allow' : 'reject') }, async (stage) => {
    await repository(stage);
    await stage.file('.env', 'KEY=not-for-the-conversation\n');
    await stage.file('server.pem', 'KEY=not-for-the-conversation\n');
    await stage.turn(
      write('.env', 'KEY=planted\n'),
      write('notes.txt', 'KEY=planted\n'),
      write('server.pem', 'KEY=planted\n'),
      // A new file does not replace another.
      write('.env.example', 'KEY=\n'),
    );
  });

  scenario('a-secret-is-not-shown', { answer: () => 'allow' }, async (stage) => {
    await stage.file('.npmrc', '//registry.example/:_authToken=kept-away\n');
    await stage.turn(write('.npmrc', 'audit=false\n'));
  });

  scenario('led-elsewhere-while-the-user-was-asked', { answer: () => undefined }, async (stage) => {
    await mkdir(path.join(stage.cwd, '.husky'));
    await symlink('.husky', path.join(stage.cwd, 'way'));
    await stage.ready();
    stage.script(write('way/pre-commit'));
    await stage.seen('permission_requested');
    await mkdir(path.join(stage.cwd, '.git'));
    await symlink('.git', path.join(stage.cwd, 'other'));
    await rename(path.join(stage.cwd, 'other'), path.join(stage.cwd, 'way'));
    stage.session.answerPermission(stage.session.store.state.pendingPermissions[0]!, 'allow');
    await stage.turnEnd();
  });

  scenario('others-go-on-while-the-user-is-asked', { answer: () => undefined }, async (stage) => {
    await stage.file('calc.js', 'text\n');
    await stage.ready();
    stage.script({
      together: [
        write('.husky/pre-commit'),
        { repeat: { times: 1, steps: [{ sleep: 1500 }, read('calc.js'), write('made.txt'), { say: 'both done' }] } },
      ],
    });
    await stage.seen('message_chunk', ({ content }) => content.type === 'text' && content.text === 'both done');
    stage.session.answerPermission(stage.session.store.state.pendingPermissions[0]!, 'allow');
    await stage.turnEnd();
  });

  scenario('stopped-and-withdrawn', { answer: () => undefined }, async (stage) => {
    await stage.ready();
    stage.script({
      together: [
        {
          request: {
            method: 'fs/write_text_file',
            params: { sessionId: 'session-1', path: '${cwd}/.husky/pre-commit', content: 'x' },
            cancelled: 'withdraw',
          },
        },
        // The pauses fix the order: otherwise the disk decides about which of them the user is asked first.
        { repeat: { times: 1, steps: [{ sleep: 400 }, request('fs/write_text_file', { path: '${cwd}/.git/config', content: 'x' })] } },
        { repeat: { times: 1, steps: [{ sleep: 800 }, request('terminal/create', { command: 'touch', args: ['${cwd}/touched'] })] } },
      ],
    });
    await stage.when('three questions', () => stage.session.store.state.pendingPermissions.length === 3);
    stage.cancel();
    await stage.turnEnd();
  });

  scenario('agent-dies-while-the-user-is-asked', { answer: () => undefined }, async (stage) => {
    await stage.turn({
      together: [
        write('.git/config'),
        { terminal: { command: 'touch', args: ['${cwd}/touched'] } },
        { repeat: { times: 1, steps: [{ pause: 500 }, { exit: 1 }] } },
      ],
    });
    assert.deepEqual(await readdir(stage.cwd), []);
  });

  scenario('shown-in-the-agents-own-request', {}, async (stage) => {
    await stage.file('.vscode/settings.json', '{\n  "a": 1\n}\n');
    const settings = '${cwd}/.vscode/settings.json';
    const ask = (newText: string): Step => ({
      permission: {
        toolCall: {
          toolCallId: 'edit',
          title: 'Edit settings',
          kind: 'edit',
          content: [{ type: 'diff', path: settings, oldText: '"a": 1', newText }],
        },
      },
    });
    await stage.turn(
      ask('"a": 2'),
      write('.vscode/settings.json', '{\n  "a": 2\n}\n'),
      // Allowed once, and only for that text.
      write('.vscode/settings.json', '{\n  "a": 3\n}\n'),
      {
        permission: {
          toolCall: {
            toolCallId: 'places',
            title: 'Edit tasks',
            kind: 'edit',
            locations: [{ path: '${cwd}/.vscode/tasks.json' }],
            rawInput: { path: '${cwd}/.vscode/tasks.json', content: '{}' },
          },
        },
      },
      write('.vscode/tasks.json', '{}'),
    );
  });

  scenario('shown-in-the-agents-own-request-by-another-name', {}, async (stage) => {
    await repository(stage);
    const ask = (name: string): Step => ({
      permission: {
        toolCall: {
          toolCallId: name,
          title: name,
          kind: 'edit',
          content: [{ type: 'diff', path: `\${cwd}/${name}`, oldText: null, newText: 'planted\n' }],
        },
      },
    });
    await stage.turn(
      ask('src/scripts/pre-commit'),
      write('src/scripts/pre-commit'),
      ask('conf/settings.json'),
      write('conf/settings.json'),
      ask('bare/config'),
      write('bare/config'),
    );
  });

  scenario(
    'rules-of-the-user',
    {
      protectedPaths: { '.husky': 'off', 'secret-*.md': 'readWrite', '.vscode/extensions.json': 'off', nonsense: 7 },
      answer: () => 'reject',
    },
    async (stage) => {
      await stage.file('docs/secret-plan.md', 'plan\n');
      await stage.turn(
        write('.husky/pre-commit'),
        read('docs/secret-plan.md'),
        write('docs/Secret-Plan.md'),
        write('.vscode/extensions.json'),
        write('.vscode/tasks.json'),
      );
    },
  );

  scenario('agent-outside-a-turn', { answer: () => 'reject' }, async (stage) => {
    await stage.ready();
    stage.script({ afterResponse: [write('.git/config'), { terminal: { command: 'printf', args: ['ran'] } }, { say: 'done' }] });
    await stage.turnEnd();
    await stage.seen('message_chunk', ({ content }) => content.type === 'text' && content.text === 'done');
  });

  const env = [{ name: 'GIT_DIR', value: '/elsewhere' }];

  scenario('commands-refused', { answer: () => 'reject' }, async (stage) => {
    await stage.turn(
      { terminal: { command: 'printf ran; printf "%s" more' } },
      { terminal: { command: 'printf', args: ['a b', 'c'], env } },
    );
  });

  scenario('commands-allowed', { answer: (title) => (title === 'No' ? 'reject' : 'allow') }, async (stage) => {
    await stage.turn(
      { terminal: { command: 'printf', args: ['asked about'] } },
      { permission: { toolCall: { toolCallId: 'no', title: 'No' } } },
      { terminal: { command: 'printf', args: ['asked about, the agent was refused'] } },
      { permission: { toolCall: { toolCallId: 'yes', title: 'Yes' } } },
      { terminal: { command: 'printf', args: ['permitted in this turn'] } },
    );
    await stage.turn({ terminal: { command: 'printf', args: ['asked about in the next turn'] } });
  });

  scenario('commands-allowed-for-the-session', { answer: () => 'allow_session' }, async (stage) => {
    await stage.turn({ terminal: { command: 'printf', args: ['asked about'] } }, { terminal: { command: 'printf', args: ['allowed'] } });
  });

  scenario('commands-never-asked-about', { askBeforeCommands: { Scripted: 'never' }, answer: () => undefined }, async (stage) => {
    await stage.turn({ terminal: { command: 'printf', args: ['ran'] } });
  });

  scenario(
    'commands-always-asked-about',
    { askBeforeCommands: { '*': 'always' }, answer: (title) => (title === 'Yes' ? 'allow' : 'reject') },
    async (stage) => {
      await stage.turn(
        { permission: { toolCall: { toolCallId: 'yes', title: 'Yes' } } },
        { terminal: { command: 'printf', args: ['ran'] } },
      );
    },
  );
});
