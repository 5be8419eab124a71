import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(__dirname, '../../../webview');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));

/** Files that run in the worker of diagrams, which has no page: separate element classes, and the text of a picture for an `<img>`. */
const DRAWING = ['markdown/mermaid/dom.ts', 'markdown/mermaid/serialize.ts'];

/** A file with a link for VS Code, because its host does not answer. */
const WAY_OUT = 'connection/disconnected.tsx';
const PAGES_WAY_OUT = 'connection/lostHost.tsx';

/** Files with capturing key listeners at the window or the document, which may run before the check for input methods. None acts on a key. */
const EARLY_KEYS = [
  'app/app.tsx',
  'composer/incoming/dragHint.ts',
  'typing/focusReturn.ts',
  'typing/reportActivity.ts',
  'typing/typingReporter.ts',
];

describe('the view’s sources', () => {
  // Constructs that would turn an agent's text into a document, a style or code. The page's policy is only the second line of defense.
  for (const [what, pattern] of [
    ['HTML from text', /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|DOMParser|createContextualFragment|document\.write/],
    ['a style attribute', /\sstyle=|setAttribute\(\s*['"`]style/],
    ['code from text', /\beval\(|new Function\(|setTimeout\(\s*['"`]/],
    ['a link that navigates', /<a[^>]*\shref=|location\.(href|assign|replace)\b.*=|window\.open\(/],
  ] as const) {
    it(`contain no way to make ${what}`, () => {
      assert.ok(sources.length > 30);
      assert.deepEqual(
        sources.filter(({ file, text }) => !DRAWING.includes(file) && pattern.test(text)).map(({ file }) => file),
        what === 'a link that navigates' ? [WAY_OUT, PAGES_WAY_OUT] : [],
      );
    });
  }

  it('contain one link, to the only command that VS Code accepts from a page without a host', () => {
    const { text } = sources.find(({ file }) => file === WAY_OUT)!;
    assert.deepEqual(text.match(/href\s*=\s*[\w"#]+/g), ['href="#"', 'href = reopenAddress']);
    assert.deepEqual(text.match(/command:[\w.]+/g), ['command:acpHost.openSession']);
  });

  it('contain one link for the smaller pages, to the only command that VS Code accepts from each of them', () => {
    const { text } = sources.find(({ file }) => file === PAGES_WAY_OUT)!;
    assert.deepEqual(text.match(/href\s*=\s*[^\s>]+/g), ['href={`command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`}']);
    const commands = sources.flatMap(({ file, text: page }) =>
      Array.from(page.matchAll(/<LostHost [^>]*command=(\S+)/g), ([, command]) => [file, command]),
    );
    assert.deepEqual(commands.sort(), [
      ['agents/main.tsx', '"acpHost.browseAgents"'],
      ['inspector/main.tsx', '"acpHost.openInspector"'],
    ]);
  });

  it('use acquireVsCodeApi in one place of each page', () => {
    assert.deepEqual(
      sources
        .filter(({ text }) => /acquireVsCodeApi\(/.test(text))
        .map(({ file }) => file)
        .sort(),
      ['agents/main.tsx', 'inspector/main.tsx', 'main.tsx'],
    );
  });

  it('check for keys of an input method in one place, before every listener that acts', () => {
    const readers = sources.filter(({ text }) => /isComposing|keyCode/.test(text)).map(({ file }) => file);
    assert.deepEqual(readers.sort(), ['shell.ts', 'typing/composition.ts']);
    assert.match(sources.find(({ file }) => file === 'shell.ts')!.text, /!event\.isComposing && event\.keyCode !== 229/);
    assert.match(
      sources.find(({ file }) => file === 'app/app.tsx')!.text,
      /export function mount\([^]*?\{\n {2}stopComposingKeys\(document\);/,
    );
    // Capturing listeners of the window or the document can run before the check: these only report or mute.
    const isEarly = (text: string): boolean => text.includes("'keydown'") && /capture: true|, true\)/.test(text);
    const early = sources.filter(({ file, text }) => file !== 'typing/composition.ts' && isEarly(text)).map(({ file }) => file);
    assert.deepEqual(early.sort(), EARLY_KEYS);
  });
});
