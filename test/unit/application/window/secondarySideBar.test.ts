import assert from 'node:assert/strict';
import { hasSecondarySideBar } from '../../../../src/application/window/secondarySideBar';

describe('the secondary side bar', () => {
  it('supports views since VS Code 1.106', () => {
    const versions = ['1.100.3', '1.105.1', '1.106.0', '1.139.1', '2.0.0', '1.106.0-insider', '', 'x'];
    assert.deepEqual(
      versions.map((version) => hasSecondarySideBar(version)),
      [false, false, true, true, true, true, false, false],
    );
  });
});
