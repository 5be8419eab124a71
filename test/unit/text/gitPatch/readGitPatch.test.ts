/** Table-driven tests of the reader for git patches. */
import assert from 'node:assert/strict';
import { patchChanges } from '../../../../src/text/gitPatch/patchChanges';
import { type PatchedFile, readGitPatch } from '../../../../src/text/gitPatch/readGitPatch';

const hunk = (oldStart: number, newStart: number, oldText: string, newText: string) => ({ oldStart, newStart, oldText, newText });

const CASES: Readonly<
  Record<string, readonly [patch: readonly string[], files: readonly PatchedFile[] | undefined, known?: readonly string[]]>
> = {
  'a change with context': [
    [
      'diff --git /w/a.ts /w/a.ts',
      'index 1..2 100644',
      '--- /w/a.ts',
      '+++ /w/a.ts',
      '@@ -3,3 +3,3 @@ function f() {',
      ' a',
      '-b',
      '+c',
      ' d',
    ],
    [{ operation: 'modify', path: '/w/a.ts', hunks: [hunk(3, 3, 'a\nb\nd\n', 'a\nc\nd\n')] }],
  ],
  'two hunks, whose second moves': [
    ['diff --git /w/a /w/a', '--- /w/a', '+++ /w/a', '@@ -1 +1,2 @@', '-a', '+b', '+c', '@@ -9 +10 @@', '-x', '+y'],
    [{ operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, 'a\n', 'b\nc\n'), hunk(9, 10, 'x\n', 'y\n')] }],
  ],
  'a new file': [
    ['diff --git /w/n /w/n', 'new file mode 100755', '--- /dev/null', '+++ /w/n', '@@ -0,0 +1,2 @@', '+a', '+b'],
    [{ operation: 'add', path: '/w/n', newMode: '100755', hunks: [hunk(1, 1, '', 'a\nb\n')] }],
  ],
  'a new file without the line for its mode': [
    ['--- /dev/null', '+++ /w/n', '@@ -0,0 +1 @@', '+a'],
    [{ operation: 'add', path: '/w/n', hunks: [hunk(1, 1, '', 'a\n')] }],
  ],
  'an empty new file': [
    ['diff --git /w/e /w/e', 'new file mode 100644', 'index 0000000..e69de29'],
    [{ operation: 'add', path: '/w/e', newMode: '100644', hunks: [] }],
  ],
  'a deleted file': [
    ['diff --git /w/d /w/d', 'deleted file mode 100644', '--- /w/d', '+++ /dev/null', '@@ -1 +0,0 @@', '-a'],
    [{ operation: 'delete', path: '/w/d', oldMode: '100644', hunks: [hunk(1, 1, 'a\n', '')] }],
  ],
  'a move without changes': [
    ['diff --git /w/a /w/b', 'similarity index 100%', 'rename from /w/a', 'rename to /w/b'],
    [{ operation: 'move', path: '/w/b', oldPath: '/w/a', hunks: [] }],
  ],
  'a move with a change, and names with spaces': [
    [
      'diff --git /w/a b /w/c d',
      'similarity index 80%',
      'rename from /w/a b',
      'rename to /w/c d',
      '--- /w/a b\t',
      '+++ /w/c d\t',
      '@@ -1 +1 @@',
      '-x',
      '+y',
    ],
    [{ operation: 'move', path: '/w/c d', oldPath: '/w/a b', hunks: [hunk(1, 1, 'x\n', 'y\n')] }],
  ],
  'a copy': [
    ['diff --git /w/a /w/b', 'similarity index 100%', 'copy from /w/a', 'copy to /w/b'],
    [{ operation: 'copy', path: '/w/b', oldPath: '/w/a', hunks: [] }],
  ],
  'a changed mode': [
    ['diff --git /w/run me.sh /w/run me.sh', 'old mode 100644', 'new mode 100755'],
    [{ operation: 'modify', path: '/w/run me.sh', oldMode: '100644', newMode: '100755', hunks: [] }],
  ],
  'a file that becomes a link': [
    [
      'diff --git /w/l /w/l',
      'deleted file mode 100644',
      '--- /w/l',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-a',
      'diff --git /w/l /w/l',
      'new file mode 120000',
      '--- /dev/null',
      '+++ /w/l',
      '@@ -0,0 +1 @@',
      '+target',
      '\\ No newline at end of file',
    ],
    [
      { operation: 'delete', path: '/w/l', oldMode: '100644', hunks: [hunk(1, 1, 'a\n', '')] },
      { operation: 'add', path: '/w/l', newMode: '120000', hunks: [hunk(1, 1, '', 'target')] },
    ],
  ],
  'binary files': [
    [
      'diff --git /w/p.png /w/p.png',
      'index 1..2 100644',
      'Binary files /w/p.png and /w/p.png differ',
      'diff --git /w/q.png /w/q.png',
      'new file mode 100644',
      'GIT binary patch',
      'literal 4',
      'LcmZQzWMT#Y01f~L',
      '',
      'literal 0',
      'HcmV?d00001',
      '',
    ],
    [
      { operation: 'modify', path: '/w/p.png', isBinary: true, hunks: [] },
      { operation: 'add', path: '/w/q.png', newMode: '100644', isBinary: true, hunks: [] },
    ],
  ],
  'no newline at the end, before and after': [
    [
      'diff --git /w/a /w/a',
      '--- /w/a',
      '+++ /w/a',
      '@@ -1,2 +1,2 @@',
      ' a',
      '-b',
      '\\ No newline at end of file',
      '+c',
      '\\ No newline at end of file',
    ],
    [{ operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, 'a\nb', 'a\nc')] }],
  ],
  'a newline that is added at the end': [
    ['--- /w/a', '+++ /w/a', '@@ -1 +1 @@', '-b', '\\ No newline at end of file', '+b'],
    [{ operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, 'b', 'b\n')] }],
  ],
  'no newline after a line of the context': [
    ['--- /w/a', '+++ /w/a', '@@ -1,2 +1 @@', '-a', ' b', '\\ No newline at end of file'],
    [{ operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, 'a\nb', 'b')] }],
  ],
  'quoted paths with octal numbers': [
    [
      String.raw`diff --git "/w/\303\244 b.txt" "/w/\303\244 b.txt"`,
      String.raw`--- "/w/\303\244 b.txt"`,
      String.raw`+++ "/w/\303\244 b.txt"`,
      '@@ -1 +1 @@',
      '-x',
      '+y',
      '\\ No newline at end of file',
    ],
    [{ operation: 'modify', path: '/w/ä b.txt', hunks: [hunk(1, 1, 'x\n', 'y')] }],
  ],
  'quoted paths with other characters, of a move': [
    [
      String.raw`diff --git "C:\\work\\a\"ü.ts" /w/b`,
      'similarity index 100%',
      String.raw`rename from "C:\\work\\a\"ü.ts"`,
      String.raw`rename to "/w/tab\there"`,
    ],
    [{ operation: 'move', path: '/w/tab\there', oldPath: 'C:\\work\\a"ü.ts', hunks: [] }],
  ],
  'an unquoted path of Windows': [
    ['diff --git \\\\server\\a.ts \\\\server\\a.ts', '--- \\\\server\\a.ts', '+++ \\\\server\\a.ts', '@@ -1 +1 @@', '-x', '+y'],
    [{ operation: 'modify', path: '\\\\server\\a.ts', hunks: [hunk(1, 1, 'x\n', 'y\n')] }],
  ],
  "git's prefixes": [
    [
      'diff --git a/src/a b/src/a',
      'old mode 100644',
      'new mode 100755',
      'diff --git a/b b/b',
      '--- a/b',
      '+++ b/b',
      '@@ -1 +1 @@',
      '-x',
      '+y',
    ],
    [
      { operation: 'modify', path: 'src/a', oldMode: '100644', newMode: '100755', hunks: [] },
      { operation: 'modify', path: 'b', hunks: [hunk(1, 1, 'x\n', 'y\n')] },
    ],
  ],
  'an empty line of the context without its space': [
    ['--- /w/a', '+++ /w/a', '@@ -1,3 +1,3 @@', ' a', '', '-b', '+c'],
    [{ operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, 'a\n\nb\n', 'a\n\nc\n')] }],
  ],
  'lines that look like headers': [
    ['--- /w/a', '+++ /w/a', '@@ -1,2 +1,2 @@', '--- x', '-@@ y', '+++ z', '+diff --git a b'],
    [{ operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, '-- x\n@@ y\n', '++ z\ndiff --git a b\n')] }],
  ],
  'lines that end in CRLF': [
    ['diff --git /w/a /w/a\r', '--- /w/a\r', '+++ /w/a\r', '@@ -1,2 +1,2 @@\r', ' a\r', '-b\r', '+c\r'],
    [{ operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, 'a\r\nb\r\n', 'a\r\nc\r\n')] }],
  ],
  'several files without lines diff --git': [
    ['--- /w/a', '+++ /w/a', '@@ -1 +1 @@', '-x', '+y', '--- /w/b', '+++ /w/b', '@@ -1 +1 @@', '-x', '+y'],
    [
      { operation: 'modify', path: '/w/a', hunks: [hunk(1, 1, 'x\n', 'y\n')] },
      { operation: 'modify', path: '/w/b', hunks: [hunk(1, 1, 'x\n', 'y\n')] },
    ],
  ],
  'a binary copy whose names only the changes tell': [
    ['diff --git /w/a b /w/c', 'Binary files /w/a b and /w/c differ'],
    [{ operation: 'modify', path: '/w/c', isBinary: true, hunks: [] }],
    ['/w/c'],
  ],
  'no name that is clear': [['diff --git /w/a b /w/c', 'old mode 1', 'new mode 2'], undefined],
  'too few lines': [['--- /w/a', '+++ /w/a', '@@ -1,2 +1,2 @@', ' a', '-b'], undefined],
  'too many lines': [['--- /w/a', '+++ /w/a', '@@ -1 +1 @@', '-a', '+b', '+c'], undefined],
  'a line of no kind': [['--- /w/a', '+++ /w/a', '@@ -1,2 +1,2 @@', ' a', 'b', '-c'], undefined],
  'no patch': [['just text'], undefined],
  nothing: [[], undefined],
};

