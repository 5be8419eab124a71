/** Plain command lines get the same syntax tree without the grammar as with it. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { plainTree } from '../../../../src/policy/commands/plainLine';
import type { SyntaxNode, SyntaxParser } from '../../../../src/policy/commands/syntaxNode';
import { loadParser } from '../../../../src/policy/commands/treeSitter';
import { randomOf } from './wrap';

const PARSERS = path.join(path.dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
const LINES = 3000;
const PROGRAMS = (
  'npm git test ls . .. / ./a ../x cat sudo env timeout nohup nice find xargs sh bash eval source exec command builtin set cd pushd echo printf ' +
  'trap true A a_b ab/c _ let a.b a-b history wait kill exit return break nocorrect noglob repeat end foreach always'
).split(' ');
const WORDS = (
  'a b test run -a --a -- --a=b -a=b 1 12 -1 1a 0x1f 1.5 :8080 a:b @x/y %s +x ++ a,b , . .. / ../x -exec -delete -c -o a@b x% -% :: -: -/ -_ _x - +% +1 ' +
  '1:2 1,2 @ % + -- -p --x=y=z --=a -= -=- --a=/x:y ./x %1 if in do done time then for esac export'
).split(' ');
const CHARACTERS = 'abcABC019_./:@%+,=- -- . / : ';

/** The tree without the kinds of words: a number is a word without anything to expand. */
function shapeOf({ type, text, startIndex, endIndex, isMissing, isNamed, children }: SyntaxNode): unknown {
  return [type === 'number' ? 'word' : type, text, startIndex, endIndex, isMissing, isNamed, children.map(shapeOf)];
}

describe('a plain command line', () => {
  let parser: SyntaxParser;

  before(async () => {
    parser = await loadParser('bash', (name) => path.join(PARSERS, name));
  });

  it('has the tree of the grammar', () => {
    const next = randomOf(Number(process.env['ACP_HOST_SEED'] ?? 38));
    const random = (below: number): number => Math.floor(next() * below);
    const pick = <T>(list: ArrayLike<T>): T => list[random(list.length)]!;
    let count = 0;
    for (let at = 0; at < LINES; at++) {
      const rest = Array.from({ length: random(5) }, () => `${random(9) > 0 ? ' ' : '  '}${pick(WORDS)}`);
      const line = at % 2 === 0 ? pick(PROGRAMS) + rest.join('') : Array.from({ length: 1 + random(14) }, () => pick(CHARACTERS)).join('');
      const tree = plainTree(line);
      if (tree) {
        count++;
        assert.deepEqual(shapeOf(tree), shapeOf(parser.parse(line)!), line);
      }
    }
    assert.ok(count > LINES / 4, `${count} lines were plain`);
  });

  it('leaves every other syntax to the grammar', () => {
    const others =
      'a;b|a; b|a & b|a > b|a < b|a *|a ?|a [b]|a ~|a ~/b|a #b|a {b,c}|a $b|a `b`|a \'b\'|a "b"|a \\b|(a)|!|! a|a\nb|a\tb| a|a |a=b|a=b c|a b=c|' +
      'if a|time a|for a in b|export a|declare a|a é|a\u200bb|a \u00a0b|é|1a b|[ a ]|[[ a ]]|-a b|@a b|+a|a ^b|a (b)|a !b|a b~|';
    const plain = [...others.split('|'), 'a | b', 'a || b'].filter((line) => plainTree(line) !== undefined);
    assert.deepEqual(plain, []);
  });
});
