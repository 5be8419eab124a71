import assert from 'node:assert/strict';
import { LaunchSecrets, shownCommand } from '../../../../src/acp/redaction/launchSecrets';

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
