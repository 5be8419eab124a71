import assert from 'node:assert/strict';
import { isSameName } from '../../../src/util/location';

describe('a real path and the name that an agent gives', () => {
  it('are the same on Windows whatever the slashes and the case of the drive', () => {
    assert.ok(isSameName('C:\\w\\.env', 'C:\\w\\.env'));
    assert.ok(isSameName('C:\\w\\.env', 'C:/w/.env'));
    assert.ok(isSameName('C:\\w\\.env', 'c:\\w/.env'));
    assert.ok(isSameName('\\\\host\\share\\a', '//host/share/a'));
  });

  it('differ where the name leads elsewhere, and in each letter on other systems', () => {
    assert.ok(!isSameName('C:\\w\\.env', 'C:\\link\\.env'));
    assert.ok(!isSameName('C:\\w\\.env', 'C:\\w\\.ENV'), 'a folder can distinguish the case');
    assert.ok(!isSameName('/w/.env', '/w/.ENV'));
    assert.ok(!isSameName('/w/a/b', '/w/a\\b'));
  });
});
