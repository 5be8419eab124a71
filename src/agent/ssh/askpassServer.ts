/**
 * Answers the questions of one `ssh` process. They arrive from its helper program over a socket in a folder that only this user can open. Answers are
 * neither stored nor logged.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { makeSocketFolder } from '../../util/sockets/socketFolder';
import { DisposableStore } from '../../util/disposable';
import type { Disposable } from '../../core/platform/disposable';
import { ASKPASS_SOCKET, ASKPASS_TOKEN, type AskpassRequest } from './askpassProtocol';
import { type SshQuestion, sshQuestion } from './sshQuestion';

/** Asks the user. Resolves to undefined without an answer, and when `signal` aborts because nothing waits for the answer any longer. */
export type AskSsh = (question: SshQuestion, signal: AbortSignal) => Promise<string | undefined>;

export interface Askpass extends Disposable {
  /** The variables of the `ssh` process. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The longest request. The text of a question is far shorter. */
const MAX_REQUEST = 64 * 1024;

/** Without questions, `ssh` uses only keys, its agent and hosts that it knows. */
const NO_QUESTIONS: Askpass = { environment: { SSH_ASKPASS_REQUIRE: 'never' }, dispose: () => undefined };

/**
 * On Windows `ssh` asks nothing: its helper would have to be a batch file, and `cmd` would run parts of a question, which may come from the host.
 *
 * @param program the helper program, a script for Node.js
 */
export async function startAskpass(program: string, ask: AskSsh, platform = process.platform): Promise<Askpass> {
  if (platform === 'win32') {
    return NO_QUESTIONS;
  }
  const folder = await makeSocketFolder('acp-');
  const address = path.join(folder, 's');
  const token = randomBytes(32).toString('hex');
  const owned = new DisposableStore();
  owned.add({ dispose: () => void rm(folder, { recursive: true, force: true }).catch(() => undefined) });
  try {
    await chmod(folder, 0o700);
    const script = path.join(folder, 'askpass');
    await writeFile(script, SCRIPT, { mode: 0o700 });
    owned.add(await listen(address, token, ask));
    const environment = {
      SSH_ASKPASS: script,
      SSH_ASKPASS_REQUIRE: 'force',
      // Versions before 8.4 ask only where there is a display.
      DISPLAY: process.env['DISPLAY'] ?? ':0',
      [ASKPASS_SOCKET]: address,
      [ASKPASS_TOKEN]: token,
      ACP_HOST_ASKPASS_NODE: process.execPath,
      ACP_HOST_ASKPASS_PROGRAM: program,
    };
    return { environment, dispose: () => owned.dispose() };
  } catch (error) {
    owned.dispose();
    throw error;
  }
}

/** `SSH_ASKPASS` names one program, without arguments. */
const SCRIPT = `#!/bin/sh
ELECTRON_RUN_AS_NODE=1 exec "$ACP_HOST_ASKPASS_NODE" "$ACP_HOST_ASKPASS_PROGRAM" "$@"
`;

async function listen(address: string, token: string, ask: AskSsh): Promise<Disposable> {
  const sockets = new Set<net.Socket>();
  const isOver = new AbortController();
  /** One question at a time: `ssh` may run several helpers. */
  let last: Promise<unknown> = Promise.resolve();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    const isGone = new AbortController();
    socket.on('error', () => undefined);
    socket.once('close', () => {
      sockets.delete(socket);
      isGone.abort();
    });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0 && text.length <= MAX_REQUEST) {
        return;
      }
      socket.removeAllListeners('data');
      socket.resume();
      const request = end < 0 ? undefined : requestIn(text.slice(0, end), token);
      if (!request) {
        socket.destroy();
        return;
      }
      const signal = AbortSignal.any([isGone.signal, isOver.signal]);
      last = last
        .then(() => (signal.aborted ? undefined : ask(sshQuestion(request.prompt, request.hint), signal)))
        .catch(() => undefined)
        .then((answer) => socket.end(JSON.stringify(answer === undefined ? {} : { answer })));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  server.unref();
  return {
    dispose: () => {
      isOver.abort();
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

/** Undefined for a request without the secret. */
function requestIn(line: string, token: string): AskpassRequest | undefined {
  try {
    const { token: given, prompt, hint } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const isRight = typeof given === 'string' && given.length === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token));
    return isRight && typeof prompt === 'string' ? { token, prompt, ...(typeof hint === 'string' && { hint }) } : undefined;
  } catch {
    return undefined;
  }
}
