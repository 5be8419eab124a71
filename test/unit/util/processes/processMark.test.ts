import assert from 'node:assert/strict';
import { markedEnvironment, marksIn, marksInPs, newMark } from '../../../../src/util/processes/processMark';

describe('processMark', () => {
  const name = 'ACP_HOST_PROCESS';

  it('is different each time, and keeps inherited marks', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const [outer, inner] = [newMark(), newMark()];
    assert.notEqual(outer, inner);
    const environment = markedEnvironment(markedEnvironment({ A: 'b' }, outer), inner);
    assert.deepEqual(environment, { A: 'b', [name]: `${outer}:${inner}` });
    assert.deepEqual(marksIn(`A=b\0${name}=${environment[name]}\0C=d\0`), [outer, inner]);
  });

  it('is added whatever the variable contained, and never grows without limit', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    assert.equal(markedEnvironment({ [name]: 'a b:\n::' + 'x'.repeat(1000) }, 'mine')[name], 'mine');
    let environment: Record<string, string> = {};
    for (let turn = 0; turn < 100; turn++) {
      environment = markedEnvironment(environment, newMark());
    }
    assert.ok(environment[name]!.length < 1000);
  });

  it('is read only from its own variable', () => {
    assert.deepEqual(marksIn(`X=${name}=no\0NOT_${name}=no\0`), []);
    assert.deepEqual(marksIn(''), []);
  });

  it('is read from ps', () => {
    assert.deepEqual(marksInPs(`  42 /usr/local/bin/node -e 1 HOME=/Users/x ${name}=a-1:b-2 TERM=dumb`), {
      pid: 42,
      marks: ['a-1', 'b-2'],
    });
    assert.deepEqual(marksInPs(`42 node ${name}=a-1`), { pid: 42, marks: ['a-1'] });
    assert.equal(marksInPs('42 node'), undefined);
    assert.equal(marksInPs(''), undefined);
  });
});
