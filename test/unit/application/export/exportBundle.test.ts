import assert from 'node:assert/strict';
import { anonymous, withoutHome } from '../../../../src/application/export/anonymize';
import { Redaction } from '../../../../src/acp/redaction/redact';
import { auditLines, protocolLines } from '../../../../src/application/export/exportBundle';
import { type EventInput, isSessionEvent } from '../../../../src/core/model/event';
import { header, journal, ada, facts, bundle, linesOf, say, prints, replayed } from './bundles';

describe('a bundle', () => {
  it('begins with the agent, the folder and the versions', async () => {
    const [first] = linesOf(await bundle(journal()));
    assert.deepEqual(first, { ...header, cwd: '~/w', acpHostBundle: 1, ...facts });
  });

  it('ends with the permission audit, which a replay leaves out', async () => {
    const audit = { at: 1, sessionId: 'k', agent: 'Fake', kind: 'mode', title: 'planOnly at /home/ada/w' };
    const lines = [...auditLines([audit], new Redaction([], anonymous(ada)))];
    assert.deepEqual(linesOf(lines.join('')), [{ audit: { ...audit, title: 'planOnly at ~/w' } }]);
    const { replay, state } = replayed((await bundle(journal(say('Hello')))) + lines.join(''));
    assert.deepEqual([replay.damaged, [...state.entries].filter(({ kind }) => kind === 'message').length], [0, 1]);
  });

  it('contains no pictures, however they are written', async () => {
    const text = await bundle(
      journal(say('![a](data:image/png;base64,PICTURE+'), say('one/=) and data:image/svg+xml;charset=utf-8;base64,PICTUREtwo" then'), {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: {
          rawOutput: {
            source: { type: 'base64', media_type: 'image/png', data: 'PICTUREthree' },
            image_url: { url: 'data:audio/wav;base64,PICTUREfour' },
            data: 'kept',
          },
        },
      }),
    );
    assert.doesNotMatch(text, /PICTURE/);
    assert.match(text, /!\[a\]\(data:image\/png;base64,\) and data:image\/svg\+xml;charset=utf-8;base64,\\" then/);
    assert.match(text, /"data":"kept"/);
  });

  it('contains no secrets that arrived in chunks, whatever came between them', async () => {
    const text = await bundle(
      journal(
        say('The key is sk-abc'),
        { type: 'usage', usage: { used: 1, size: 2 } },
        say('defghijklmnop'),
        prints('GH_TOKEN=ghp_AAAA', 't'),
        prints('\u001b[32mglpat-BBBB', 'u'),
        say('qrstuvwx, and hunt'),
        prints('aaaa11112222\r\n', 't'),
        say('er2hunter2 is the value.'),
        prints('bbbb33334444\u001b[0m', 'u'),
        { type: 'tool_call_update', toolCallId: 'c', patch: { status: 'completed' } },
        say('I think AKIAIOSF', '2', 'thought'),
        say('ODNN7EXAMPLE1', '2', 'thought'),
      ),
      { HIDDEN: 'hunter2hunter2' },
    );
    for (const secret of ['sk-abc', 'defghi', 'qrstuv', 'hunter2', 'ghp_AAAA', 'aaaa1111', 'glpat-BBBB', 'bbbb3333', 'AKIAIOSF', 'ODNN7']) {
      assert.ok(!text.includes(secret), secret);
    }
    assert.ok(text.includes('is the value.') && text.includes('The key is '));
  });

  it('contains no secrets that arrived in chunks of subagents, summaries or messages between sessions', async () => {
    const inner = (event: EventInput): EventInput => ({ type: 'subagent_event', subagentId: 'x', event });
    const text = (words: string) => ({ type: 'text', text: words }) as const;
    const summary = (words: string): EventInput => ({ type: 'compaction_chunk', compactionId: 'k', content: text(words) });
    const task = (words: string): EventInput => ({ type: 'session_message_chunk', messageId: 'm', content: text(words) });
    const pieces = [
      inner(say('One: sk-abc', 'x/1')),
      inner(say('Two: ghp_AAAA', 'x/2', 'thought')),
      summary('Three: glpat-BBBB'),
      task('Four: AKIAIOSF'),
      inner({ ...task('Five: xoxb-1234'), messageId: 'x/m' } as EventInput),
      { type: 'usage', usage: { used: 1, size: 2 } },
      inner(say('defghijklmnopqrstuvwx.', 'x/1')),
      inner(say('aaaa11112222bbbb.', 'x/2', 'thought')),
      summary('bbbb33334444.'),
      task('ODNN7EXAMPLE1.'),
      inner({ ...task('56789012-abcdefABCDEF.'), messageId: 'x/m' } as EventInput),
    ] as const satisfies EventInput[];
    const whole = await bundle(journal({ type: 'subagent_update', subagentId: 'x', patch: {} }, ...pieces));
    assert.deepEqual(whole.match(/sk-abc|ghp_AAAA|glpat-BBBB|AKIAIOSF|xoxb-1234|defghi|aaaa11|bbbb33|ODNN7|abcdefAB/g), null);
    for (const word of ['One', 'Two', 'Three', 'Four', 'Five']) {
      assert.match(whole, new RegExp(`"text":"${word}: [^"]*"`), word);
    }
    linesOf(whole).forEach(({ event }) => assert.ok(event === undefined || isSessionEvent(event)));
  });

  it('contains no secrets of a thousand subagents that write at the same time', async () => {
    const every = (words: string): EventInput[] =>
      Array.from({ length: 1000 }, (_, n) => ({ type: 'subagent_event', subagentId: `s${n}`, event: say(words, `s${n}/1`) }));
    const text = await bundle(journal(...every('sk-abc'), ...every('defghijklmnopqrstuvwx.')));
    assert.deepEqual(text.match(/sk-abc|defghi/), null);
  });

  it('leaves chunks out of its protocol log', () => {
    const update = (sessionUpdate: string) => ({
      method: 'session/update',
      params: { update: { sessionUpdate, content: { type: 'text', text: 'sk-abc' } } },
    });
    const kinds = ['agent_message_chunk', 'compaction_summary_chunk', 'session_message_chunk'];
    const lines = [...protocolLines(kinds.map((kind) => JSON.stringify(update(kind))))];
    assert.deepEqual(
      lines.filter((line) => line.includes('sk-abc')),
      [],
    );
  });

  it('replays as the original conversation, in its order', async () => {
    const text = await bundle(
      journal(
        { type: 'session_opened', agentName: 'Fake', cwd: '/home/ada/w' },
        { type: 'turn_started', turnId: 'turn-1' },
        ...['A', ' long'].map((piece) => say(piece)),
        { type: 'tool_call_update', toolCallId: 'c', patch: { title: 'Between', status: 'completed' } },
        say(' answer.'),
        { type: 'terminal_update', terminalId: 't', command: 'ls' },
        prints('a'),
        say('Another.', '2'),
        prints('b'),
        { type: 'message_chunk', role: 'agent', messageId: '2', content: { type: 'resource_link', name: 'l', uri: 'file:///w/l' } },
        say('After it.', '2'),
        { type: 'turn_ended', turnId: 'turn-1', stopReason: 'end_turn' },
      ),
    );
    const { replay, state } = replayed(text);
    assert.equal(replay.damaged, 0);
    assert.equal(state.agentName, 'Fake');
    assert.equal(state.terminals['t']!.output, 'ab');
    assert.deepEqual([...state.entries].map(({ entryId }) => entryId).slice(0, 3), ['agent:1', 'tool_call:c', 'agent:2']);
    const answer = state.entries.get('agent:1');
    assert.ok(answer && 'content' in answer && answer.kind === 'message');
    assert.deepEqual([answer.content, answer.at], [[{ type: 'text', text: 'A long answer.' }], 1002]);
    const another = state.entries.get('agent:2');
    assert.ok(another && 'content' in another && another.kind === 'message');
    assert.deepEqual(
      another.content.map((block) => (block.type === 'text' ? block.text : block.type)),
      ['Another.', 'resource_link', 'After it.'],
    );
  });

  it('cuts a text without an end after a line', async () => {
    const line = `${'x y '.repeat(255)}\n`;
    const text = await bundle(journal(...Array.from({ length: 5000 }, () => prints(line))));
    const texts = linesOf(text)
      .slice(1)
      .map(({ event }) => (event as unknown as { text: string }).text);
    assert.ok(texts.length > 2 && texts.every((each) => each === '' || each.endsWith('\n')));
    assert.equal(texts.join('').length, 5000 * line.length);
  });

  it('contains no name of the user’s folder, however it is written', () => {
    const posix = withoutHome('/home/ada');
    assert.equal(
      posix('"/home/ada/x" "/home/ada" file:///home/ada/x /home/adam /home/ada-b /data/home/ada'),
      '"~/x" "~" file://~/x /home/adam /home/ada-b /data~',
    );
    const windows = withoutHome('C:\\Users\\ada');
    assert.equal(windows('C:\\Users\\ada\\x'), '~\\x');
    assert.equal(windows('"C:\\\\Users\\\\ada\\\\x"'), '"~\\\\x"');
    assert.equal(windows('c:/users/ADA/x'), '~/x');
    assert.equal(windows(JSON.stringify(JSON.stringify({ p: 'C:\\Users\\ada\\x' }))), JSON.stringify(JSON.stringify({ p: '~\\x' })));
    assert.equal(windows('file:///c%3A/Users/ada/x'), 'file://~/x');
    assert.equal(withoutHome('/')('/'), '/');
  });

  it('contains no names of the user or the machine, and keeps the words around them', () => {
    const clean = anonymous(ada);
    const texts = {
      'ada@adas-engine:~/w$ whoami': '[user]@[host]:~/w$ whoami',
      'drwxr-xr-x 2 ada ADA 4096': 'drwxr-xr-x 2 [user] [user] 4096',
      'Author: A <ada.lovelace+x@mail.example.org>': 'Author: A <[e-mail]>',
      '\u001b[32mada\u001b[0m': '\u001b[32m[user]\u001b[0m',
      '{\\nada\\n}': '{\\n[user]\\n}',
      'https://adas-engine.example.org:8080/x': 'https://[host]:8080/x',
      'adamant, Canada, ada_b': 'adamant, Canada, [user]_b',
      'git@github.com:x/y.git react@18.2.0 @types/node@20': 'git@github.com:x/y.git react@18.2.0 @types/node@20',
    };
    for (const [text, expected] of Object.entries(texts)) {
      assert.equal(clean(text), expected);
    }
    const common = anonymous({ home: '/root', userName: 'root', hostName: 'localhost' });
    assert.equal(common('the root of text on localhost'), 'the root of text on localhost');
    assert.equal(anonymous({ home: '', userName: '', hostName: '' })('as it is'), 'as it is');
  });

  it('keeps words, paths, names in code and ids', () => {
    const clean = anonymous(ada);
    for (const text of [
      'src/workbench/export/exportConversation.test.ts',
      'node_modules/@agentclientprotocol/sdk/dist/schema/types.gen.d.ts',
      'shouldRenderConversationWhenSessionIsRestoredFromJournal2Times',
      'CONSTANT_NAME_WITH_MANY_WORDS_IN_IT_2024',
      '2026-11-21T12:34:56.789Z 123e4567-e89b-12d3-a456-426614174000',
      '-'.repeat(200),
      'HEAD is now at 0123456789abcdef0123456789abcdef01234567, sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=',
      'The token is valid, and the password is long.'.replace('password is long', 'secret is kept'),
      '使用中文的句子没有任何秘密',
    ]) {
      assert.equal(clean(text), text);
    }
    assert.equal(clean('toolu_01A2b3C4d5E6f7G8h9I0j1K2'), 'toolu_01A2b3C4d5E6f7G8h9I0j1K2');
    assert.equal(clean('token: 1234', 'toolCallId'), 'token: 1234');
    assert.notEqual(clean('token: 1234', 'text'), 'token: 1234');
  });

  it('is made quickly from any text', () => {
    const clean = anonymous(ada);
    for (const unit of ['a', 'a@', 'ada ', '\u001b[', '\\n', 'password is ', '0aA', 'a.', '-', '/home/ada']) {
      clean(unit.repeat(300_000));
    }
  });
});
