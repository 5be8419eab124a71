import assert from 'node:assert/strict';
import type { ElicitationField } from '../../../../src/core/elicitation/elicitation';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { hasFormat } from '../../../../src/core/elicitation/formats';
import { Forms, contentOf, filledOf, valueOf } from '../../../../webview/state/forms';
import { MemoryHost } from '../../../../webview/base/host';

const KEY = 'elicitation-1-1';
const field = (type: ElicitationField['type'], more: object = {}): ElicitationField =>
  ({
    name: 'f',
    type,
    required: false,
    ...(type === 'choice' || type === 'choices'
      ? {
          choices: [
            { value: 'a', title: 'A' },
            { value: '', title: 'None' },
            { value: 'b', title: 'B' },
          ],
        }
      : {}),
    ...more,
  }) as ElicitationField;

describe('a form that is being filled in', () => {
  function page(kept?: unknown): { forms: Forms; saved: () => unknown } {
    let state = kept;
    const host = new MemoryHost(() => undefined, {
      read: () => JSON.parse(JSON.stringify(state ?? null)) as unknown,
      write: (next) => void (state = { ...(state as object), ...(next as object) }),
    });
    return { forms: new Forms(host), saved: () => state };
  }

  it('starts with valid defaults', () => {
    const { forms } = page();
    const start = (each: ElicitationField) => filledOf(forms.get(KEY), each);
    assert.deepEqual(
      [
        field('string', { defaultValue: 'x' }),
        field('integer', { defaultValue: 3 }),
        field('number'),
        field('boolean'),
        field('choice', { defaultValue: 'b' }),
        field('choice', { defaultValue: 'z' }),
        field('choices', { defaultValue: ['b', 'z', 'a'] }),
      ].map(start),
      ['x', '3', '', false, 'b', null, ['a', 'b']],
    );
  });

  it('sends the entered values, and nothing for empty fields', () => {
    const value = (type: ElicitationField['type'], filled: Parameters<typeof valueOf>[1]) => valueOf(field(type), filled);
    assert.deepEqual(
      [
        value('string', ' x '),
        value('string', ''),
        value('number', ' 1.50 '),
        value('number', ''),
        value('number', '1,5'),
        value('number', '0x10'),
        value('number', '-.5e1'),
      ],
      [' x ', undefined, 1.5, undefined, '1,5', '0x10', -5],
    );
    // A different number than the entered one would be sent.
    assert.deepEqual(
      [value('integer', '9007199254740993'), value('integer', '007'), value('integer', '1e3'), value('integer', '1.5')],
      ['9007199254740993', 7, 1000, 1.5],
    );
    assert.deepEqual(
      [value('choice', null), value('choice', ''), value('choices', []), value('boolean', false)],
      [undefined, '', [], false],
    );
  });

  it('sends a date and time with the time zone of this computer', () => {
    const when = field('string', { format: 'date-time' });
    const sent = valueOf(when, '2026-01-31 14:30') as string;
    assert.match(sent, /^2026-01-31T14:30:00[+-]\d{2}:\d{2}$/);
    assert.ok(hasFormat(sent, 'date-time'));
    assert.equal(new Date(sent).getTime(), new Date(2026, 0, 31, 14, 30).getTime());
    for (const text of ['2026-01-31T14:30:00Z', '2026-01-31', 'soon', '2026-99-31 14:30']) {
      assert.equal(valueOf(when, text), text);
    }
    const { forms } = page();
    forms.fill(KEY, when, '2026-01-31 14:30');
    forms.left(KEY, when);
    assert.equal(filledOf(forms.get(KEY), when), sent, 'the user sees it before it is sent');
  });

  it('shows problems when a field loses the focus or the form is sent, and checks again at each change', () => {
    const { forms } = page();
    const mail = field('string', { name: 'mail', format: 'email' });
    const name = field('string', { name: 'name', required: true });
    const problems = () => [...forms.get(KEY).problems.values()].map(({ name: of, code }) => `${of} ${code}`);
    forms.left(KEY, name);
    forms.fill(KEY, mail, 'ada');
    assert.deepEqual(problems(), [], 'not while it is typed, and not for what was only passed by');
    forms.left(KEY, mail);
    assert.deepEqual(problems(), ['mail format']);
    forms.fill(KEY, mail, 'ada@');
    assert.deepEqual(problems(), ['mail format']);
    forms.fill(KEY, mail, 'ada@b');
    assert.deepEqual(problems(), []);
    assert.deepEqual(forms.submit(KEY, [mail, name]).problems, [{ name: 'name', code: 'required' }]);
    assert.deepEqual([problems(), forms.get(KEY).wrong, forms.get(KEY).sent], [['name required'], 'name', false]);
    forms.arrived(KEY);
    assert.equal(forms.get(KEY).wrong, undefined);
    forms.fill(KEY, name, 'Ada');
    assert.deepEqual(forms.submit(KEY, [mail, name]).content, { mail: 'ada@b', name: 'Ada' });
    assert.equal(forms.get(KEY).sent, true);
    forms.found(KEY, [{ name: 'name', code: 'pattern' }]);
    assert.deepEqual([problems(), forms.get(KEY).wrong, forms.get(KEY).sent], [['name pattern'], 'name', false]);
    forms.left(KEY, name);
    assert.deepEqual(problems(), ['name pattern'], 'what the host found stays until the value is another');
    forms.found(KEY, []);
    assert.deepEqual([problems(), forms.get(KEY).sent], [[], false]);
  });

  it('survives its page, whatever its fields are called, beside other saved state', () => {
    const { forms, saved } = page({ draft: 'half a message' });
    const fields = [field('string', { name: '__proto__' }), field('choices', { name: 'c' }), field('boolean', { name: 'b' })];
    forms.fill(KEY, fields[0]!, 'kept');
    forms.fill(KEY, fields[1]!, ['b']);
    forms.fill(KEY, fields[2]!, true);
    const asked = reduce(EMPTY_STATE, {
      type: 'elicitation_requested',
      at: 1,
      requestKey: KEY,
      message: 'M',
      body: { mode: 'form', fields },
    });
    forms.keep(EMPTY_STATE);
    forms.keep(asked);
    forms.flush();
    const again = page(saved());
    assert.equal(JSON.stringify(contentOf(fields, again.forms.get(KEY))), '{"__proto__":"kept","c":["b"],"b":true}');
    assert.equal((saved() as { draft: string }).draft, 'half a message');
    again.forms.keep(reduce(asked, { type: 'elicitation_resolved', at: 2, requestKey: KEY, outcome: 'declined' }));
    assert.deepEqual((again.saved() as { forms: unknown }).forms, []);
  });

  it('takes no value from storage that a control cannot hold', () => {
    for (const kept of [
      { forms: 7 },
      { forms: [7, [1, 2], [KEY, 3], [KEY, [['f', {}], ['f', 7], 'f']]] },
      'nonsense',
      { forms: [[KEY, [['f', ['a', 1]]]]] },
    ]) {
      const { forms } = page(kept);
      assert.deepEqual(filledOf(forms.get(KEY), field('choices')), []);
    }
    const { forms } = page({ forms: [[KEY, [['f', ['a']]]]] });
    assert.equal(filledOf(forms.get(KEY), field('string')), '');
  });
});
