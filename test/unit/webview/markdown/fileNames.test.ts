import assert from 'node:assert/strict';
import { fileWords, isBareFileName } from '../../../../webview/markdown/fileNames';
import { mayBeFilePath } from '../../../../webview/markdown/links';

describe('words that may be files', () => {
  const words = (text: string) => fileWords(text).map(([start, end]) => text.slice(start, end));

  it('are names with an extension, paths, and positions in them, without surrounding punctuation', () => {
    assert.deepEqual(words('See calc.js, src/calc.js:2 and (./test/a.test.ts:10:3).'), [
      'calc.js',
      'src/calc.js:2',
      './test/a.test.ts:10:3',
    ]);
    assert.deepEqual(words('Changed “src/größe.ts”, `b`, src\\win.cs#L12 — and package.json!'), [
      'src/größe.ts',
      'src\\win.cs#L12',
      'package.json',
    ]);
    assert.deepEqual(words('/home/ada/a.ts and ~/b.md, C:\\x\\y.ts'), ['/home/ada/a.ts', '~/b.md', 'C:\\x\\y.ts']);
    assert.deepEqual(words('config.json.'), ['config.json']);
    assert.deepEqual(words('a.ts:2: broken'), ['a.ts:2']);
    assert.deepEqual(words('.env.local and @scope/pkg/x.d.ts'), ['.env.local', '@scope/pkg/x.d.ts']);
  });

  it('may have brackets and dollar signs in their path', () => {
    assert.deepEqual(words('Change src/app/[locale]/page.tsx and app/(auth)/login/page.tsx:3, then src/routes/blog.$slug.tsx.'), [
      'src/app/[locale]/page.tsx',
      'app/(auth)/login/page.tsx:3',
      'src/routes/blog.$slug.tsx',
    ]);
    assert.deepEqual(words('(auth)/a.ts, [id].tsx, [...all]/b.ts and src/a.cs(12,3): error'), [
      '(auth)/a.ts',
      '[id].tsx',
      '[...all]/b.ts',
      'src/a.cs(12,3)',
    ]);
    assert.deepEqual(words('See (src/a.ts), [b.md] and call(x.js) twice: src/a.ts'), ['src/a.ts', 'b.md', 'x.js', 'src/a.ts']);
  });

  it('may contain doubled brackets and a matcher', () => {
    assert.deepEqual(words('See docs/[[...slug]]/page.tsx and src/routes/[page=integer]/+page.svelte.'), [
      'docs/[[...slug]]/page.tsx',
      'src/routes/[page=integer]/+page.svelte',
    ]);
  });

  it('end before full-width punctuation', () => {
    assert.deepEqual(words('见 src/a.ts，然后 app/[id]/page.tsx:3。（src/b.ts）、「c.md」'), [
      'src/a.ts',
      'app/[id]/page.tsx:3',
      'src/b.ts',
      'c.md',
    ]);
  });

  it('in code may contain blanks and other punctuation', () => {
    for (const code of [
      'My Project/a.ts',
      'src/app/[locale]/page.tsx:12',
      'app/(auth)/page.tsx#L3',
      'blog.$slug.tsx',
      'a b.md',
      'src/a.cs(12,3)',
      'src/routes/[page=integer]/+page.svelte',
      'data/year=2024/part.csv',
      'src/[locale]/Dockerfile',
      'My Project/.env',
      'My Project/LICENSE',
      'docs/设计（草案）.md',
      'u\u0308ber/a.ts',
      'My Project/a.7z',
    ]) {
      assert.ok(mayBeFilePath(code), code);
    }
    for (const code of [
      'npm test',
      'a = b.c',
      'x("a.ts")',
      'https://a.b/c d.ts',
      'foo(); bar.js',
      ' a b.ts',
      'line\nb c.ts',
      'no ending here',
    ]) {
      assert.ok(!mayBeFilePath(code), code);
    }
  });

  it('exclude addresses, numbers, sentences and mail addresses', () => {
    for (const text of [
      'Version 1.2.3 took 4.5 s.',
      'https://example.com/a.ts',
      'ada@example.com',
      'www.example.com',
      'It ended.Then more',
      'No dot here',
      'The end.',
      'Wait...what',
      'Say, e.g. this, i.e. that. E.g.: so.',
      '',
    ]) {
      const found = words(text);
      assert.ok(found.length === 0 || text === 'It ended.Then more', `${text}: ${found.join()}`);
    }
  });

  it('are searched within limits', () => {
    for (const text of [
      'a.'.repeat(8000),
      'a/'.repeat(8000),
      `${'x'.repeat(16_000)}.`,
      'a.b/'.repeat(4000),
      '.'.repeat(16_000),
      'x.ts '.repeat(3000),
    ]) {
      const start = performance.now();
      assert.ok(fileWords(text).length <= 100);
      assert.ok(performance.now() - start < 500, `${text.slice(0, 12)}: ${performance.now() - start} ms`);
    }
    assert.deepEqual(words(`a.ts ${'x'.repeat(20_000)}`), []);
  });

  it('in code may have no extension', () => {
    assert.deepEqual(
      ['Makefile', 'Dockerfile:3', '.gitignore', 'src/util/run', './run', 'foo', 'a && b', 'x/', 'a.b()', 'constructor'].map(
        isBareFileName,
      ),
      [true, true, true, true, true, false, false, false, false, false],
    );
  });
});