describe('git patches', () => {
  for (const [name, [patch, files, known]] of Object.entries(CASES)) {
    it(`reads: ${name}`, () => {
      assert.deepEqual(readGitPatch(patch.join('\n'), known), files);
      assert.deepEqual(readGitPatch(`${patch.join('\n')}\n`, known), files);
    });
  }

  it('become changes with the texts and the line of each hunk', () => {
    const patch = [
      'diff --git /w/a /w/b',
      'rename from /w/a',
      'rename to /w/b',
      '--- /w/a',
      '+++ /w/b',
      '@@ -1 +1,2 @@',
      '-a',
      '+b',
      '+c',
      '@@ -9 +10 @@',
      '-x',
      '+y',
      'diff --git /w/n /w/n',
      'new file mode 100644',
      '--- /dev/null',
      '+++ /w/n',
      '@@ -0,0 +1 @@',
      '+n',
      'diff --git /w/d /w/d',
      'deleted file mode 100644',
      '--- /w/d',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-d',
    ].join('\n');
    const listed = [
      { operation: 'move', path: '/w/b', oldPath: '/w/a' },
      { operation: 'modify', path: '/w/big.bin' },
    ];
    assert.deepEqual(patchChanges(patch, listed), {
      changes: [
        { operation: 'move', path: '/w/b', oldPath: '/w/a', oldText: 'a\n', newText: 'b\nc\n', line: 1 },
        { operation: 'modify', path: '/w/b', oldText: 'x\n', newText: 'y\n', line: 10 },
        { operation: 'modify', path: '/w/big.bin' },
        { operation: 'add', path: '/w/n', oldText: null, newText: 'n\n' },
        { operation: 'delete', path: '/w/d', oldText: 'd\n', line: 1 },
      ],
      isWhole: true,
    });
  });

  it('keep the order, the operation and the fields of the listed changes', () => {
    const patch = ['--- /w/a', '+++ /w/a', '@@ -1 +1 @@', '-x', '+y', '--- /w/b', '+++ /w/b', '@@ -2 +2 @@', '-x', '+y'].join('\n');
    const listed = [
      { operation: '_rewrite', path: '/w/b', mimeType: 'text/plain' },
      { operation: 'modify', path: '/w/a' },
    ];
    assert.deepEqual(patchChanges(patch, listed)?.changes, [
      { operation: '_rewrite', path: '/w/b', mimeType: 'text/plain', oldText: 'x\n', newText: 'y\n', line: 2 },
      { operation: 'modify', path: '/w/a', oldText: 'x\n', newText: 'y\n', line: 1 },
    ]);
  });

  it('belong to the listed changes when their paths are relative', () => {
    const patch = ['diff --git a/src/a b/src/a', '--- a/src/a', '+++ b/src/a', '@@ -1 +1 @@', '-x', '+y'].join('\n');
    const listed = [{ operation: 'modify', path: '/w/src/a' }];
    assert.deepEqual(patchChanges(patch, listed)?.changes, [
      { operation: 'modify', path: '/w/src/a', oldText: 'x\n', newText: 'y\n', line: 1 },
    ]);
  });

  it('are matched by their operation when a file becomes a link', () => {
    const patch = [
      ...['diff --git /w/l /w/l', 'deleted file mode 100644', '--- /w/l', '+++ /dev/null', '@@ -1 +0,0 @@', '-a'],
      ...['diff --git /w/l /w/l', 'new file mode 120000', '--- /dev/null', '+++ /w/l', '@@ -0,0 +1 @@', '+b'],
    ].join('\n');
    const listed = ['add', 'delete'].map((operation) => ({ operation, path: '/w/l' }));
    assert.deepEqual(patchChanges(patch, listed), {
      changes: [
        { operation: 'add', path: '/w/l', oldText: null, newText: 'b\n' },
        { operation: 'delete', path: '/w/l', oldText: 'a\n', line: 1 },
      ],
      isWhole: false,
    });
  });

  it('say that a moved file has the same text', () => {
    const patch = ['diff --git /w/a /w/b', 'similarity index 100%', 'rename from /w/a', 'rename to /w/b'].join('\n');
    assert.deepEqual(patchChanges(patch), {
      changes: [{ operation: 'move', path: '/w/b', oldPath: '/w/a', sameText: true }],
      isWhole: true,
    });
  });

  it('are not whole where the changes cannot say all of them', () => {
    const mode = ['diff --git /w/a /w/a', 'old mode 100644', 'new mode 100755'].join('\n');
    assert.deepEqual(patchChanges(mode), { changes: [{ operation: 'modify', path: '/w/a' }], isWhole: false });
    assert.equal(patchChanges('nothing'), undefined);
  });
});
