import assert from 'node:assert/strict';
import { LaunchSecrets, serverSecrets, shownCommand } from '../../../../src/acp/redaction/launchSecrets';

describe('the shown command of a launch', () => {
  const shown = (...args: string[]): string => shownCommand('agent', args, ['env-value-1', 'tok']);
  const cases: readonly (readonly [string[], string])[] = [
    [['--acp', '-v'], 'agent --acp -v'],
    [['--api-key=abc'], "agent '--api-key=[redacted]'"],
    [['--api-key=a b'], "agent '--api-key=[redacted]'"],
    [['--token', 'X'], "agent --token '[redacted]'"],
    [['-token', 'X'], "agent -token '[redacted]'"],
    [['--auth', 'X', 'rest'], "agent --auth '[redacted]' rest"],
    [['--token', '--acp'], 'agent --token --acp'],
    [['--no-auth', 'x'], 'agent --no-auth x'],
    [['-H', 'Authorization: Bearer abc'], "agent -H 'Authorization: [redacted]'"],
    [['-H', 'X-Api-Key: abc'], "agent -H 'X-Api-Key: [redacted]'"],
    [['OPENAI_API_KEY=abc', 'run'], "agent 'OPENAI_API_KEY=[redacted]' run"],
    [['https://me:pass@host/x'], "agent 'https://[redacted]@host/x'"],
    [['postgres://me:pass@host/x?sslmode=require'], "agent 'postgres://[redacted]@host/x?sslmode=require'"],
    [['env-value-1', 'x-env-value-1-y', 'tok'], "agent '[redacted]' 'x-[redacted]-y' '[redacted]'"],
    [['--config', '{"apiKey":"abc","model":"m"}'], `agent --config '{"apiKey":"[redacted]","model":"m"}'`],
    [['--url', 'https://x.test/?access_token=abc'], "agent --url 'https://x.test/?access_token=[redacted]'"],
    [['-p', 'sk-' + 'abcdefghijkl'], "agent -p '[redacted]'"],
  ];
  for (const [args, expected] of cases) {
    it(JSON.stringify(args), () => assert.equal(shown(...args), expected));
  }

  it('shows no secrets that were added later', () => {
    const secrets = new LaunchSecrets({ command: 'agent', args: [], env: {} });
    assert.equal(secrets.text('a later-secret'), 'a later-secret');
    secrets.add(['later-secret', 'later-secret-2']);
    assert.equal(secrets.text('a later-secret, later-secret-2 and later-se'), 'a [redacted], [redacted] and [redacted]');
  });

  it('appears in failures, whose texts are redacted too', () => {
    const secrets = new LaunchSecrets(
      { command: 'agent', args: ['--key', 'abc'], env: { MARK: 'env-value-1', MODEL: 'plain-model' } },
      { WHATEVER: 'blue' },
    );
    const failure = {
      code: 'agent.not_found',
      params: { commandLine: 'agent --key abc', command: 'env-value-1', exitCode: 3 },
      detail: 'it was env-value-1, blue, plain-model; and env-val',
    } as const;
    assert.deepEqual(secrets.failure(failure), {
      code: 'agent.not_found',
      params: { commandLine: "agent --key '[redacted]'", command: '[redacted]', exitCode: 3 },
      detail: 'it was [redacted], [redacted], plain-model; and [redacted]',
    });
  });
});

describe('the secrets of MCP servers', () => {
  it('are the values of variables that are secrets, and all headers with their tokens', () => {
    assert.deepEqual(
      serverSecrets([
        { type: 'stdio', name: 'a', command: '/a', args: [], env: { API_TOKEN: 'abc', HOME: '/home/me', CODE: 'k3y-value' } },
        { type: 'http', name: 'b', url: 'https://b.example', headers: { Authorization: 'Bearer t0ken' } },
        { type: 'sse', name: 'c', url: 'https://c.example', headers: { 'X-Key': 'events' } },
        { type: 'acp', name: 'd', serverId: 'd-1' },
      ]),
      ['Bearer%20t0ken', 'Bearer t0ken', 'k3y-value', 'events', 't0ken', 'abc'],
    );
  });

  it('are also in arguments and addresses, and the values of inputs', () => {
    const password = { name: 'key', value: 'pass', isPassword: true };
    const folder = { name: 'folder', value: '/home/me/project', isPassword: false };
    const token = { name: 'other', value: 'tok-1234-abcdefgh', isPassword: false };
    const args = ['--api-key', 'argument-key', '--token=assigned-key', 'X-Api-Key: header-key', '--mode', 'fast', 'pass'];
    const found = serverSecrets([
      { type: 'stdio', name: 'a', command: '/a', args, env: {}, inserted: [password, folder, token] },
      { type: 'http', name: 'b', url: 'https://user:w%20rd@b.example/?api_key=query-key&page=2', headers: {} },
      { type: 'sse', name: 'c', url: 'not an address', headers: {} },
    ]);
    for (const secret of ['argument-key', 'assigned-key', 'header-key', 'pass', 'tok-1234-abcdefgh', 'w rd', 'query-key']) {
      assert.ok(found.includes(secret), secret);
    }
    for (const ordinary of ['fast', '--mode', '/home/me/project', '2', 'user']) {
      assert.ok(!found.includes(ordinary), ordinary);
    }
  });
});
