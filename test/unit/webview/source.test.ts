import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(__dirname, '../../../webview');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));

/** They run in the worker of diagrams, which has no page: elements of our own, and the text of a picture that an `<img>` shows. */
const DRAWING = ['markdown/mermaid/dom.ts', 'markdown/mermaid/serialize.ts'];

/** Its host does not answer: a click on this is VS Code's business. */
const WAY_OUT = 'connection/disconnected.tsx';

/** Files whose key listeners capture at the window or the document, and so may run before the check for input methods. None acts on a key. */
const EARLY_KEYS = ['app.tsx', 'composer/dragHint.ts', 'typing/reportActivity.ts', 'typing/typing.ts', 'typing/typingPlace.ts'];

describe('the view’s sources', () => {
  // What would let an agent's text become a document, a style or code; the page's policy is the second lock, not the first.
  for (const [what, pattern] of [
    ['HTML from text', /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|DOMParser|createContextualFragment|document\.write/],
    ['a style attribute', /\sstyle=|setAttribute\(\s*['"`]style/],
    ['code from text', /\beval\(|new Function\(|setTimeout\(\s*['"`]/],
    ['a link that navigates', /<a[^>]*\shref=|location\.(href|assign|replace)\b.*=|window\.open\(/],
  ] as const) {
    it(`hold no way to make ${what}`, () => {
      assert.ok(sources.length > 30);
      assert.deepEqual(
        sources.filter(({ file, text }) => !DRAWING.includes(file) && pattern.test(text)).map(({ file }) => file),
        what === 'a link that navigates' ? [WAY_OUT] : [],
      );
    });
  }

  it('have one link, to the one command that VS Code takes from a page whose host is gone', () => {
    const { text } = sources.find(({ file }) => file === WAY_OUT)!;
    assert.deepEqual(text.match(/href\s*=\s*[\w"#]+/g), ['href="#"', 'href = reopenAddress']);
    assert.deepEqual(text.match(/command:[\w.]+/g), ['command:acpHost.openSession']);
  });

  it('know acquireVsCodeApi in one place', () => {
    assert.deepEqual(
      sources.filter(({ text }) => /acquireVsCodeApi\(/.test(text)).map(({ file }) => file),
      ['main.tsx'],
    );
  });

  it('check for keys of an input method in one place, which comes before every listener that acts', () => {
    const readers = sources.filter(({ text }) => /isComposing|keyCode/.test(text)).map(({ file }) => file);
    assert.deepEqual(readers.sort(), ['shell.ts', 'typing/composition.ts']);
    assert.match(sources.find(({ file }) => file === 'shell.ts')!.text, /!event\.isComposing && event\.keyCode !== 229/);
    assert.match(
      sources.find(({ file }) => file === 'app.tsx')!.text,
      /export function mount\([^]*?\{\n {2}stopComposingKeys\(document\);/,
    );
    // Capturing listeners of the window or the document can come before it: these only report or mute.
    const isEarly = (text: string): boolean => text.includes("'keydown'") && /capture: true|, true\)/.test(text);
    assert.deepEqual(
      sources.filter(({ file, text }) => file !== 'typing/composition.ts' && isEarly(text)).map(({ file }) => file),
      EARLY_KEYS,
    );
  });
});
