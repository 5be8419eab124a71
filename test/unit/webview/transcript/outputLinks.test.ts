import assert from 'node:assert/strict';
import { addressesIn, lineParts } from '../../../../webview/transcript/terminal/outputLinks';

describe('addresses in a command’s output', () => {
  const table: [text: string, found: string[]][] = [
    ['  Local:   http://localhost:5173/', ['http://localhost:5173/']],
    ['see https://a.b/x。中文 and https://c.d/y）。', ['https://a.b/x', 'https://c.d/y']],
    ['(see https://a.b/c_(d))', ['https://a.b/c_(d)']],
    ['https://a.b/?q=[1], "https://e.f"', ['https://a.b/?q=[1]', 'https://e.f']],
    ['│ http://127.0.0.1:8080│', ['http://127.0.0.1:8080']],
    ['ftp://a.b file:///etc/passwd command:x http:// https://.', []],
  ];
  for (const [text, found] of table) {
    it(`in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(
        addressesIn(text).map(([start, end]) => text.slice(start, end)),
        found,
      );
    });
  }

  const split: [texts: string[], parts: [text: string, address?: string][]][] = [
    [
      ['Local: ', 'http://localhost:', '5173', '/', ' ready'],
      [['Local: '], ['http://localhost:5173/', 'http://localhost:5173/'], [' ready']],
    ],
    [
      ['see http://127.0.0.1', ':8080.'],
      [['see '], ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'], ['.']],
    ],
    [['https', '://a.b/', 'x'], [['https://a.b/x', 'https://a.b/x']]],
    [['no ', 'address'], [['no address']]],
  ];
  for (const [texts, parts] of split) {
    it(`span differently styled runs: ${texts.join('|')}`, () => {
      const runs = texts.map((text, index) => ({ text, classes: index % 2 === 1 ? 'sgr-bold' : '' }));
      const found = lineParts(runs);
      assert.deepEqual(
        found.map((part) => [part.runs.map(({ text }) => text).join(''), ...(part.address === undefined ? [] : [part.address])]),
        parts,
      );
    });
  }

  it('keep the style of each run', () => {
    const runs = [
      { text: 'a http://b:', classes: '' },
      { text: '80', classes: 'sgr-bold' },
    ];
    assert.deepEqual(lineParts(runs)[1], {
      runs: [
        { text: 'http://b:', classes: '' },
        { text: '80', classes: 'sgr-bold' },
      ],
      address: 'http://b:80',
    });
  });

  it('are found in linear time', () => {
    const start = performance.now();
    for (let count = 0; count < 200; count++) {
      addressesIn(`http://a${')'.repeat(1900)}`);
    }
    assert.ok(performance.now() - start < 3000);
  });
});
