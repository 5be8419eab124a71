import assert from 'node:assert/strict';
import { startFailure } from '../../../src/agent/startFailure';

describe('a start that failed', () => {
  it('names the command line and quotes the last of stderr, whatever went wrong', () => {
    assert.deepEqual(startFailure({ code: 'agent.exited', params: { exitCode: 3 }, detail: 'no key' }, 'my agent', 'older\nno key'), {
      code: 'agent.exited_at_start',
      params: { exitCode: 3, commandLine: 'my agent' },
      detail: 'no key',
    });
    assert.deepEqual(startFailure({ code: 'request.timeout', params: { method: 'initialize', ms: 500 } }, 'my agent', 'loading'), {
      code: 'agent.start_timeout',
      params: { method: 'initialize', ms: 500, commandLine: 'my agent' },
      detail: 'loading',
    });
    assert.equal(startFailure({ code: 'protocol.version', params: { actual: 9 } }, 'my agent', 'old').detail, 'old');
  });

  it('quotes the stdout of a program that speaks no ACP, but not in place of an error that it answered', () => {
    const output = 'npm warn\nUsage: tool [options]';
    const ended = { code: 'agent.exited', params: { exitCode: 0 }, detail: 'npm warn' } as const;
    assert.equal(startFailure(ended, 'tool', 'npm warn', output).detail, output);
    assert.equal(startFailure({ code: 'request.timeout' }, 'tool', '', output).detail, output);
    const colored = '\u001b[1mUsage:\u001b[0m tool\u001b]0;title\u0007  \n\u001b[2J\nnpm warn';
    assert.equal(startFailure(ended, 'tool', 'npm warn', colored).detail, 'Usage: tool\nnpm warn');
    assert.equal(startFailure({ code: 'request.failed', detail: 'no key' }, 'tool', '', output).detail, 'no key');
    assert.equal(startFailure(ended, 'tool', 'npm warn', undefined).detail, 'npm warn');
  });

  it('says that the program prints text where nothing else explains the end', () => {
    const printsText = (failure: Parameters<typeof startFailure>[0], stderr: string, output?: string): unknown =>
      startFailure(failure, 'tool', stderr, output).params?.['printsText'];
    assert.equal(printsText({ code: 'request.timeout' }, 'ready', 'Welcome\nready'), 'yes');
    assert.equal(printsText({ code: 'agent.exited' }, '', 'Usage: tool'), 'yes');
    assert.equal(printsText({ code: 'agent.exited' }, 'Error: no key', 'Starting\nError: no key'), undefined);
    assert.equal(printsText({ code: 'request.timeout' }, 'ready'), undefined);
    assert.equal(printsText({ code: 'request.failed' }, '', 'Welcome'), undefined);
  });

  it('keeps the other codes, and quotes nothing when stderr was empty', () => {
    const failure = { code: 'agent.not_found', params: { command: 'nope', cwd: '/w' } } as const;
    assert.deepEqual(startFailure(failure, 'nope --acp', ''), {
      code: 'agent.not_found',
      params: { command: 'nope', cwd: '/w', commandLine: 'nope --acp' },
    });
  });
});
