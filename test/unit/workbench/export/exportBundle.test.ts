import assert from 'node:assert/strict';
import { Redaction } from '../../../../src/acp/redaction/redact';
import { LogReplay } from '../../../../src/acp/replay/replay';
import { secretValues } from '../../../../src/acp/redaction/secretValues';
import { exportLines, Traces } from '../../../../src/acp/trace/traces';
import type { SessionHappening } from '../../../../src/core/model/event';
import { isSessionEvent } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { anonymous, withoutHome } from '../../../../src/workbench/export/anonymize';
import { bundleLines, protocolLines } from '../../../../src/workbench/export/exportBundle';

const header = { acpHostJournal: 1, key: 'k', agentName: 'Fake', cwd: '/home/ada/w', createdAt: 1 };
const journal = (...happenings: SessionHappening[]): string[] => [
  JSON.stringify(header),
  ...happenings.map((happening, seq) => JSON.stringify({ seq, event: { ...happening, at: 1000 + seq } })),
];
async function* from(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}
const ada = { home: '/home/ada', userName: 'ada', hostName: 'adas-engine.example.org' };
const facts = { vscode: '1.2.3', extension: '0.1.0', platform: 'linux x64', agentInfo: { name: 'fake', version: '9' } };
async function bundle(lines: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const result: string[] = [];
  for await (const line of bundleLines(from(lines), facts, new Redaction(secretValues(env), anonymous(ada)))) {
    result.push(line);
  }
  return result.join('');
}
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>);
const say = (text: string, messageId = '1', role: 'agent' | 'user' | 'thought' = 'agent'): SessionHappening => ({
  type: 'message_chunk',
  role,
  messageId,
  content: { type: 'text', text },
});
const prints = (text: string, terminalId = 't'): SessionHappening => ({ type: 'terminal_output', terminalId, text });

/** What a bundle would be replayed as. */
function replayed(text: string) {
  const replay = new LogReplay({ startedAt: 0, agentName: 'log' });
  text
    .trimEnd()
    .split('\n')
    .forEach((line) => replay.push(line));
  const recordings = replay.end();
  return { replay, state: recordings[0]!.events.reduce(reduce, EMPTY_STATE) };
}

