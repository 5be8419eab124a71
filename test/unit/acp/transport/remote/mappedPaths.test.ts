import assert from 'node:assert/strict';
import { type PathPair, withMappedPaths } from '../../../../../src/acp/transport/remote/mappedPaths';
import type { MessageTransport } from '../../../../../src/core/model/transport';

/** The forms of a message after its way to the agent, and from it. */
const mapped = (mapping: readonly PathPair[], outgoing: readonly PathPair[] = []) => {
  let sent = '';
  let arrive!: (text: string) => void;
  let read = '';
  const inner: MessageTransport = {
    read: (reader) => void (arrive = (text) => reader.message(text, false)),
    write: (json) => ((sent = json), true),
    close: () => undefined,
    describe: () => ({}),
  };
  const transport = withMappedPaths(inner, mapping, outgoing);
  transport.read({ message: (text) => void (read = text), skipped: () => undefined, closing: () => undefined, end: () => undefined });
  return {
    toAgent: (message: object) => (transport.write(JSON.stringify(message)), JSON.parse(sent) as unknown),
    raw: (text: string) => (arrive(text), read),
    fromAgent: (message: object) => (arrive(JSON.stringify(message)), JSON.parse(read) as unknown),
  };
};

describe('mapped paths', () => {
  const shop = mapped([
    ['/home/me/shop', '/srv/shop'],
    ['/home/me/shop/libs/', '/opt/libs'],
  ]);

  it('go to the agent as its own, in every field for paths', () => {
    assert.deepEqual(
      shop.toAgent({
        method: 'session/new',
        params: {
          cwd: '/home/me/shop',
          additionalDirectories: ['/home/me/shop/libs', '/other'],
          prompt: [{ uri: 'file:///home/me/shop/a%20b.ts' }],
        },
      }),
      {
        method: 'session/new',
        params: { cwd: '/srv/shop', additionalDirectories: ['/opt/libs', '/other'], prompt: [{ uri: 'file:///srv/shop/a%20b.ts' }] },
      },
    );
  });

  it('come back as ours', () => {
    assert.deepEqual(
      shop.fromAgent({ params: { path: '/srv/shop/src/"q".ts', locations: [{ path: '/opt/libs/x.ts' }, { path: '/etc/passwd' }] } }),
      { params: { path: '/home/me/shop/src/"q".ts', locations: [{ path: '/home/me/shop/libs/x.ts' }, { path: '/etc/passwd' }] } },
    );
  });

  it('are not looked for in texts, nor in the names of other folders', () => {
    const message = {
      params: { path: '/srv/shopping/a', content: { type: 'text', text: 'in "path":"/srv/shop/a" and /srv/shop' }, note: '/srv/shop' },
    };
    assert.deepEqual(shop.fromAgent(message), message);
  });

  it('change between the separators of Windows and others', () => {
    const windows = mapped([['C:\\Users\\me\\shop', '/srv/shop']]);
    assert.deepEqual(windows.toAgent({ params: { path: 'C:\\Users\\me\\shop\\src\\a.ts' } }), { params: { path: '/srv/shop/src/a.ts' } });
    assert.deepEqual(windows.fromAgent({ params: { path: '/srv/shop/src/a.ts' } }), { params: { path: 'C:\\Users\\me\\shop\\src\\a.ts' } });
    assert.deepEqual(windows.fromAgent({ params: { uri: 'file:///srv/shop/src/a.ts' } }), {
      params: { uri: 'file:///C:/Users/me/shop/src/a.ts' },
    });
  });

  it('keep those of the agent for a folder without a mapping', () => {
    const folder = mapped([], [['/home/me/shop', '/srv/shop']]);
    assert.deepEqual(folder.toAgent({ params: { cwd: '/home/me/shop' } }), { params: { cwd: '/srv/shop' } });
    assert.deepEqual(folder.fromAgent({ params: { path: '/srv/shop/a' } }), { params: { path: '/srv/shop/a' } });
  });

  it('are replaced like others when they have many megabytes', () => {
    const long = `/${'a'.repeat(20_000_000)}`;
    const { path } = shop.fromAgent({ path: `/srv/shop${long}` }) as { path: string };
    assert.ok(path === `/home/me/shop${long}`);
  });

  it('in lists without an end take no more time than other texts', () => {
    const text = '"roots":["/srv/shop"'.repeat(100_000);
    const started = performance.now();
    assert.equal(shop.raw(text), text);
    assert.ok(performance.now() - started < 2000, `${Math.round(performance.now() - started)} ms`);
  });
});
