import assert from 'node:assert/strict';
import { plainWords, sentencesEnd } from '../../../../webview/announcer/sentences';

describe('sentencesEnd', () => {
  it('is where the last finished sentence ends', () => {
    for (const [text, finished] of [
      ['One. Two', 'One.'],
      ['Version 1.2 of a.ts is', ''],
      ['“Really?” she', '“Really?”'],
      ['完了。 次', '完了。'],
      ['完了。次の「文。」は', '完了。次の「文。」'],
      ['For e.g. this', ''],
      ['See Dr. Smith, vs. J. R. Jones', ''],
      ['1. One', ''],
      ['By Acme Inc. and others, etc. in Jan. 2026', ''],
      ['| a. | b |\n| c', ''],
      ['$$\na. b\n', ''],
      ['$$a$$\n\nb', '$$a$$\n\n'],
      ['- x\n    ```\n    a. b\n', ''],
      ['````\n```\na. b\n```\n', ''],
      ['# Title\n\nText', '# Title\n\n'],
      ['```\na. b. c\n', ''],
      ['```js\r\na. b\r\n', ''],
      ['```\na. b\n```\nMore', '```\na. b\n```\n'],
    ] as const) {
      assert.equal(text.slice(0, sentencesEnd(text)), finished, text);
    }
  });
});

describe('plainWords', () => {
  it('leaves out the signs', () => {
    assert.equal(plainWords('## A [link](https://x.y) and `code`\n- *item*'), 'A link and code. item.');
    assert.equal(plainWords('Run:\r\n```sh\r\nls -la\r\n```\r\n- a\r\n- b\r\n'), 'Run: Code block. a. b.');
    assert.equal(
      plainWords('Title\n=====\nSteps:\n\n- one\n- two!\n  1. *three*\n- [ ] four\n\nTwo\n---\n[a][b] &amp; c'),
      'Title. Steps: one. two! three. four. Two. a & c',
    );
  });
});