describe('a bundle for others', () => {
  it('says what ran where', async () => {
    const [first] = linesOf(await bundle(journal()));
    assert.deepEqual(first, { ...header, cwd: '~/w', acpHostBundle: 1, ...facts });
  });

  it('has no pictures, in whichever way they are written', async () => {
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

  it('has no secrets that came in pieces, whatever came between them', async () => {
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

  it('replays as the conversation that it was, in its order', async () => {
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

  it('has no name of the user’s folder, however it is written', () => {
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

  it('names nobody, and leaves the words around the name', () => {
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

  it('stays quick whatever comes', () => {
    const clean = anonymous(ada);
    for (const unit of ['a', 'a@', 'ada ', '\u001b[', '\\n', 'password is ', '0aA', 'a.', '-', '/home/ada']) {
      clean(unit.repeat(300_000));
    }
  });

  describe('with 60 secrets in all places', () => {
    // Made at random, of the kinds that people have; none is anybody's.
    const env = { ACME_REGION_URL: 'postgres-main-7', SHORT_PIN: '4711', PLAIN_VALUE: 'correct horse battery' };
    const pem =
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB\n-----END OPENSSH PRIVATE KEY-----';
    const secrets: string[] = [];
    const plant = (secret: string): string => {
      secrets.push(secret);
      return secret;
    };
    const p = plant;
    const happenings: SessionHappening[] = [
      { type: 'session_opened', agentName: 'Fake', cwd: `${p('/home/ada')}/w`, additionalDirectories: ['/home/ada/other'] },
      { type: 'start_progress', command: `agent --api-key ${p('zz-start-9911')}`, line: `Using ${p('sk-ant-api03-startup0001')}` },
      {
        type: 'agent_initialized',
        protocolVersion: 1,
        promptCapabilities: { image: true, audio: true, embeddedContext: true },
        authMethods: [{ methodId: 'm', type: 'agent', name: `Sign in as ${p('ada@corp.example')}` }],
        meta: { token: p('meta-token-value') },
      },
      { type: 'session_info', title: `Deploy with ${p('ghp_titleTitle0123456789abcd')}` },
      {
        type: 'config_options',
        options: [
          {
            configId: 'c',
            name: 'Model',
            type: 'select',
            currentValue: 'a',
            groups: [{ choices: [{ value: 'a', name: `A ${p('AIzaSyConfig0123456789abcdefghijkl')}` }] }],
          },
        ],
      },
      { type: 'available_commands', commands: [{ name: 'deploy', description: `with ${p('npm_commandCOMMAND0123456789abcd')}` }] },
      { type: 'turn_started', turnId: 'turn-1' },
      {
        type: 'message',
        role: 'user',
        messageId: 'u',
        content: [
          { type: 'text', text: `My password is ${p('hunter2')} and the pin: ${p('9-8-7-6')}` },
          { type: 'image', mimeType: 'image/png', data: p('iVBORw0KGgoUSERPICTURE') },
          {
            type: 'resource',
            uri: 'file:///home/ada/.env',
            text: `DB_PASSWORD=${p('s3cr3t-db')}\nAPI_KEY="${p('quoted key value')}"\nACME=${p('postgres-main-7')}`,
          },
          { type: 'resource', uri: 'file:///w/a.bin', blob: p('UEsDBBQAAAAIAFVTRVI') },
          { type: 'resource_link', name: 'n', uri: `https://bob:${p('urlpass')}@db.example/x?sig=${p('abcd1234sig')}` },
        ],
      },
      say(`Reading ${p('xoxb-123456789012-abcdefABCDEF')}.`),
      say(`Another: ${p('xoxp-123456789012-abcdefABCDEF')}`, '2', 'thought'),
      say(`JWT ${p('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl')}`, '3'),
      say(`A picture: ![](data:image/png;base64,${p('QUJD'.repeat(200))})`, '4'),
      {
        type: 'tool_call_update',
        toolCallId: 'c',
        patch: {
          title: `curl -H "Authorization: Bearer ${p('bearerBearer99')}"`,
          name: `tool ${p('glpat-tooltoolTOOL12')}`,
          rawInput: {
            command: `export STRIPE=${p('sk_live_abcdEFGH12345678')}`,
            env: { A: p('input env value') },
            headers: [{ name: 'X-Any', value: p('header value') }],
            arguments: JSON.stringify({ text: `line\n${p('ghp_nested0123456789ABCDEFGH')}` }),
            [p('/home/ada/key')]: 1,
            ada: 'key',
          },
          rawOutput: { output: `AKIA key ${p('AKIAOUTPUT1234567890')}`, credentials: { id: p('cred-1'), other: [p('cred-2')] } },
          locations: [{ path: '/home/ada/w/a.ts' }],
          content: [
            { type: 'content', content: { type: 'text', text: `token: '${p('tool output token')}'\n${pem}` } },
            {
              type: 'diff',
              changes: [
                {
                  operation: 'modify',
                  path: '/home/ada/w/.env',
                  oldText: `SECRET=${p('old-secret')}`,
                  newText: `SECRET=${p('new-secret')}`,
                },
              ],
            } as never,
            { type: 'terminal', terminalId: 't' },
          ],
        },
        meta: { terminal_output: { terminal_id: 't', data: p('metapiece') } },
      },
      { type: 'terminal_update', terminalId: 't', command: `psql postgres://ada:${p('pgpass1')}@host/db`, cwd: '/home/ada/w' },
      prints(`ada@adas-engine:~$ printenv\r\nPLAIN=${p('correct horse battery')}\r\nPIN ${p('4711')}\r\n`),
      prints(
        `\u001b[33m${p('ghp_colourCOLOUR0123456789')}\u001b[0m\r\nWIFI_PASSWORD=${p('Kd8fQ2mZx7LpR4tVb9NwYc3H')}\r\nsecret: ${p('0123456789abcdef0123456789abcdef01234567')}`,
      ),
      { type: 'terminal_update', terminalId: 'own', output: `Cookie: ${p('sid=cookie123; b=2')}\n` },
      {
        type: 'plan_update',
        planId: 'p',
        plan: { type: 'items', entries: [{ content: `Rotate ${p('hf_planPLAN0123456789ab')}`, priority: 'high', status: 'pending' }] },
      },
      {
        type: 'permission_requested',
        permissionId: 'q',
        title: `Run with ${p('whsec_live_perm01234567')}`,
        description: `as ${p('grace@navy.example.mil')}`,
        options: [{ optionId: 'o', name: `Allow ${p('ya29.optionOPTION0123456')}`, kind: 'allow_once' }],
        subject: { command: `deploy --token=${p('cli-token-1')}`, rawInput: { clientSecret: p('client-secret-1') } } as never,
        meta: { password: p('permission-meta') },
      },
      {
        type: 'elicitation_requested',
        requestKey: 'e',
        message: 'Your token?',
        body: { mode: 'url', url: `https://login.example/?code=${p('oauthcode1')}`, elicitationId: 'x' } as never,
      },
      { type: 'elicitation_resolved', requestKey: 'e', outcome: 'accepted', content: { name: p('Ada Lovelace'), list: [p('an answer')] } },
      {
        type: 'notice',
        noticeId: 'n',
        severity: 'error',
        title: `401 for ${p('sk-noticeNOTICE01')}`,
        failure: {
          code: 'agent.exited',
          params: { command: '/home/ada/bin/agent' },
          detail: `at ada: x-api-key: ${p('detailkey12345')}`,
        } as never,
      },
      {
        type: 'compaction_update',
        compactionId: 'k',
        status: 'failed',
        summary: [{ type: 'text', text: `uses ${p('github_pat_summary0123456789')}` }],
        error: `secret=${p('compaction-1')}`,
      },
      { type: 'usage', usage: { used: 1, size: 2 }, meta: { authToken: p('usage-meta') } },
      {
        type: 'unknown',
        unknownId: 'x',
        label: `_vendor/${p('sk-labelLABEL0123')}`,
        raw: { deep: [{ deeper: { privateKey: p('raw-private') } }], note: `host ${p('adas-engine')}` },
      },
      {
        type: 'turn_ended',
        turnId: 'turn-1',
        stopReason: 'error',
        failure: { code: 'turn.failed', detail: `Bearer ${p('failureBearer1')}` } as never,
      },
    ];
    const all = async (): Promise<string> => {
      const traces = new Traces({ now: () => 0 });
      const { trace } = traces.add({
        agentName: 'Fake',
        commandLine: `/home/ada/bin/agent --password ${p('argvpass')}`,
        cwd: '/home/ada/w',
        secrets: secretValues(env),
      });
      trace.stderr(`config at /home/ada/.config, key ${p('sk-stderrSTDERR01')}`);
      pem.split('\n').forEach((line) => trace.stderr(line));
      trace.noise(`hello ada, ${p('noise@corp.example')}`);
      const update = (text: string) => ({
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 'S', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
      });
      trace.received(JSON.stringify(update(`cut: ${p('hunter2hun')}`)));
      trace.received(JSON.stringify(update(p('ter2 rest'))));
      trace.sent(JSON.stringify({ jsonrpc: '2.0', id: 3, result: { action: 'accept', content: { name: p('Augusta') } } }));
      trace.sent(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 4,
          method: 'session/prompt',
          params: { prompt: [{ type: 'image', mimeType: 'image/png', data: p('R0lG'.repeat(300)) }] },
        }),
      );
      const redaction = new Redaction(secretValues(env), anonymous(ada));
      return (await bundle(journal(...happenings), env)) + [...protocolLines(exportLines({ ...traces.all[0]!, redaction }, '1'))].join('');
    };

    it('has none of them, in no line', async () => {
      const text = await all();
      assert.ok(secrets.length >= 60, String(secrets.length));
      const kept = secrets.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));
      assert.deepEqual(kept, []);
      assert.equal(/.{0,80}(?:\bada\b|adas-engine|b3BlbnNz)/i.exec(text)?.[0], undefined);
      linesOf(text); // Each is still JSON.
    });

    it('is still the conversation', async () => {
      const { state, replay } = replayed(await bundle(journal(...happenings), env));
      const odd = happenings.filter((happening) => !isSessionEvent({ ...happening, at: 1 }));
      assert.deepEqual(odd, []);
      assert.equal(replay.damaged, 0);
      const kinds = [...state.entries].map(({ kind }) => kind);
      assert.deepEqual(kinds.slice(0, 7), ['message', 'message', 'message', 'message', 'message', 'tool_call', 'permission']);
      assert.equal(state.entries.get('tool_call:c')?.kind, 'tool_call');
    });
  });
});
