/** Keep and Undo in the hover of a diff. */
import assert from 'node:assert/strict';
import { LiveHunks } from '../../../../../src/changes/hunks/liveHunks';
import { commandUri, hunkLinks } from '../../../../../src/workbench/changes/review/hunkLinks';
import { english } from '../../../application/english';

describe('the links in the hover of a diff', () => {
  const target = (key: string) => {
    const hunks = LiveHunks.of('one\n');
    hunks.replace('1\n', { type: 'agent', by: 'turn' });
    return { changes: { key }, file: { path: '/w/a.txt', before: { kind: 'none' }, hunks }, hunkIds: [1] } as never;
  };
  const shown = (...keys: readonly string[]) =>
    hunkLinks(
      keys.map((key) => target(key)),
      ({ changes }) => english('Session {key}', { key: changes.key }),
      english,
    );

  it('keep and undo the change of the line', () => {
    const [only, ...others] = shown('A');
    assert.equal(others.length, 0);
    assert.equal(only!.title, undefined);
    const args = [{ sessionKey: 'A', path: '/w/a.txt', hunkId: 1 }];
    assert.deepEqual(only!.links, [
      { title: 'Keep', command: 'acpHost.keepChange', args },
      { title: 'Undo', command: 'acpHost.undoChange', args },
    ]);
  });

  it('name the session where several changed the line', () => {
    assert.deepEqual(
      shown('A', 'B').map(({ title }) => title),
      ['Session A', 'Session B'],
    );
  });

  it('do not end at a bracket in the path of a file', () => {
    const path = "/w/a) [x](command:evil?'!*).txt";
    const uri = commandUri('acpHost.keepChange', [{ path }]);
    assert.match(uri, /^command:acpHost\.keepChange\?[\w%.~-]+$/);
    assert.deepEqual(JSON.parse(decodeURIComponent(uri.slice(uri.indexOf('?') + 1))), [{ path }]);
  });
});
