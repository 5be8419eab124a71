import assert from 'node:assert/strict';
import { Redaction } from '../../../../src/acp/redaction/redact';
import { secretValues } from '../../../../src/acp/redaction/secretValues';
import { exportLines } from '../../../../src/acp/trace/exportLines';
import { Traces } from '../../../../src/acp/trace/traces';
import type { EventInput } from '../../../../src/core/model/event';
import { isSessionEvent } from '../../../../src/core/model/event';
import { anonymous } from '../../../../src/application/export/anonymize';
import { protocolLines } from '../../../../src/application/export/exportBundle';
import { journal, ada, bundle, linesOf, say, prints, replayed } from './bundles';

describe('a bundle with 60 secrets in all places', () => {
  // Random values, of the kinds that people have. None is real.
  const env = { ACME_REGION_URL: 'postgres-main-7', SHORT_PIN: '4711', PLAIN_VALUE: 'correct horse battery' };
  const pem =
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB\n-----END OPENSSH PRIVATE KEY-----';
  const secrets: string[] = [];
  const plant = (secret: string): string => {
    secrets.push(secret);
    return secret;
  };
  const p = plant;
  const events: EventInput[] = [
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
      agentId: 'Fake',
      agentName: 'Fake',
      commandLine: `/home/ada/bin/agent --password ${p('argvpass')}`,
      cwd: '/home/ada/w',
      secrets: () => secretValues(env),
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
    return (await bundle(journal(...events), env)) + [...protocolLines(exportLines({ ...traces.all[0]!, redaction }, '1'))].join('');
  };

  it('contains none of them, in any line', async () => {
    const text = await all();
    assert.ok(secrets.length >= 60, String(secrets.length));
    const kept = secrets.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));
    assert.deepEqual(kept, []);
    assert.equal(/.{0,80}(?:\bada\b|adas-engine|b3BlbnNz)/i.exec(text)?.[0], undefined);
    linesOf(text); // Each line is still JSON.
  });

  it('is still the conversation', async () => {
    const { state, replay } = replayed(await bundle(journal(...events), env));
    const odd = events.filter((event) => !isSessionEvent({ ...event, at: 1 }));
    assert.deepEqual(odd, []);
    assert.equal(replay.damaged, 0);
    const kinds = [...state.entries].map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 7), ['message', 'message', 'message', 'message', 'message', 'tool_call', 'permission']);
    assert.equal(state.entries.get('tool_call:c')?.kind, 'tool_call');
  });
});
