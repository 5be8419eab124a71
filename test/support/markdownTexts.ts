/** Random Markdown from a seed: typical text of agents, edge cases, and malicious text. */
import { randomOf, randomRecipe } from '../bench/markdownFuzz';
import { markdownText } from '../bench/markdownText';

const PIECES = [
  'A paragraph of words, *em* and **strong** and `code`',
  '***both* and** one, snake_case_name, 2 * 3 * 4, ~~gone~~',
  '# Heading',
  'Setext',
  '===',
  '---',
  '- item',
  '  - nested *so*',
  '1. one',
  '   continued',
  '2) two',
  '- [ ] task',
  '- [x] done',
  '> quote',
  '> - in quote',
  '```',
  '```ts\nlet a = "b";',
  '```mermaid\ngraph TD; A-->B',
  '```math\nx^2',
  '~~~',
  '    indented',
  '| a | b |',
  '|---|:-:|',
  '| 1 | `2` | three |',
  '<div class="x">',
  '</div>',
  '<!-- c -->',
  '[ref] and [other][ref]',
  '[ref]: https://example.com',
  '[//]: # (a comment)',
  '[evil]: javascript:alert(1) "t"',
  '![i](data:image/png;base64,AA==) after',
  '![named](https://example.com/a.png) ![](b.png)',
  'lazy',
  'broken  ',
  'broken\\',
  '&amp; &lt;b&gt; &nope; &#8212;',
  'a\u202eb\u0007c',
  'http://auto.example/x_y and www.auto.example',
  '[a link](https://x.y/(z) "t") and [b](src/a.ts:3)',
  '`src/a.ts`',
  '$$',
  '$$ a_b $$',
  'an $x_1$ and \\(y\\), $5 or $6',
  '\\[ z = 1 \\]',
  'words $$w_1$$ in a line',
  '\t tab',
  '完了しました。',
  '***',
];

function structured(random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  return Array.from({ length: 1 + Math.floor(random() * 24) }, () => pick(PIECES) + pick(['\n', '\n', '\n\n', '\n\n\n', ''])).join('');
}

/** Returns `count` texts, the same for the same seed. */
export function markdownTexts(count: number, seed: number): string[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, index) => {
    if (index % 10 === 0) {
      return markdownText(400 + Math.floor(random() * 4000));
    }
    return index % 3 === 0 ? randomRecipe(random).make(100 + Math.floor(random() * 1500)) : structured(random);
  });
}
