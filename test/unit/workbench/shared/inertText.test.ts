// Nothing that others write becomes a link or an icon of VS Code, by VS Code's own expressions: every sentence, failure and row of the extension with
// hostile values in every place.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { anyCharacter } from '../../../support/characters';
import * as fc from 'fast-check';
import type { FailureCode } from '../../../../src/core/model/failure';
import { inert, joined, own, visible, withIcon } from '../../../../src/workbench/shared/escape';
import { failureSentence, failureText } from '../../../../src/workbench/shared/failureText';
import { actionsIn } from '../../../support/vscodeText';
import { english } from '../english';
import { root, COMMAND, HOSTILE, anything, assertInert } from './inertChecks';

describe('VS Code’s own expressions', () => {
  it('find what they should', () => {
    for (const text of [
      `[x]${COMMAND}`,
      `[x]${COMMAND.slice(0, -1)} "title")`,
      '[x](FILE:///a)',
      '$(warning)',
      '\\$(x)',
      '$(sync~spin)',
      `[x]\u0020${'$(a)'}y`,
    ]) {
      assert.notDeepEqual(actionsIn(text), [], text);
    }
    assert.notDeepEqual(actionsIn(`[x]$(a)${COMMAND}`, 1), [], 'where an icon goes, a link may come about');
    assert.deepEqual(actionsIn('[x] (command:y), a[0](1), $ (x), ${x}'), []);
    assert.deepEqual(actionsIn('$(bell) 1', 1), []);
  });
});

describe('inert text', () => {
  it('has no link and no icon, whatever it was made of', () => {
    for (const text of HOSTILE) {
      assertInert(visible(text, 2000), text.slice(0, 60));
      assertInert(inert(text, 2000), text.slice(0, 60));
    }
    fc.assert(
      fc.property(anything, fc.integer({ min: 4, max: 60 }), (text, max) => assertInert(visible(text, max), text)),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => assertInert(visible(text), text)));
  });

  it('stays as it is when it is made inert again', () => {
    fc.assert(
      fc.property(anything, (text) => {
        assert.equal(inert(inert(text)), inert(text));
        assert.equal(visible(visible(text)), visible(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('stays so beside any other', () => {
    const pieces = fc.array(anything, { maxLength: 5 });
    fc.assert(
      fc.property(pieces, (texts) => {
        const parts = texts.map((text) => visible(text));
        for (const whole of [joined(parts, ''), joined(parts, ' '), joined(parts, '\n\n'), joined(parts, '='), inert(parts.join(''))]) {
          assertInert(whole, texts.join('|'));
        }
        assertInert(withIcon('warning', joined(parts, '')), texts.join('|'), 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads as it was written', () => {
    const plain = (text: string) => text.replaceAll('\u2060', '');
    for (const text of ['[x](y)', 'a[0](1)', '$(check)', '(x)', 'x]', '5$', '\\$(x)']) {
      assert.equal(plain(visible(text)), text);
    }
    assert.equal(own('.md'), '.md');
  });

  it('tells a joiner of somebody else’s from its own', () => {
    assert.equal(visible('a\u2060b'), 'a‹U+2060›b');
  });
});

describe('every sentence of the extension', () => {
  const sentences = Object.keys(JSON.parse(readFileSync(path.join(root, 'l10n/bundle.l10n.json'), 'utf8')) as object);
  const placesOf = (sentence: string) => [...new Set([...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))];

  it('has no link or icon itself, and is safe at its ends', () => {
    assert.ok(sentences.length > 300);
    for (const sentence of sentences) {
      assert.deepEqual(actionsIn(sentence), []);
      assert.doesNotMatch(sentence, /[\]$]\(|[\]$]$|[\]$]\{\w+\}\(/, sentence);
    }
  });

  it('takes any value in any place', () => {
    for (const sentence of sentences) {
      const places = placesOf(sentence);
      for (const hostile of places.length > 0 ? HOSTILE : []) {
        assertInert(english(sentence, Object.fromEntries(places.map((place) => [place, hostile]))), sentence);
        for (const place of places) {
          assertInert(english(sentence, { ...Object.fromEntries(places.map((each) => [each, 'x'])), [place]: hostile }), sentence);
        }
      }
    }
  });

  it('makes no link of two halves', () => {
    for (const sentence of sentences) {
      const places = placesOf(sentence);
      for (const one of places) {
        for (const other of places) {
          for (const [first, second] of [
            ['[x]', COMMAND],
            ['[x', `]${COMMAND}`],
            ['$', '(warning)'],
            ['$(', 'warning)'],
          ] as const) {
            assertInert(
              english(sentence, { ...Object.fromEntries(places.map((each) => [each, ''])), [one]: first, [other]: second }),
              sentence,
            );
          }
        }
      }
    }
  });

  it('takes what a fuzzer thinks of', () => {
    const several = sentences.filter((sentence) => placesOf(sentence).length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...several), fc.array(anything, { minLength: 4, maxLength: 4 }), (sentence, values) =>
        assertInert(english(sentence, Object.fromEntries(placesOf(sentence).map((place, index) => [place, values[index % 4]!]))), sentence),
      ),
      { numRuns: 3000 },
    );
  });
});

describe('every failure in words', () => {
  const codes = [...readFileSync(path.join(root, 'src/core/model/failure.ts'), 'utf8').matchAll(/^ {2}\| '([\w.]+)'/gm)].map(
    ([, code]) => code as FailureCode,
  );
  const words = readFileSync(path.join(root, 'src/text/messages/failures.ts'), 'utf8');
  /** Whatever the sentences and the function that fills them ask for. */
  const names = [
    ...new Set(
      [...words.matchAll(/\{(\w+)\}|\bparams\['(\w+)'\]|\bfunction standIns\(\{ ([\w, ]+) \}/g)]
        .map(([, ...found]) => found.find(Boolean)!.split(', '))
        .flat(),
    ),
    'exitCode',
    'signal',
  ];

  it('takes any value in any place', () => {
    assert.ok(
      codes.length > 40 && ['path', 'agentName', 'field', 'setting', 'lines', 'signal', 'ms'].every((name) => names.includes(name)),
      names.join(),
    );
    for (const code of codes) {
      for (const hostile of HOSTILE) {
        const all = Object.fromEntries(names.map((name) => [name, hostile]));
        for (const failure of [
          { code, params: all, detail: hostile },
          { code, detail: hostile },
          { code, params: all },
        ]) {
          const text = failureText(failure, english);
          assertInert(text, code);
          assertInert(failureSentence(failure, english), code);
          assert.ok(text.length < 20_000, `${code} is bounded`);
        }
      }
    }
  });

  it('makes no link of its last word and the detail', () => {
    for (const code of codes) {
      for (const name of names) {
        assertInert(failureText({ code, params: { [name]: '[x]' }, detail: COMMAND }, english), `${code} ${name}`);
        assertInert(failureText({ code, params: { [name]: '$' }, detail: '(warning)' }, english), `${code} ${name}`);
      }
    }
  });
});
