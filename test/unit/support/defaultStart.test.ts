/** Golden texts omit only lines that equal the default start. Every other line is complete. */
import assert from 'node:assert/strict';
import { DefaultStart } from '../../support/scenario/defaultStart';
import { differences } from '../../support/differences';
import { readGolden } from '../../support/golden';

describe('the default start in golden texts', () => {
  const start = new DefaultStart('scripted');
  const lines = readGolden('scenarios/defaults/scripted.txt').slice(0, 4);
  const initialized = lines[2]!;

  it('is shortened to one line', () => {
    const bare = lines.map((line) => start.special(line));
    assert.deepEqual(bare, ['session_opened', 'start_progress', 'agent_initialized', 'session_ready']);
    assert.deepEqual(start.shorten([...bare, '> prompt']), ['(starts as in defaults/scripted.txt)', '> prompt']);
    assert.deepEqual(start.shorten(bare.map((line) => `2| ${line}`)), ['2| (starts as in defaults/scripted.txt)']);
  });

  it('is shortened only as a whole, and in order', () => {
    const [opened, progress, , ready] = lines.map((line) => start.special(line));
    assert.deepEqual(start.shorten([opened!, progress!, ready!]), [opened, progress, ready]);
    assert.deepEqual(start.shorten([opened!, `2| ${progress}`, 'agent_initialized', ready!]).length, 4);
  });

  const SPECIAL = {
    'a capability more': [initialized.replace('"load":false', '"load":true'), 'agent_initialized offers.load=true'],
    'a capability less': [initialized.replace('"load":false,', ''), 'agent_initialized offers.load=absent'],
    'a field of its own': [`${initialized} extra={"a":1}`, 'agent_initialized extra={"a":1}'],
    'a field that is not there': [initialized.replace(/ agent=.*/, ''), 'agent_initialized agent=absent'],
    'another name': [initialized.replace('"scripted"', '"other one"'), 'agent_initialized agent.name="other one"'],
    'an item more': [initialized.replace('authMethods=[]', 'authMethods=[{}]'), 'agent_initialized authMethods=[{}]'],
    'nothing at all': ['session_ready', 'session_ready sessionId=absent'],
  };
  for (const [name, [line, printed]] of Object.entries(SPECIAL)) {
    it(`is not shortened when there is ${name}`, () => assert.equal(start.special(line!), printed));
  }

  it('leaves lines unchanged that the short form cannot express', () => {
    const reordered = initialized.replace('"image":true,"audio":false', '"audio":false,"image":true');
    const unreadable = initialized.replace('scripted', '\\u{7}');
    for (const line of [reordered, unreadable, `${initialized} extra=" a=1"`, 'turn_started turnId="<turn 1>"', '> prompt']) {
      assert.equal(start.special(line), line);
    }
  });

  it('has differences by item in lists of the same length', () => {
    assert.deepEqual(differences({ list: [{ a: 1 }, { a: 2 }] }, { list: [{ a: 1 }, { a: 3 }] }), ['list.1.a=2']);
    assert.deepEqual(differences({ list: [1] }, { list: [1, 2] }), ['list=[1]']);
    assert.deepEqual(differences({ a: null }, { a: {} }), ['a=null']);
    assert.equal(differences({ 'a.b': 1 }, { a: { b: 2 } }), undefined);
  });
});
