/** Changes that were found on disk are merged with those that the agent reported. The disk overrides the agent. */
import assert from 'node:assert/strict';
import { withFound } from '../../../../src/core/toolCalls/foundChanges';
import type { FileRecord, FileState } from '../../../../src/core/fileChanges/records';

const file = (hash: string, kept = true): FileState => ({ kind: 'file', hash, size: 1, mode: 0o644, kept });
const NONE: FileState = { kind: 'none' };
const LATE: FileState = { kind: 'unknown', reason: 'late' };

describe('changes found on disk', () => {
  it('replace the reported ones of the same file, and record whether its texts are stored', () => {
    const told = { files: [{ path: '/a', operation: 'modify', added: 9, removed: 9, hasText: true }] };
    const found: FileRecord[] = [
      { path: '/a', before: file('1'), after: file('2'), added: 1, removed: 2 },
      { path: '/b', before: NONE, after: file('3'), binary: true },
      { path: '/c', before: LATE, after: file('4') },
      { path: '/d', before: file('5'), after: NONE, removed: 3, added: 0 },
      { path: '/e', before: file('6'), after: file('7', false) },
    ];
    assert.deepEqual(withFound(told, { files: found, unchanged: [] }), {
      files: [
        { path: '/a', operation: 'modify', added: 1, removed: 2, kept: true, hasText: true },
        { path: '/b', operation: 'add' },
        { path: '/c', operation: 'modify', noBefore: true },
        { path: '/d', operation: 'delete', added: 0, removed: 3, kept: true },
        { path: '/e', operation: 'modify' },
      ],
    });
  });

  it('remove reported changes that the disk does not confirm', () => {
    const told = {
      files: [
        { path: '/a', operation: 'modify' },
        { path: '/elsewhere', operation: 'add' },
      ],
    };
    assert.deepEqual(withFound(told, { files: [], unchanged: ['/a', '/never told'] }), {
      files: [{ path: '/elsewhere', operation: 'add' }],
    });
    assert.deepEqual(withFound({ files: [told.files[0]!] }, { files: [], unchanged: ['/a'] }), { files: [] });
    assert.equal(withFound(told, { files: [], unchanged: ['/b'] }), undefined);
  });
});
