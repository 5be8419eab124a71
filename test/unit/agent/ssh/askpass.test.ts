/** The helper program of `ssh` and the server that answers it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { type Askpass, type AskSsh, startAskpass } from '../../../../src/agent/ssh/askpassServer';
import { ASKPASS_SOCKET, ASKPASS_TOKEN } from '../../../../src/agent/ssh/askpassProtocol';
import { type SshQuestion, sshQuestion } from '../../../../src/agent/ssh/sshQuestion';
import { askpassProgram } from '../../../support/askpassProgram';

const HOST_KEY = `The authenticity of host 'build (10.0.0.7)' can't be established.
ED25519 key fingerprint is SHA256:abc.
Are you sure you want to continue connecting (yes/no/[fingerprint])? `;

describe('the questions of ssh', function () {
  this.timeout(20_000);
  const started: Askpass[] = [];
  afterEach(() => started.splice(0).forEach((each) => each.dispose()));

  const start = async (ask: AskSsh): Promise<Askpass> => {
    const askpass = await startAskpass(await askpassProgram(), ask);
    started.push(askpass);
    return askpass;
  };

  /** Runs the helper as `ssh` does. */
  const run = ({ environment }: Askpass, prompt: string, hint?: string): Promise<{ code: unknown; stdout: string }> =>
    new Promise((resolve) =>
      execFile(
        environment['SSH_ASKPASS']!,
        [prompt],
        { env: { PATH: process.env['PATH'], ...environment, ...(hint !== undefined && { SSH_ASKPASS_PROMPT: hint }) } },
        (error, stdout) => resolve({ code: error?.code ?? 0, stdout }),
      ),
    );

  it('reach the user through the helper program, and the answer goes back', async () => {
    const asked: SshQuestion[] = [];
    const askpass = await start(async (question) => {
      asked.push(question);
      return `s3cret ü '"$x`;
    });
    assert.deepEqual(await run(askpass, "me@build's password: "), { code: 0, stdout: `s3cret ü '"$x\n` });
    assert.deepEqual(asked, [{ kind: 'password', text: "me@build's password:" }]);
  });

  it('do not reach a batch file on Windows, because their text would be read as commands', async () => {
    const { environment } = await startAskpass('ssh-askpass.js', async () => 'answer', 'win32');
    assert.deepEqual(environment, { SSH_ASKPASS_REQUIRE: 'never' });
  });

  it('end without an answer when the user gives none, or the question fails', async () => {
    assert.deepEqual(await run(await start(async () => undefined), 'Password:'), { code: 1, stdout: '' });
    assert.deepEqual(await run(await start(() => Promise.reject(new Error('no window'))), 'Password:'), { code: 1, stdout: '' });
  });

  it('come one after the other', async () => {
    const open: ((answer: string) => void)[] = [];
    const askpass = await start(() => new Promise((resolve) => open.push(resolve)));
    const both = Promise.all([run(askpass, 'One:'), run(askpass, 'Two:')]);
    while (open.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(open.length, 1);
    open[0]!('a');
    while (open.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    open[1]!('b');
    assert.deepEqual((await both).map(({ stdout }) => stdout.trim()).sort(), ['a', 'b']);
  });

  it('are withdrawn when ssh ends its helper, or the agent is closed', async () => {
    const signals: AbortSignal[] = [];
    const askpass = await start((_, signal) => {
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
    });
    const child = execFile(askpass.environment['SSH_ASKPASS']!, ['Touch it'], {
      env: { PATH: process.env['PATH'], ...askpass.environment },
    });
    while (signals.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    child.kill();
    await once(signals[0]!, 'abort');
    const waiting = run(askpass, 'Password:');
    while (signals.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    askpass.dispose();
    assert.equal((await waiting).code, 1);
    assert.equal(signals[1]!.aborted, true);
  });

  it('are answered to the holder of the secret only, in a folder of this user', async () => {
    const asked: SshQuestion[] = [];
    const { environment, dispose } = await start(async (question) => {
      asked.push(question);
      return 's3cret';
    });
    const folder = path.dirname(environment['SSH_ASKPASS']!);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const token = environment[ASKPASS_TOKEN]!;
    for (const line of [
      '{}\n',
      'no json\n',
      `${JSON.stringify({ token: 'x'.repeat(token.length), prompt: 'Password:' })}\n`,
      `${JSON.stringify({ token: token.slice(1), prompt: 'Password:' })}\n`,
      `${JSON.stringify({ token, prompt: 7 })}\n`,
      'x'.repeat(100_000),
    ]) {
      const socket = net.connect(environment[ASKPASS_SOCKET]!);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => undefined);
      socket.write(line);
      await once(socket, 'close');
      assert.equal(text, '');
    }
    assert.deepEqual(asked, []);
    // The secret is in the environment of ssh alone, never in an argument or a file.
    assert.ok(token.length >= 64);
    dispose();
    for (const end = Date.now() + 5000; existsSync(folder) && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(existsSync(folder), false);
  });

  it('are told apart by their text, and by the hint of newer versions', () => {
    assert.deepEqual(sshQuestion(HOST_KEY, undefined), { kind: 'hostKey', text: HOST_KEY.trim() });
    assert.equal(sshQuestion("Please type 'yes', 'no' or the fingerprint: ", undefined).kind, 'hostKey');
    assert.equal(sshQuestion('Are you sure you want to continue connecting (yes/no)? ', undefined).kind, 'hostKey');
    assert.equal(sshQuestion('Allow use of key a? ', 'confirm').kind, 'confirm');
    assert.equal(sshQuestion('Confirm user presence for key', 'none').kind, 'notice');
    assert.equal(sshQuestion("Enter passphrase for key '/home/me/.ssh/id': ", undefined).kind, 'password');
    assert.equal(sshQuestion('Verification code: ', undefined).kind, 'password');
    assert.equal(sshQuestion('x'.repeat(100_000), undefined).text.length, 4000);
  });
});
