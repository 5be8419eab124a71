import assert from 'node:assert/strict';
import { namedValue, withoutName } from '../../../../webview/options/label';

describe("the name of an option's value", () => {
  const rows: [name: string, value: string, without: string][] = [
    ['Thinking', 'Thinking: off', 'off'],
    ['Thinking', 'Thinking: Thinking: off', 'off'],
    ['Thinking', 'THINKING – High', 'High'],
    ['thought level', 'Thought  level = high', 'high'],
    ['Thinking:', 'Thinking: off', 'off'],
    ['Model', 'Model/Large 4', 'Large 4'],
    ['Mode', 'Mode (Plan)', 'Plan'],
    ['Model', 'Model 3', 'Model 3'],
    ['Thinking', 'High thinking', 'High thinking'],
    ['Thinking', 'Thinking', 'Thinking'],
    ['Thinking', 'Thinking:', 'Thinking:'],
    ['Mode', 'Model', 'Model'],
    ['Mode', 'Modern', 'Modern'],
    ['Mode', 'Mode-less', 'Mode-less'],
    ['C++', 'C++: strict', 'strict'],
    ['', 'off', 'off'],
    [': ', 'off', 'off'],
    ['Denken', 'Denken：aus', 'aus'],
    ['思考', '思考：关闭', '关闭'],
    ['(.*', '(.*: a', 'a'],
  ];
  for (const [name, value, expected] of rows) {
    it(`“${value}” of “${name}” is “${expected}”`, () => assert.equal(withoutName(name, value), expected));
  }

  it('follows its option’s name, which is shown once', () => {
    assert.deepEqual(namedValue({ name: 'Thinking', category: 'thought_level' }, 'Thinking: off'), { name: 'Thinking', value: 'off' });
    assert.deepEqual(namedValue({ name: 'Thinking' }, 'Off'), { name: 'Thinking', value: 'Off' });
    assert.deepEqual(namedValue({ name: 'Thinking' }, 'High thinking'), { value: 'High thinking' });
    assert.deepEqual(namedValue({ name: 'Effort' }, 'Effort low'), { value: 'Effort low' });
    assert.deepEqual(namedValue({ name: 'Thinking' }, 'Thinking'), { value: 'Thinking' });
    assert.deepEqual(namedValue({ name: 'Mode' }, 'Modern'), { name: 'Mode', value: 'Modern' });
  });

  it('is shown alone when it explains itself', () => {
    assert.deepEqual(namedValue({ name: 'Model', category: 'model' }, 'Large 4'), { value: 'Large 4' });
  });

  it('is never a mode alone, which reads like the permission mode beside it', () => {
    assert.deepEqual(namedValue({ name: 'Mode', category: 'mode' }, 'Mode: Ask'), { name: 'Mode', value: 'Ask' });
    assert.deepEqual(namedValue({ name: 'Mode', category: 'mode' }, 'Ask Mode'), { value: 'Ask Mode' });
  });
});
