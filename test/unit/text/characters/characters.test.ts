import assert from 'node:assert/strict';
import { columnsOf } from '../../../../src/text/characters/characters';

describe('columnsOf', () => {
  const table: [text: string, columns: number][] = [
    ['', 0],
    ['npm test', 8],
    ['Grüße, Привет — …', 17],
    ['文字', 4],
    ['가', 2],
    ['👍🏽', 4],
    ['e\u0301', 2],
    ['\u200b\u202e', 3],
    ['﷽', 8],
    ['⸻', 8],
  ];
  for (const [text, columns] of table) {
    it(JSON.stringify(text), () => assert.equal(columnsOf(text), columns));
  }
});
