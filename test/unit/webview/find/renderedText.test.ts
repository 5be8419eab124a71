import assert from 'node:assert/strict';
import { h, render } from 'preact';
import { ConversationTexts } from '../../../../src/text/find/conversationTexts';
import { findIn, matcherFor } from '../../../../src/text/find/find';
import { PlainReader } from '../../../../src/text/markdown/plainReader';
import { matchesIn } from '../../../../webview/find/renderedText';
import { ViewContext, type View } from '../../../../webview/state/context';
import { shownText } from '../../../../webview/base/readableText';
import { Markdown } from '../../../../webview/markdown/markdown';
import { randomOf } from '../../../bench/markdownFuzz';
import { chunk, stateOf } from '../../../support/events';
import { markdownTexts } from '../../../support/markdownTexts';
import { plainDocumentAtHand } from '../../../support/plainDocument';

const view = {
  mirror: { state: {}, facts: {}, subscribe: () => () => {} },
  post: () => {},
  files: { get: () => undefined, watch: () => () => {} },
  search: { isOpen: false, subscribe: () => () => {} },
} as unknown as View;

function plain(markdown: string): string {
  const run = new PlainReader().update(markdown);
  let step = run.next();
  while (!step.done) {
    step = run.next();
  }
  return step.value;
}

/** The text of the document, read from its elements alone, without the product's readers. */
function textOf(node: ChildNode): string {
  const inline = new Set(['a', 'bdi', 'code', 'del', 'em', 'span', 'strong']);
  if (node.nodeType === 3) {
    return node.textContent!;
  }
  const element = node as HTMLElement;
  if (element.matches('.code-bar, .unsearched')) {
    return '';
  }
  const text = element.localName === 'br' ? '\n' : [...element.childNodes].map(textOf).join('');
  return inline.has(element.localName) && !element.matches('.math-block') ? text : `\n${text}\n`;
}

const lines = (text: string) => text.replace(/\n+/g, '\n').replace(/^\n|\n$/g, '');

describe('markdown on the page', function () {
  this.timeout(120_000);
  let root: Element;
  let leave: () => void;

  before(() => ({ root, leave } = plainDocumentAtHand()));
  after(() => leave());

  const show = (text: string, streaming = false): void =>
    render(h(ViewContext.Provider, { value: view }, h(Markdown, { key: streaming ? 's' : text, text, streaming })), root);

  it('has the same text as the plain text reader', () => {
    for (const text of markdownTexts(600, 21)) {
      show(text);
      assert.equal(lines(textOf(root)), lines(plain(text)), JSON.stringify(text));
    }
  });

  it('is read from the rendered elements while it grows', () => {
    for (const text of markdownTexts(100, 23)) {
      render(null, root);
      for (let end = 0; end <= text.length; end += Math.ceil(text.length / 7)) {
        show(text.slice(0, end), true);
        assert.equal(lines(textOf(root)), lines(shownText(root.querySelector('.md')!)!), JSON.stringify(text.slice(0, end)));
      }
    }
  });

  it('contains the counted matches, at their positions', () => {
    const random = randomOf(4);
    let found = 0;
    for (const text of markdownTexts(150, 22)) {
      show(text);
      const state = stateOf([chunk(text, 'a')]);
      const shown = plain(text);
      for (let round = 0; round < 6; round++) {
        const at = Math.floor(random() * shown.length);
        const query = shown
          .slice(at, at + 1 + Math.floor(random() * 12))
          .trim()
          .toWellFormed();
        const sought = matcherFor({ text: query, caseSensitive: round % 2 === 0, wholeWord: round === 5 });
        if (!sought) {
          continue;
        }
        const run = findIn(state, sought, new Map(), new ConversationTexts());
        let step = run.next();
        while (!step.done) {
          step = run.next();
        }
        const marked = matchesIn(root, sought.pattern, 10_000);
        assert.equal(marked.length, step.value.count, `${JSON.stringify(query)} in ${JSON.stringify(text)}`);
        found += marked.length;
        for (const range of marked) {
          const [from, to] = [range!.startContainer as Text, range!.endContainer as Text];
          const words =
            from === to
              ? from.data.slice(range!.startOffset, range!.endOffset)
              : `${from.data.slice(range!.startOffset)} … ${to.data.slice(0, range!.endOffset)}`;
          const [start, end] = words.split(' … ').map((part) => part.replace(/\s+/g, '').toLowerCase());
          const bare = query.replace(/\s+/g, '').toLowerCase();
          assert.ok(
            end === undefined ? start === bare : bare.startsWith(start!) && bare.endsWith(end) && start !== '' && end !== '',
            `${JSON.stringify([query, words])} in ${JSON.stringify(text)}`,
          );
        }
      }
    }
    assert.ok(found > 500, `${found} matches`);
  });
});
