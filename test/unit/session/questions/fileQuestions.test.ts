/** Questions about protected files, and the files to which an answer applies. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FileChange } from '../../../../src/core/model/content';
import { failureOf } from '../../../../src/core/model/failure';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import { Consents } from '../../../../src/policy/consents';
import { HostQuestions } from '../../../../src/session/questions/hostQuestions';
import { Permissions } from '../../../../src/session/questions/permissions';
import { type PermissionQuestion, Questions } from '../../../../src/session/questions/questions';
import { SessionStore } from '../../../../src/session/state/store';
import { identityOf } from '../../../../src/util/checkedFiles';
import { realPathOf } from '../../../../src/util/realPath';
import { questionStrings } from '../../../../src/application/permission/questionStrings';
import { english } from '../../application/english';
import { FakeClock } from '../permission/fakes';

type Answer = 'allow' | 'allow_session' | 'reject';

describe('a question about a protected file', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-questions-')));
    mkdirSync(at('.vscode'));
    writeFileSync(at('.env'), 'KEY=1\n');
    writeFileSync(at('plain.txt'), 'plain\n');
    writeFileSync(at('.vscode/tasks.json'), '{}\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A session over real files. @param whileAsked runs before the answer is given */
  function scene({ isIdentified = true, whileAsked = () => undefined as unknown } = {}) {
    const store = new SessionStore(new FakeClock());
    const asked: PermissionQuestion[] = [];
    let answer: Answer = 'allow';
    const questions = new Questions(store, (question) => {
      asked.push(question as PermissionQuestion);
      whileAsked();
      queueMicrotask(() => questions.answer(question.questionId, { optionId: answer }));
      return undefined;
    });
    const permissions = new Permissions(questions, store, () => undefined);
    const consents = new Consents();
    const host = new HostQuestions({
      agentId: 'Agent',
      agentName: 'Agent',
      roots: { cwd: folder, additionalDirectories: [] },
      deps: {
        questionWords: questionStrings(english),
        protectedRules: () => new ProtectedRules({}),
        askBeforeCommands: () => 'never',
        identityOf: async (real) => (isIdentified ? identityOf(real) : undefined),
      },
      permissions,
      consents,
    });
    const about = async (access: 'read' | 'write', name: string, content?: string): Promise<unknown> => {
      const real = await realPathOf(at(name));
      const present = async () => {
        try {
          return readFileSync(real, 'utf8');
        } catch {
          return null;
        }
      };
      const operation = { access, requested: at(name), path: real, present, ...(content !== undefined && { content }) };
      return host.aboutFile(operation, undefined).catch((error: unknown) => failureOf(error).code);
    };
    return {
      consents,
      asked,
      read: (name: string, given: Answer = 'allow') => ((answer = given), about('read', name)),
      write: (name: string, content: string, given: Answer = 'allow') => ((answer = given), about('write', name, content)),
      /** The user allows one of the agent's own requests, which shows these changes. */
      async shows(...changes: FileChange[]) {
        answer = 'allow';
        store.append({ type: 'turn_started', turnId: 'turn' });
        const options = [{ optionId: 'allow', name: 'Allow', kind: 'allow_once' }];
        await permissions.request(
          { title: 'Edit', options, subject: { content: [{ type: 'diff', changes }] } } as never,
          new AbortController().signal,
        );
        asked.length = 0;
      },
    };
  }

  const names = ({ options }: PermissionQuestion): string[] => options.map(({ optionId }) => optionId);

  it('is not asked again once the user allowed the file for the session, by any of its names', async () => {
    symlinkSync('.env', at('notes.txt'));
    const { read, asked } = scene();
    assert.equal(await read('.env', 'allow_session'), true);
    assert.equal(await read('.env'), false);
    assert.equal(await read('notes.txt'), false);
    assert.equal(asked.length, 1);
  });

  it('is asked again after another file replaced the allowed one', async () => {
    for (const access of ['read', 'write'] as const) {
      const { read, write, asked } = scene();
      const use = () => (access === 'read' ? read('.env', 'allow_session') : write('.env', 'x', 'allow_session'));
      await use();
      writeFileSync(at('other'), 'KEY=2\n');
      renameSync(at('other'), at('.env'));
      assert.equal(await use(), true);
      assert.equal(asked.length, 2, access);
    }
  });

  it('is asked each time, without an answer for the session, when the file cannot be identified', async () => {
    const { read, asked, consents } = scene({ isIdentified: false });
    assert.equal(await read('.env'), true);
    assert.equal(await read('.env'), true);
    assert.deepEqual(asked.map(names), [
      ['allow', 'reject'],
      ['allow', 'reject'],
    ]);
    assert.equal(await consents.mayRead(at('.env')), false);
  });

  it('allows nothing when another file replaced it while the user was asked', async () => {
    const { read, consents } = scene({
      whileAsked: () => {
        writeFileSync(at('other'), 'KEY=2\n');
        renameSync(at('other'), at('.env'));
      },
    });
    assert.equal(await read('.env', 'allow_session'), 'fs.led_elsewhere');
    assert.equal(await consents.mayRead(at('.env')), false);
  });

  it('records consent to reading for the session only, and only for the file in question', async () => {
    const { read, write, consents } = scene();
    await read('.env', 'allow');
    assert.equal(await consents.mayRead(at('.env')), false);
    assert.equal(await read('.env', 'reject'), 'fs.protected');
    assert.equal(await consents.mayRead(at('.env')), false);
    await write('.vscode/tasks.json', '1', 'allow_session');
    assert.equal(await consents.mayRead(at('.vscode/tasks.json')), false);
    await read('.env', 'allow_session');
    assert.equal(await consents.mayRead(at('.env')), true);
    rmSync(at('.env'));
    symlinkSync('plain.txt', at('.env'));
    assert.equal(await consents.mayRead(at('.env')), false);
    assert.equal(await consents.mayRead(at('plain.txt')), false);
  });

  it('is asked before a write replaces a file that is protected from reading, and mentions that', async () => {
    symlinkSync('.env', at('notes.txt'));
    const { write, asked } = scene();
    assert.equal(await write('.env', 'KEY=\n', 'reject'), 'fs.protected');
    assert.equal(await write('notes.txt', 'KEY=\n'), true);
    assert.deepEqual(
      asked.map(({ title, subject: { reason } }) => [title, reason?.type === 'protected_path' && reason.overwrites]),
      [
        ['Overwrite a protected file (.env)', true],
        ['Overwrite a protected file (notes.txt)', true],
      ],
    );
    assert.doesNotMatch(JSON.stringify(asked), /KEY=1/, 'the conversation must not hold the secret');
  });

  it('is not asked for a new file whose name is protected from reading, or for other files', async () => {
    const { write, asked } = scene();
    assert.equal(await write('.env.example', 'KEY=\n'), false);
    assert.equal(await write('plain.txt', 'x'), false);
    assert.deepEqual(asked, []);
  });

  describe('after a request of the agent', () => {
    const change = (file: string, oldText: string | null, newText: string): FileChange =>
      ({ operation: 'modify', path: file, oldText, newText }) as FileChange;

    it('is left out when the user was shown that very change', async () => {
      const { write, shows, asked } = scene();
      await shows(change(at('.vscode/tasks.json'), '{}', '{"a":1}'), change(at('.env'), 'KEY=1\n', 'KEY=2\n'));
      assert.equal(await write('.vscode/tasks.json', '{"a":1}\n'), true);
      assert.equal(await write('.env', 'KEY=2\n'), true);
      assert.deepEqual(asked, []);
    });

    it('is left out for a new text that is the whole file', async () => {
      const lines = ['one', 'two', 'three', 'four', 'five', ''];
      const whole = lines.with(1, '2').join('\n');
      writeFileSync(at('.vscode/tasks.json'), lines.join('\n'));
      const { write, shows, asked } = scene();
      await shows(change(at('.vscode/tasks.json'), 'two\n', whole));
      await write('.vscode/tasks.json', lines.join('\n').replace('two\n', whole));
      assert.equal(asked.length, 1, 'the card did not show the lines twice');
      await write('.vscode/tasks.json', whole);
      assert.equal(asked.length, 1);
    });

    for (const [what, oldText] of [
      ['says that the file is new', null],
      ['shows no difference', 'evil\n'],
      ['shows a part of the text as if it were there', 'ev\n'],
    ] as const) {
      it(`is asked when the request ${what}`, async () => {
        const { write, shows, asked } = scene();
        await shows(change(at('.vscode/tasks.json'), oldText, 'evil\n'), change(at('.env'), oldText, 'evil\n'));
        await write('.vscode/tasks.json', 'evil\n');
        await write('.env', 'evil\n');
        assert.equal(asked.length, 2);
      });
    }
  });
});
