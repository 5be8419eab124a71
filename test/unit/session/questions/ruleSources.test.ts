/** A further source of rules decides about files, commands, the agent's own requests and addresses, without a change elsewhere. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failureOf } from '../../../../src/core/model/failure';
import { entryIdOf } from '../../../../src/core/model/state';
import { DEFAULT_FILE_LIMITS, FileService } from '../../../../src/fs/fileService';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import type { PermissionMode } from '../../../../src/core/modes/permissionMode';
import type { Rule, RuleSource } from '../../../../src/policy/rule';
import { type ClientServiceDependencies, ClientServices } from '../../../../src/session/client/clientServices';
import { ReplayTarget } from '../../../../src/session/state/replayTarget';
import { SessionStore } from '../../../../src/session/state/store';
import { loadNodePty } from '../../../../src/terminal/nodePty';
import { TerminalService } from '../../../../src/terminal/terminalService';
import { transcriptSections } from '../../../../src/text/transcript/sections';
import { identityOf } from '../../../../src/util/checkedFiles';
import { systemClock } from '../../../../src/util/clock';
import { RootCheck } from '../../../../src/util/roots';
import { transcriptStrings } from '../../../../src/application/export/transcriptStrings';
import { questionStrings } from '../../../../src/application/permission/questionStrings';
import { FakeBuffers } from '../../../support/fakeBuffers';
import { english } from '../../application/english';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A rule of the team, by its text. */
function teamRule(effect: Rule['effect'], text: string, match: Rule['match'], more: Partial<Rule> = {}): Rule {
  return { id: `team/${text}`, effect, match, reason: { code: 'rule', params: { text } }, origin: 'rule', ...more };
}

