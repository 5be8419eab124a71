import assert from 'node:assert/strict';
import { questionStrings } from '../../../../src/application/permission/questionStrings';
import type { EventInput } from '../../../../src/core/model/event';
import type { ToolCallEntry } from '../../../../src/core/model/state';
import type { PermissionMode } from '../../../../src/core/modes/permissionMode';
import type { RequestedCall } from '../../../../src/mcp/editor/toolCall';
import { ProtectedRules } from '../../../../src/policy/protection/protectedRules';
import type { Rule, RuleSource } from '../../../../src/policy/rule';
import { type ClientServiceDependencies, ClientServices } from '../../../../src/session/client/clientServices';
import { SessionStore } from '../../../../src/session/state/store';
import { english } from '../../application/english';
import { FakeClock } from '../permission/fakes';

const references: RequestedCall['tool'] = { name: 'references', title: 'Find references', category: 'navigation', isReadOnly: true };
const rename: RequestedCall['tool'] = { name: 'rename', title: 'Rename symbol', category: 'edits', isReadOnly: false };
const INPUT = { file: 'a.ts', name: 'b' };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: (text: string) => assert.fail(text) };

/** @param answer the option that the user chooses; undefined: none */
async function scene({ rules = [], answer = 'allow', mode }: { rules?: readonly Rule[]; answer?: string; mode?: PermissionMode } = {}) {
  const clock = new FakeClock();
  const store = new SessionStore(clock);
  const asked: string[] = [];
  const options: string[] = [];
  const source: RuleSource = {
    isActive: () => rules.length > 0,
    rulesFor: ({ parts }) => (parts.some(({ kind }) => kind === 'mcp') ? rules : []),
  };
  const deps = {
    clock,
    log: quiet,
    permissions: {
      prompt: (ask: { title: string; options: { name: string; optionId: string }[] }, answered: (optionId: string) => void) => {
        asked.push(ask.title);
        options.push(...ask.options.map(({ name }) => name));
        const isOffered = ask.options.some(({ optionId }) => optionId === answer);
        queueMicrotask(() => answered(isOffered ? answer : 'allow'));
        return { dispose: () => undefined };
      },
    },
    questionWords: questionStrings(english),
    protectedRules: () => new ProtectedRules(undefined),
    askBeforeCommands: () => 'never',
    ruleSources: () => [source],
  } as unknown as ClientServiceDependencies;
  const roots = { cwd: '/w', additionalDirectories: [] };
  const services = new ClientServices('session', { agentId: 'ada', agentName: 'Ada' }, roots, store, deps);
  services.open();
  store.append({ type: 'session_opened', agentName: 'Ada', cwd: '/w' }, { type: 'session_ready', sessionId: 'S' });
  store.append({ type: 'turn_started', turnId: 'turn-1', content: [] } as unknown as EventInput);
  if (mode) {
    store.append({ type: 'permission_mode', mode });
  }
  const calls = await services.editorCalls();
  const abort = new AbortController();
  const begin = (tool: RequestedCall['tool'], input: Record<string, unknown> = INPUT) => calls.begin({ tool, input, signal: abort.signal });
  const report = (toolCallId: string, patch: object): void => services.peer.onUpdate([{ type: 'tool_call_update', toolCallId, patch }]);
  const shown = (): Partial<ToolCallEntry>[] =>
    [...store.state.entries].flatMap((entry) => (entry.kind === 'tool_call' ? [entry as ToolCallEntry] : []));
  /** The agent's own request about a tool. */
  const request = (tool: string, input: unknown, optionId: 'allow' | 'always' = 'allow', title = tool) =>
    services.peer.requestPermission(
      {
        title,
        options: [
          { optionId, name: 'Yes', kind: optionId === 'allow' ? 'allow_once' : 'allow_always' },
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
        subject: { toolCallId: `call-${tool}`, rawInput: input },
        toolCall: { toolCallId: `call-${tool}`, patch: { name: tool, title, rawInput: input } },
      },
      abort.signal,
    );
  return { clock, store, asked, options, services, begin, report, shown, request, abort };
}

const rule = (effect: Rule['effect'], more: Partial<Rule> = {}): Rule => ({
  id: 'mine',
  effect,
  match: { kinds: ['mcp'] },
  reason: { code: 'rule', params: { text: 'mcp: vscode', message: 'Use grep.' } },
  origin: 'rule',
  ...more,
});

describe('a call of an editor tool in the conversation', () => {
  it('is shown after a moment, with its result', async () => {
    const { begin, shown, clock } = await scene();
    const call = begin(references);
    assert.equal(await call.allowed(), undefined);
    assert.deepEqual(shown(), []);
    clock.pass(400);
    assert.deepEqual(
      shown().map(({ title, toolKind, status, rawInput }) => [title, toolKind, status, rawInput]),
      [['Find references', 'search', 'in_progress', INPUT]],
    );
    call.ended({ text: 'a.ts:1' }, false);
    assert.deepEqual(
      shown().map(({ status, content }) => [status, content]),
      [['completed', [{ type: 'content', content: { type: 'text', text: 'a.ts:1' } }]]],
    );
  });

  it('is shown with its end when it ended before it was shown, and as failed or cancelled', async () => {
    const { begin, shown, clock } = await scene();
    begin(references).ended({ text: 'Unknown symbol', isError: true }, false);
    begin(references, {}).ended({ text: '' }, true);
    clock.pass(400);
    assert.deepEqual(
      shown().map(({ status }) => status),
      ['failed', 'cancelled'],
    );
  });

  for (const [title, order] of [
    ['before our server gets it', ['report', 'begin', 'end', 'wait', 'finish']],
    ['after our server has got it', ['begin', 'report', 'wait', 'end', 'finish']],
    ['after its end', ['begin', 'end', 'report', 'finish', 'wait']],
    ['after it was shown', ['begin', 'wait', 'report', 'end', 'finish']],
    ['after it was shown with its end', ['begin', 'end', 'wait', 'report', 'finish']],
  ] as const) {
    it(`is shown once when the agent reports it ${title}`, async () => {
      const { begin, shown, report, clock } = await scene();
      let call: ReturnType<typeof begin> | undefined;
      const steps = {
        report: () => report('toolu_1', { name: 'mcp__vscode__references', title: 'References', status: 'in_progress', rawInput: INPUT }),
        begin: () => (call = begin(references)),
        end: () => call!.ended({ text: 'ours' }, false),
        wait: () => clock.pass(400),
        finish: () => report('toolu_1', { status: 'completed', content: [{ type: 'content', content: { type: 'text', text: 'theirs' } }] }),
      };
      order.forEach((step) => steps[step]());
      assert.deepEqual(
        shown().map(({ title: named, status, content }) => [named, status, content]),
        [['References', 'completed', [{ type: 'content', content: { type: 'text', text: 'theirs' } }]]],
      );
    });
  }

  describe('about which the agent asks, although it only reads', () => {
    const offers = [references, rename];
    const asking = async (options: Parameters<typeof scene>[0], tool: string, input: unknown = INPUT) => {
      const all = await scene(options);
      (await all.services.editorCalls()).offers(() => offers);
      return { ...all, answer: await all.request(tool, input) };
    };

    it('is answered without the user, who has agreed by the setting', async () => {
      const { answer, asked } = await asking({ answer: 'no' }, 'mcp__vscode__references');
      assert.deepEqual([answer, asked], [{ optionId: 'allow' }, []]);
    });

    for (const [title, options, tool, expected] of [
      ['unless a rule asks', { rules: [rule('ask')], answer: 'no' }, 'mcp__vscode__references', 1],
      ['unless a rule denies', { rules: [rule('deny')] }, 'mcp__vscode__references', 0],
      ['but not for a tool that changes something', { answer: 'no' }, 'mcp__vscode__rename', 1],
      ['but not for a tool of another server', { answer: 'no' }, 'mcp__other__references', 1],
      ['but not for a tool that is not offered', { answer: 'no' }, 'mcp__vscode__unknown', 1],
    ] as const) {
      it(title, async () => {
        const { answer, asked } = await asking(options, tool);
        assert.deepEqual([answer, asked.length], [{ optionId: 'no' }, expected]);
      });
    }

    it('asks the user when the request describes a command, too', async () => {
      const { answer } = await asking({ answer: 'no' }, 'mcp__vscode__references', { ...INPUT, command: 'rm -rf x' });
      assert.deepEqual(answer, { optionId: 'no' });
    });
  });

  it('asks for each call by a rule of the user, whatever the agent remembers', async () => {
    const { begin, request, asked } = await scene({ rules: [rule('ask')], answer: 'always' });
    await request('mcp__vscode__rename', INPUT, 'always');
    const before = asked.length;
    await begin(rename).allowed();
    await begin(rename, { file: 'b.ts' }).allowed();
    assert.equal(asked.length - before, 2);
    const without = await scene({ answer: 'always' });
    await without.request('mcp__vscode__rename', INPUT, 'always');
    const earlier = without.asked.length;
    assert.equal(await without.begin(rename, { file: 'b.ts' }).allowed(), undefined);
    assert.equal(without.asked.length, earlier);
  });

  it('leaves other calls of the agent as they are', async () => {
    const { begin, shown, report, clock } = await scene();
    begin(references);
    report('toolu_1', { name: 'Read', title: 'Read a.ts', rawInput: INPUT });
    report('toolu_2', { name: 'mcp__other__references', rawInput: INPUT });
    clock.pass(400);
    assert.equal(shown().length, 3);
  });

  it('does not hold a long input', async () => {
    const { begin, shown, clock } = await scene();
    begin(references, { text: 'a'.repeat(100_000) });
    clock.pass(400);
    assert.equal((shown()[0]!.rawInput as string).length, 20_000);
  });
});

describe('the permission of a call of an editor tool', () => {
  it('is not asked for a tool that reads', async () => {
    const { begin, asked } = await scene();
    assert.equal(await begin(references).allowed(), undefined);
    assert.deepEqual(asked, []);
  });

  it('is asked for every other tool, on the card of its call', async () => {
    const { begin, asked, options, shown } = await scene();
    assert.equal(await begin(rename).allowed(), undefined);
    assert.deepEqual(asked, ['Use the editor tool Rename symbol']);
    assert.deepEqual(options, ['Allow Once', 'Allow This Tool in This Session', 'Reject']);
    assert.deepEqual(
      shown().map(({ title, requests }) => [title, requests?.length]),
      [['Rename symbol', 1]],
    );
    await begin(rename).allowed();
    assert.equal(asked.length, 2);
  });

  it('reaches the model when it is refused', async () => {
    const { begin } = await scene({ answer: 'reject' });
    assert.equal(await begin(rename).allowed(), 'The user did not allow the tool rename to run. Nothing was changed.');
  });

  it('holds for the session where the user says so', async () => {
    const { begin, asked } = await scene({ answer: 'allow_session' });
    await begin(rename).allowed();
    assert.equal(await begin(rename, { file: 'other.ts' }).allowed(), undefined);
    assert.equal(asked.length, 1);
    await begin({ ...rename, name: 'other_tool' }).allowed();
    assert.equal(asked.length, 2);
  });

  it('is not asked twice when the agent asks for the same call itself', async () => {
    const { begin, asked, request, shown, clock } = await scene();
    assert.deepEqual(await request('mcp__vscode__rename', INPUT), { optionId: 'allow' });
    assert.equal(await begin(rename).allowed(), undefined);
    assert.deepEqual(asked, ['mcp__vscode__rename']);
    clock.pass(400);
    assert.equal(shown().length, 1);
    // The permission is spent.
    await begin(rename).allowed();
    assert.equal(asked.length, 2);
  });

  it('is asked when the agent asked for another call, in another turn, or for another server', async () => {
    const { begin, asked, request, store } = await scene();
    await request('mcp__vscode__rename', { ...INPUT, name: 'c' });
    await request('mcp__other__rename', INPUT);
    await begin(rename).allowed();
    assert.equal(asked.at(-1), 'Use the editor tool Rename symbol');
    await request('mcp__vscode__rename', INPUT);
    store.append({ type: 'turn_ended', turnId: 'turn-1', stopReason: 'end_turn' } as unknown as EventInput);
    store.append({ type: 'turn_started', turnId: 'turn-2', content: [] } as unknown as EventInput);
    await begin(rename).allowed();
    assert.equal(asked.at(-1), 'Use the editor tool Rename symbol');
  });

  it('is asked for a call that is a part of the one that the user has allowed', async () => {
    for (const whole of [{ name: 'b', args: INPUT }, { server: 'x', tool: 'y', input: INPUT }, { arguments: INPUT }]) {
      const { begin, asked, request } = await scene();
      await request('mcp__vscode__rename', whole);
      await begin(rename).allowed();
      assert.equal(asked.length, 2, JSON.stringify(whole));
      assert.equal(await begin(rename, whole).allowed(), undefined);
      assert.equal(asked.length, 2);
    }
  });

  it('holds for later calls when the user has allowed the tool for always at the agent', async () => {
    const { begin, asked, request } = await scene({ answer: 'always' });
    await request('mcp__vscode__rename', INPUT, 'always');
    assert.equal(await begin(rename, { file: 'x' }).allowed(), undefined);
    assert.equal(asked.length, 1);
  });

  it('is asked when the agent asked under a title that does not name the tool', async () => {
    for (const optionId of ['allow', 'always'] as const) {
      const { begin, asked, request } = await scene({ answer: optionId });
      await request('mcp__vscode__rename', INPUT, optionId, 'Read README.md');
      await begin(rename).allowed();
      assert.deepEqual(asked, ['Read README.md', 'Use the editor tool Rename symbol']);
    }
    const { begin, asked, request, services } = await scene();
    (await services.editorCalls()).offers(() => [rename]);
    await request('mcp__vscode__rename', INPUT, 'allow', 'Rename symbol');
    await begin(rename).allowed();
    assert.deepEqual(asked, ['Rename symbol']);
  });

  it('is denied in Plan only, also for a tool that the agent was allowed', async () => {
    const { begin, asked, request } = await scene({ mode: 'planOnly' });
    await request('mcp__vscode__rename', INPUT);
    const before = asked.length;
    assert.match((await begin(rename).allowed())!, /^You must not use the tool rename\. .*Plan only/);
    assert.match((await begin({ ...rename, category: 'debugging' }).allowed())!, /Plan only/);
    assert.equal(await begin(references).allowed(), undefined);
    assert.equal(asked.length, before);
  });

  it('is given in Allow everything, except for the third same call', async () => {
    const { begin, asked } = await scene({ mode: 'allowEverything' });
    assert.deepEqual([await begin(rename).allowed(), await begin(rename).allowed(), asked], [undefined, undefined, []]);
    await begin(rename).allowed();
    assert.equal(asked.length, 1);
  });

  it('follows the rules of the user, also for tools that read', async () => {
    const denied = await scene({ rules: [rule('deny')] });
    assert.equal(
      await denied.begin(references).allowed(),
      'You must not use the tool references. It is denied by the rule: mcp: vscode. Use grep.',
    );
    assert.equal(
      await denied.begin(rename).allowed(),
      'You must not use the tool rename. It is denied by the rule: mcp: vscode. Use grep.',
    );
    assert.deepEqual(denied.asked, []);
    const allowed = await scene({ rules: [rule('allow', { answers: ['agent', 'setting'] })] });
    assert.deepEqual([await allowed.begin(rename).allowed(), allowed.asked], [undefined, []]);
    const asks = await scene({ rules: [rule('ask')] });
    await asks.begin(references).allowed();
    assert.deepEqual([asks.asked, asks.options], [['Use the editor tool Find references'], ['Allow Once', 'Reject']]);
  });

  it('is refused when the agent has no session', async () => {
    const { begin, services } = await scene();
    const call = begin(rename);
    services.close();
    assert.equal(await call.allowed(), 'The session is not open.');
  });
});
