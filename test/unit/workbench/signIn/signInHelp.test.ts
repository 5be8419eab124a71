import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { enterVscode } from '../../../support/fakeVscode';

interface Scene {
  remoteName?: string;
  /** The port of the browser's machine that leads to the agent's. */
  forwardedTo?: number;
  typed?: string;
  /** The button that the user presses. */
  pressed?: string;
}

async function help<T>(scene: Scene, act: (loaded: typeof import('../../../../src/workbench/signIn/signInHelp')) => Promise<T>) {
  const log: unknown[] = [];
  const show = (message: string, ...buttons: unknown[]) => {
    log.push(message);
    return Promise.resolve(buttons.find((button) => button === scene.pressed));
  };
  const leave = enterVscode({
    env: {
      remoteName: scene.remoteName,
      uiKind: 1,
      clipboard: { writeText: async (text: string) => void log.push(['copied', text]) },
      asExternalUri: async ({ authority }: { authority: string }) => {
        log.push(['forwarded', authority]);
        return { authority: scene.forwardedTo === undefined ? authority : `localhost:${scene.forwardedTo}` };
      },
    },
    UIKind: { Desktop: 1, Web: 2 },
    Uri: { parse: (text: string) => ({ authority: new URL(text).host }) },
    l10n: { t: (message: string) => message },
    commands: { executeCommand: async (command: string) => void log.push(['ran', command]) },
    window: { showInformationMessage: show, showWarningMessage: show, showInputBox: async () => scene.typed },
  });
  try {
    await act(await import('../../../../src/workbench/signIn/signInHelp'));
    await new Promise(setImmediate);
    return log;
  } finally {
    leave();
  }
}

const PAGE = `https://auth.example/authorize?redirect_uri=${encodeURIComponent('http://localhost:1455/cb')}`;
const activity = { during: <T>(act: () => T | PromiseLike<T>) => Promise.resolve(act()) };

describe('help for a sign-in', () => {
  it('forwards the port of a page in a remote window, and nowhere else', async () => {
    assert.deepEqual(await help({ remoteName: 'ssh-remote' }, (loaded) => loaded.preparePage(PAGE, '')), [['forwarded', 'localhost:1455']]);
    assert.deepEqual(await help({}, (loaded) => loaded.preparePage(PAGE, '')), []);
    assert.deepEqual(await help({ remoteName: 'ssh-remote' }, (loaded) => loaded.preparePage('https://auth.example/', '')), []);
  });

  it('offers to paste the address when the port is another one for the browser', async () => {
    const log = await help({ remoteName: 'ssh-remote', forwardedTo: 4000, pressed: 'Paste Address…' }, (loaded) =>
      loaded.preparePage(PAGE, ''),
    );
    assert.match(String(log[1]), /returns to port/);
    assert.deepEqual(log[2], ['ran', 'acpHost.finishSignIn']);
  });

  it('offers the code for a page', async () => {
    const log = await help({ pressed: 'Copy Code' }, (loaded) =>
      loaded.preparePage('https://auth.example/device', 'Enter the code ABCD-EFGH there.'),
    );
    assert.deepEqual(log.at(-1), ['copied', 'ABCD-EFGH']);
  });

  it('sends a pasted address to a port of this window alone', async () => {
    const requests: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      requests.push(url);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const finish = (typed: string) => help({ typed }, (loaded) => loaded.finishSignIn(activity));
    try {
      assert.deepEqual(await finish(`http://localhost:${port}/cb?code=c`), ['The agent received the sign-in.']);
      assert.deepEqual(requests, ['/cb?code=c']);
      assert.deepEqual(await finish('https://evil.example/?code=c'), []);
    } finally {
      server.close();
    }
    await new Promise(setImmediate);
    const [refused] = await finish(`http://localhost:${port}/cb?code=c`);
    assert.match(String(refused), /Nothing was sent/);
  });
});