describe('a further source of rules', () => {
  let folder: string;
  const at = (name: string): string => path.join(folder, name);

  beforeEach(() => (folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'acp-rules-')))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** @param answer the option that the user chooses in each quick pick */
  async function scene(rules: readonly Rule[], answer: string | undefined = 'allow', source: RuleSource = { rulesFor: () => rules }) {
    const store = new SessionStore(systemClock);
    const buffers = new FakeBuffers();
    const asked: string[] = [];
    /** The kinds of all offered options. */
    const offered: string[] = [];
    /** The reason of each question. */
    const reasons: unknown[] = [];
    const roots = { cwd: folder, additionalDirectories: [] };
    const deps: ClientServiceDependencies = {
      clock: systemClock,
      log: quiet,
      permissions: {
        prompt: ({ title, options }, answered) => {
          asked.push(title);
          offered.push(...options.map(({ kind }) => kind));
          queueMicrotask(() => answer !== undefined && answered(answer));
          return { dispose: () => undefined };
        },
      },
      files: (_, guard, review, added) => new FileService(buffers, new RootCheck(roots), DEFAULT_FILE_LIMITS, guard, review, added),
      terminals: (_, emit, guard) =>
        new TerminalService({
          clock: systemClock,
          log: quiet,
          cwd: folder,
          roots: new RootCheck(roots),
          defaultShell: () => '/bin/sh',
          environment: process.env,
          loadPty: loadNodePty,
          emit,
          guard,
        }),
      questionWords: questionStrings(english),
      protectedRules: () => new ProtectedRules(undefined),
      askBeforeCommands: () => 'never',
      identityOf,
      ruleSources: () => [source],
      observe: () => ({ asked: (_question, _advise, { why }) => void reasons.push(why) }),
    };
    /** The texts for the model. */
    const told: string[] = [];
    const services = new ClientServices(
      'session',
      { agentId: 'ada', agentName: 'Ada' },
      roots,
      store,
      deps,
      undefined,
      undefined,
      (text) => {
        told.push(text);
      },
    );
    services.open();
    for (const [name, text] of [
      ['.env', 'KEY=1\n'],
      ['plain.txt', 'plain\n'],
    ] as const) {
      writeFileSync(at(name), text);
      await buffers.store(at(name), text);
    }
    const { signal } = new AbortController();
    const { peer } = services;
    const failing = async (request: Promise<unknown>) =>
      request.then(
        () => assert.fail('must be denied'),
        (error: Error) => ({ code: failureOf(error).code, message: error.message }),
      );
    return {
      asked,
      offered,
      reasons,
      services,
      entries: () => store.state.entries,
      append: (event: Parameters<typeof store.append>[0]) => void store.append(event),
      setMode: (mode: PermissionMode) => void store.append({ type: 'permission_mode', mode }),
      failing,
      read: (name: string) => peer.readTextFile({ path: at(name) }, signal),
      write: (name: string, content: string) => peer.writeTextFile({ path: at(name), content }, signal),
      run: (command: string, args: string[] = []) => peer.createTerminal({ command, args, env: [] }, signal),
      request: (subject: object, options: object[]) => peer.requestPermission({ title: 'Do it', options, subject } as never, signal),
      open: (url: string) => peer.elicit({ message: 'Sign in', body: { mode: 'url', elicitationId: 'e', url } }, signal),
      stored: (name: string) => buffers.storedText(at(name)),
      transcript: () => [...transcriptSections(store.state, transcriptStrings('Ada', english))].map(({ text }) => text).join('\n\n'),
      waiting: () => store.state.pendingPermissions,
      store,
      told,
    };
  }

  it('denies a command, and the agent and the transcript get its reason', async () => {
    const { run, failing, transcript, asked, services } = await scene([teamRule('deny', 'no pushes', { command: 'git push *' })]);
    const denied = await failing(run('git', ['push', '--force']));
    assert.deepEqual(denied, {
      code: 'policy.denied',
      message: 'You must not run git push --force. It is denied by the rule: no pushes',
    });
    assert.match(transcript(), /### Question: Run a command\n\n```sh\ngit push --force\n```\n\nDenied by rule: no pushes/);
    assert.deepEqual(asked, []);
    const terminalId = await run('git', ['--version']);
    await services.peer.waitForTerminalExit(terminalId, new AbortController().signal);
    await services.peer.releaseTerminal(terminalId);
    services.dispose();
  });

  it('denies on the tool call that names the file or the command, so that the call reads as refused', async () => {
    const { run, write, failing, setMode, entries, append } = await scene([]);
    setMode('planOnly');
    const call = (toolCallId: string, rawInput: unknown) =>
      append({ type: 'tool_call_update', toolCallId, patch: { title: toolCallId, status: 'in_progress', rawInput } } as never);
    call('edits', { file_path: at('plain.txt') });
    call('runs', { command: 'git push' });
    call('other', { file_path: at('other.txt') });
    await failing(write('plain.txt', 'text'));
    await failing(run('git', ['push']));
    await failing(write('new.txt', 'text'));
    assert.deepEqual(
      ['edits', 'runs', 'other'].map(
        (id) => (entries().get(entryIdOf.toolCall(id)) as { requests?: readonly string[] }).requests?.length ?? 0,
      ),
      [1, 1, 0],
    );
  });

  it('allows reading a protected file instead of the user, and the transcript shows it', async () => {
    const allow = teamRule('allow', 'test settings', { kinds: ['read'], path: '.env' }, { answers: ['protected_path'] });
    const { read, write, asked, transcript, waiting } = await scene([allow]);
    assert.equal(await read('.env'), 'KEY=1\n');
    assert.deepEqual(asked, []);
    assert.match(transcript(), /Read \.env\n[^]*Allowed by rule: test settings/);
    assert.deepEqual(waiting(), []);
    await write('.env', 'KEY=2\n');
    assert.deepEqual(asked, ['Overwrite a protected file (.env)'], 'the permission is for reading only');
  });

  it('does not answer a question that its permission does not name', async () => {
    const { read, asked } = await scene([teamRule('allow', 'everything', {})]);
    await read('.env');
    assert.deepEqual(asked, ['Read a protected file (.env)']);
  });

  it('shows no line for a permission without a question', async () => {
    const { read, transcript } = await scene([teamRule('allow', 'everything', {})]);
    assert.equal(await read('plain.txt'), 'plain\n');
    assert.equal(transcript(), '');
  });

  it('denies reading and writing of files', async () => {
    const { read, write, failing, stored, transcript } = await scene([teamRule('deny', 'plain is off limits', { path: 'plain.*' })]);
    assert.match(
      (await failing(read('plain.txt'))).message,
      /^You must not read .*plain\.txt\. It is denied by the rule: plain is off limits$/,
    );
    assert.match((await failing(write('plain.txt', 'x'))).message, /^You must not write .*plain\.txt/);
    assert.equal(await stored('plain.txt'), 'plain\n');
    const text = transcript();
    assert.equal(text.split('Denied by rule: plain is off limits').length, 3);
    assert.match(text, /Question: Read plain\.txt/);
    assert.match(text, /Question: Change plain\.txt/);
  });

  it('applies to an agent by its id', async () => {
    const { run, failing, open } = await scene([
      teamRule('deny', 'not by Ada', { agents: ['ada'], kinds: ['command'] }),
      teamRule('deny', 'no pages by Ada', { agents: ['ada'], kinds: ['address'] }),
      teamRule('deny', 'nothing by Bob', { agents: ['bob'] }),
    ]);
    assert.match((await failing(run('git', ['--version']))).message, /not by Ada$/);
    assert.deepEqual(await open('https://example.com/'), { action: 'decline' });
  });

  it('has questions asked each time, without an answer for the session', async () => {
    const { write, run, asked, offered } = await scene([
      teamRule('ask', 'show me', { path: 'plain.txt' }),
      teamRule('ask', 'show me', { kinds: ['command'] }),
    ]);
    await write('plain.txt', 'x\n');
    await write('plain.txt', 'y\n');
    await run('git', ['--version']);
    assert.deepEqual(asked, ['Change plain.txt', 'Change plain.txt', 'Run a command']);
    assert.ok(!offered.includes('allow_always'));
  });

  describe('answers the agent’s own request', () => {
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'always', name: 'Always', kind: 'allow_always' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];

    it('not by a mode that the user leaves meanwhile', async () => {
      const rule = teamRule('allow', 'everything', {}, { id: 'mode/allowEverything', origin: 'mode', answers: ['agent'] });
      const { request, asked } = await scene([rule], 'no');
      assert.deepEqual(await request({ kind: 'execute' }, options), { optionId: 'no' });
      assert.equal(asked.length, 1);
    });
    const push = { kind: 'execute', rawInput: { command: 'git push' } };

    it('with the option that rejects once', async () => {
      const { request, transcript, asked } = await scene([teamRule('deny', 'no pushes', { command: 'git push *' })]);
      assert.deepEqual(await request(push, options), { optionId: 'no' });
      assert.match(transcript(), /Denied by rule: no pushes/);
      assert.deepEqual(asked, []);
    });

    it('by a cancellation when no option rejects', async () => {
      const { request, transcript } = await scene([teamRule('deny', 'no pushes', { command: 'git push *' })]);
      assert.equal(await request(push, options.slice(0, 1)), 'cancelled');
      assert.match(transcript(), /Denied by rule: no pushes/);
    });

    it('with the option that allows once, when the permission names the agent’s requests', async () => {
      const answers = ['agent'] as const;
      const { request, transcript, asked } = await scene([teamRule('allow', 'pushes', { command: 'git push *' }, { answers })]);
      assert.deepEqual(await request(push, options), { optionId: 'yes' });
      assert.match(transcript(), /Allowed by rule: pushes/);
      assert.deepEqual(asked, []);
    });

    it('in one step, also while the agent replays the conversation', async () => {
      const answers = ['agent'] as const;
      const { request, services, store } = await scene([teamRule('allow', 'pushes', { command: 'git push *' }, { answers })]);
      const typesOf = (events: readonly { readonly type: string }[]): string => events.map(({ type }) => type).join(' ');
      const steps: string[] = [];
      store.onEvents((_, events) => void steps.push(typesOf(events)));
      await request(push, options);
      const replay = new ReplayTarget(systemClock, []);
      services.startReplay(replay);
      await request(push, options);
      const step = 'permission_requested permission_resolved';
      assert.deepEqual([...steps, typesOf(replay.events), typesOf(replay.unmirrored)], [step, step, step, '']);
    });

    it('not when the agent recommends to refuse', async () => {
      const { services, asked } = await scene([teamRule('allow', 'pushes', { command: 'git push *' }, { answers: ['agent'] })], 'no');
      const request = { title: 'Do it', options, subject: push, defaultToNo: true };
      assert.deepEqual(await services.peer.requestPermission(request, new AbortController().signal), { optionId: 'no' });
      assert.deepEqual(asked, ['Do it']);
    });

    it('not when one of its files has no permission', async () => {
      const rule = teamRule('allow', 'sources', { path: 'src' }, { answers: ['agent'] });
      const { request, asked } = await scene([rule], 'no');
      const subject = { kind: 'edit', locations: [{ path: at('src/a.ts') }, { path: at('b.ts') }] };
      assert.deepEqual(await request(subject, options), { optionId: 'no' });
      assert.deepEqual(asked, ['Do it']);
    });
  });

  it('leaves a protected file of the agent’s own request to the user, who learns the reason in every mode', async () => {
    const { request, setMode, reasons } = await scene([teamRule('allow', 'reads', {}, { answers: [] })], 'no');
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    const read = { kind: 'read', locations: [{ path: at('plain.txt') }, { path: at('.env') }] };
    const diff = { type: 'diff', changes: [{ path: at('.env'), oldText: 'KEY=1\n', newText: 'KEY=2\n' }] };
    for (const mode of ['ask', 'allowEverything'] as const) {
      setMode(mode);
      await request(read, options);
      await request({ kind: 'edit', content: [diff] }, options);
    }
    const params = { rule: '.env*', path: at('.env') };
    const one = [
      { code: 'protected_path', params },
      { code: 'protected_path_overwritten', params },
    ];
    assert.deepEqual(reasons, [...one, ...one]);
  });

  describe('without rules at first', () => {
    const options = [
      { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
      { optionId: 'no', name: 'No', kind: 'reject_once' },
    ];
    const push = { kind: 'execute', rawInput: { command: 'git push' } };

    it('lets questions be announced at once, and decides as soon as it has some', async () => {
      let rules: readonly Rule[] = [];
      let asked = 0;
      const source: RuleSource = {
        isActive: () => rules.length > 0,
        rulesFor: () => {
          asked++;
          return rules;
        },
      };
      const { request, waiting, services } = await scene([], 'never', source);
      void request(push, options);
      assert.equal(waiting().length, 1, 'before anything is awaited');
      services.questions.endAll('cancelled');
      assert.equal(asked, 0);
      rules = [teamRule('deny', 'no pushes', { command: 'git push *' })];
      assert.deepEqual(await request(push, options), { optionId: 'no' });
      rules = [];
      void request(push, options);
      assert.equal(waiting().length, 1);
    });

    it('has the user asked when it fails', async () => {
      const failing: RuleSource = { rulesFor: () => Promise.reject(new Error('cannot be read')) };
      const { request, asked } = await scene([], 'yes', failing);
      assert.deepEqual(await request(push, options), { optionId: 'yes' });
      assert.deepEqual(asked, ['Do it']);
    });

    it('adds parts, about which the other rules decide', async () => {
      const allow = teamRule('allow', 'pushes', { command: 'git push *' }, { answers: ['agent'] });
      const source: RuleSource = {
        partsOf: async () => [{ kind: 'write', asked: at('.git/config'), path: at('.git/config') }],
        rulesFor: () => [allow, teamRule('allow', 'edits', { kinds: ['write'] }, { answers: ['agent'] })],
      };
      const { request, asked } = await scene([], 'no', source);
      assert.deepEqual(await request(push, options), { optionId: 'no' });
      assert.deepEqual(asked, ['Do it'], 'the file is protected');
    });
  });

  it('has the message of a denial sent to the model, and of a web page', async () => {
    const message = 'Ask me first.';
    const rule = teamRule('deny', 'no', {}, { reason: { code: 'rule', params: { text: 'no', message } } });
    const { request, open, run, failing, told } = await scene([rule]);
    await request({ kind: 'execute', rawInput: { command: 'git push' } }, [{ optionId: 'no', name: 'No', kind: 'reject_once' }]);
    await open('https://evil.example/');
    assert.match((await failing(run('git', ['push']))).message, /denied by the rule: no\. Ask me first\.$/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told, [
      "The user's rules denied “Do it”. Ask me first.",
      "The user's rules denied “https://evil.example/”. Ask me first.",
    ]);
  });

  it('asks about the text of a change, and denies it', async () => {
    const ask = await scene([teamRule('ask', 'show me', { kinds: ['change'] })]);
    await ask.write('plain.txt', 'x\n');
    assert.deepEqual(ask.asked, ['Change plain.txt']);
    assert.ok(!ask.offered.includes('allow_always'));
    assert.equal(await ask.stored('plain.txt'), 'x\n');
    const deny = await scene([teamRule('deny', 'no changes', { kinds: ['change'] })]);
    assert.equal((await deny.failing(deny.write('plain.txt', 'x\n'))).code, 'policy.denied');
    assert.equal(await deny.stored('plain.txt'), 'plain\n');
  });

  it('has patterns that begin below the folders of the session', async () => {
    const above = path.basename(path.dirname(folder));
    const { read } = await scene([teamRule('deny', 'above', { path: above }), teamRule('deny', 'root', { path: '/other.txt' })]);
    assert.equal(await read('plain.txt'), 'plain\n');
  });

  it('declines a web page', async () => {
    const { open, transcript } = await scene([teamRule('deny', 'no sign-in', { host: 'evil.example' })]);
    assert.deepEqual(await open('https://evil.example/x'), { action: 'decline' });
    assert.match(transcript(), /Denied by rule: no sign-in/);
  });
});
