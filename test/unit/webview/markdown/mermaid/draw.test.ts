import assert from 'node:assert/strict';
import { DomDocument, type DomElement } from '../../../../../webview/markdown/mermaid/dom';
import { MAX_WORDS, TooLarge } from '../../../../../webview/markdown/mermaid/messages';
import { pathLength, pathPointAt } from '../../../../../webview/markdown/mermaid/paths';
import { parseDeclarations, parseRules } from '../../../../../webview/markdown/mermaid/style';
import { useRuler } from '../../../../../webview/markdown/mermaid/text';
import { writePicture } from '../../../../../webview/markdown/mermaid/serialize';

/** A ruler in which each character is half as wide as its font is high. */
const ruler = (text: string, font: string) => {
  const size = Number(/([\d.]+)px/.exec(font)![1]);
  return { width: (text.length * size) / 2, ascent: size * 0.8, descent: size * 0.2 };
};

const SVG = 'http://www.w3.org/2000/svg';

describe('the document that diagrams are drawn in', () => {
  let sheet: DomDocument;
  let svg: DomElement;

  beforeEach(() => {
    useRuler(ruler);
    sheet = new DomDocument();
    svg = sheet.body.appendChild(sheet.createElementNS(SVG, 'svg'));
    svg.setAttribute('id', 'd');
  });

  /** Adds `name#id.class`, with attributes, at the end of `parent`. */
  function put(parent: DomElement, name: string, attributes: Record<string, string | number> = {}, text = ''): DomElement {
    const element = parent.appendChild(sheet.createElementNS(SVG, name));
    for (const [key, value] of Object.entries(attributes)) {
      element.setAttribute(key, value);
    }
    if (text) {
      element.textContent = text;
    }
    return element;
  }
  const numbers = (box: object) => Object.values(box).map((value: number) => Math.round(value * 10) / 10);
  const box = (element: DomElement) => numbers(element.getBBox());
  const found = (selector: string) => svg.querySelectorAll(selector).map((element) => element.id);

  describe('selectors', () => {
    beforeEach(() => {
      const group = put(svg, 'g', { id: 'a', class: 'node hot' });
      put(group, 'rect', { id: 'b', class: 'box', 'data-id': 'x y' });
      put(put(group, 'g', { id: 'c' }), 'path', { id: 'e:1', class: 'box' });
    });
    for (const [selector, ids] of [
      ['.box', ['b', 'e:1']],
      ['g.node.hot > .box', ['b']],
      ['.node .box', ['b', 'e:1']],
      ['#d .node > rect, path', ['b', 'e:1']],
      ['[id="e:1"]', ['e:1']],
      ['#e\\:1', ['e:1']],
      ['#e\\3a 1', ['e:1']],
      ["[data-id*='x']", ['b']],
      ['rect[data-id^=x]', ['b']],
      ['rect + g', ['c']],
      ['.node > :first-child', ['b']],
      [':scope > g', ['a']],
      ['> g', ['a']],
      ['*', ['a', 'b', 'c', 'e:1']],
      ['g:not(.node)', ['c']],
      ['RECT', ['b']],
      ['.box::before', []],
      ['a{b', []],
      ['', []],
    ] as const) {
      it(`finds ${selector || 'nothing'}`, () => assert.deepEqual(found(selector), ids));
    }
  });

  describe('the geometry', () => {
    it('encloses the drawn elements, after their transforms', () => {
      const group = put(svg, 'g');
      put(group, 'rect', { x: 1, y: 2, width: 10, height: 20, transform: 'translate(5, 5)' });
      put(group, 'circle', { cx: 50, cy: 10, r: 5 });
      put(group, 'rect', { x: -100, y: -100, width: 0, height: 0 });
      put(put(group, 'defs'), 'rect', { x: -500, width: 10, height: 10 });
      put(group, 'rect', { x: 900, width: 10, height: 10, style: 'display: none' });
      assert.deepEqual(box(group), [6, 5, 49, 22]);
      assert.deepEqual(box(put(svg, 'g')), [0, 0, 0, 0]);
    });

    it('turns and scales', () => {
      const group = put(svg, 'g');
      put(group, 'rect', { width: 10, height: 20, transform: 'rotate(90) scale(2)' });
      assert.deepEqual(box(group), [-40, 0, 40, 20]);
      group.setAttribute('transform', 'translate(7)');
      assert.deepEqual(numbers(group.getBoundingClientRect()).slice(0, 4), [-33, 0, 40, 20]);
    });

    it('follows lines, curves and arcs', () => {
      for (const [d, expected] of [
        ['M0,0 L10,0 10,10 Z', [0, 0, 10, 10]],
        ['m5 5 h10 v-3 l-1-1z', [5, 1, 10, 4]],
        ['M0 0 C0 10 10 10 10 0', [0, 0, 10, 7.5]],
        ['M0 0 Q5 10 10 0 T20 0', [0, -5, 20, 10]],
        ['M-10 0 A10 10 0 0 1 10 0', [-10, -10, 20, 10]],
        ['M-10 0a10 10 0 0120 0 10 10 0 01-20 0', [-10, -10, 20, 20]],
        ['M1e1.5.5', [10, 0.5, 0, 0]],
        ['nonsense', [0, 0, 0, 0]],
      ] as const) {
        assert.deepEqual(box(put(svg, 'path', { d })), expected, d);
      }
    });

    it('measures along a path', () => {
      assert.equal(pathLength('M0 0 L3 4 L3 14'), 15);
      assert.deepEqual(pathPointAt('M0 0 L3 4 L3 14', 10), { x: 3, y: 9 });
      assert.deepEqual(pathPointAt('M0 0 L3 4', 99), { x: 3, y: 4 });
    });
  });

  describe('texts', () => {
    const sized = (css: string) => put(svg, 'style', {}, css);

    it('use the size from the style sheet, the attribute or the style', () => {
      sized('#d{font-size:10px;} #d .big{font-size:20px;} .big.huge{font-size:30px!important;}');
      const text = (attributes: Record<string, string>) => box(put(svg, 'text', attributes, 'abcd'));
      assert.deepEqual(text({}), [0, -8, 20, 10]);
      assert.deepEqual(text({ class: 'big' }), [0, -16, 40, 20]);
      assert.deepEqual(text({ class: 'big', style: 'font-size: 2em' }), [0, -16, 40, 20]);
      assert.deepEqual(text({ class: 'big huge', style: 'font-size: 2em' }), [0, -24, 60, 30]);
      assert.deepEqual(text({ 'font-size': '30' }), [0, -24, 60, 30]);
    });

    it('place lines below each other, each with its own anchor', () => {
      sized('#d{font-size:10px;} text{text-anchor:middle;}');
      const text = put(svg, 'text', { y: -5 });
      put(put(text, 'tspan', { x: 0, dy: '1em' }), 'tspan', {}, 'abcd');
      put(put(text, 'tspan', { x: 0, dy: '1em' }), 'tspan', {}, 'ab');
      assert.deepEqual(box(text), [-10, -3, 20, 20]);
      assert.equal(text.getComputedTextLength(), 30);
    });

    it('ignore leading spaces and repeated ones', () => {
      sized('#d{font-size:10px;}');
      assert.equal(put(svg, 'text', {}, '  a  b').getComputedTextLength(), 15);
    });

    it('are measured as displayed, not as written', () => {
      sized('#d{font-size:10px;}');
      const text = put(svg, 'text', {}, 'ﬂ°quot¶ßﬂ°°9829¶ß&lt;');
      assert.equal(text.textContent, '"♥<');
      assert.equal(text.getComputedTextLength(), 15);
    });
  });

  it('limits the number of elements', () => {
    assert.throws(() => {
      for (;;) {
        sheet.createElement('p');
      }
    }, TooLarge);
  });

  it('never inserts an element into itself', () => {
    const group = put(svg, 'g');
    assert.throws(() => put(group, 'g').appendChild(svg));
  });

  describe('style sheets', () => {
    it('are read rule by rule, without at-rules', () => {
      assert.deepEqual(parseRules('a{b:c}@import url(x);@media print{a{b:d}}@keyframes k{from{x:y}}/*{*/ .e , f{g:h;}i{'), [
        { selector: 'a', body: 'b:c' },
        { selector: '.e , f', body: 'g:h;' },
      ]);
      assert.deepEqual(parseDeclarations('Fill: red !important; stroke : #fff;x;y:{;'), [
        ['fill', 'red', true],
        ['stroke', '#fff', false],
      ]);
    });
  });

  describe('the picture', () => {
    const inside = () => /^<svg [^>]*>([^]*)<\/svg>$/.exec(writePicture(svg).svg)![1];

    it('has the size of its view box, within bounds', () => {
      svg.setAttribute('viewBox', '-5 0 100.4 50');
      assert.match(
        writePicture(svg).svg,
        /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" id="d" class="" viewBox="-5 0 100.4 50" width="100" height="50">/,
      );
      svg.setAttribute('viewBox', '0 0 1e9 1e9');
      assert.deepEqual([writePicture(svg).width, writePicture(svg).height], [16_000, 16_000]);
      svg.setAttribute('viewBox', '0 0 NaN "><script>');
      assert.match(writePicture(svg).svg, /viewBox="0 0 400 400"/);
    });

    it('contains only permitted elements', () => {
      for (const name of ['script', 'foreignObject', 'image', 'iframe', 'use', 'animate', 'set', 'feImage', 'object', 'x:script']) {
        put(svg, name, { href: '#a' }, 'words');
      }
      assert.equal(inside(), '');
    });

    it('replaces a link with a group', () => {
      put(
        put(svg, 'a', { href: 'javascript:x', 'xlink:href': 'https://x', target: '_top', transform: 'translate(1)' }),
        'text',
        {},
        'words',
      );
      assert.equal(inside(), '<g transform="translate(1)"><text>words</text></g>');
    });

    it('contains only permitted attributes', () => {
      put(svg, 'rect', {
        onload: 'x',
        onclick: 'x',
        href: '#a',
        'xlink:href': 'https://x',
        src: 'x',
        'data-x': 'y',
        xmlns: 'x',
        id: 'r',
        'a"b': 'c',
        x: '1.23456',
      });
      assert.equal(inside(), '<rect x="1.23"></rect>');
    });

    it('refers only to its own elements', () => {
      put(svg, 'path', {
        'marker-end': 'url(#m-1)',
        fill: 'url(https://x/#a)',
        stroke: 'url( "#s" )',
        filter: "url('data:x')",
        mask: 'image-set("https://x" 1x)',
      });
      put(svg, 'marker', { id: 'm-1' });
      assert.equal(inside(), '<path marker-end="url(#m-1)" stroke="url( &quot;#s&quot; )"></path><marker id="m-1"></marker>');
    });

    it('contains no style that loads, moves, or covers anything', () => {
      put(svg, 'rect', {
        style:
          'fill: red; background: url(https://x); position: fixed; color: u\\72l(https://x); animation: a 1s; stroke: url(//x); cursor: url(x); stroke-width: 2px !important',
      });
      put(
        svg,
        'style',
        {},
        '@import "https://x"; @font-face{src:url(https://x)} #d .a{fill:#fff;background-image:url(https://x);behavior:url(#x)} .b{fill:url(https://x)}</style><script>x</script> .c{fill:red}',
      );
      assert.equal(inside(), '<rect style="fill:red;stroke-width:2px!important"></rect><style>#d .a{fill:#fff}\n.b{}</style>');
    });

    it('shows text as text, and reordering characters by their code point', () => {
      put(svg, 'text', {}, '<b>&"\u202e\u0001\ud800x');
      assert.equal(inside(), '<text>&lt;b&gt;&amp;&quot;⟨U+202E⟩⟨U+0001⟩x</text>');
    });

    it('is limited to a size that the page can show without a pause', () => {
      for (let index = 0; index <= MAX_WORDS; index++) {
        put(svg, 'text', {}, 'x');
      }
      assert.throws(() => writePicture(svg), TooLarge);
      svg.replaceChildren();
      for (let index = 0; index < 70; index++) {
        put(svg, 'path', { d: 'M0 0'.padEnd(10_000, ' L1 1') });
      }
      assert.throws(() => writePicture(svg), TooLarge);
    });

    it('is limited in depth', () => {
      let group = svg;
      for (let depth = 0; depth < 1000; depth++) {
        group = put(group, 'g');
      }
      assert.ok(writePicture(svg).svg.length < 2000);
    });
  });
});
