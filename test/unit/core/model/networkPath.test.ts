import { strict as assert } from 'node:assert';
import { isForeignShare, networkShareOf } from '../../../../src/core/model/networkPath';

const TABLE: readonly (readonly [path: string, share: string | undefined])[] = [
  ['\\\\Host\\Share\\x', '//host/share'],
  ['//host/share', '//host/share'],
  ['\\/host/share', '//host/share'],
  ['/\\host\\share', '//host/share'],
  ['///host/share', '//host/share'],
  ['\\\\host.\\share', '//host/share'],
  ['\\\\host', '//host/'],
  ['//host@SSL@8080/dav/x', '//host@ssl@8080/dav'],
  ['\\\\?\\UNC\\Host\\share\\a', '//host/share'],
  ['//?/unc/host/share', '//host/share'],
  ['\\\\.\\UNC\\h\\s', '//h/s'],
  ['\\??\\UNC\\h\\s', '//h/s'],
  ['\\\\.\\pipe\\x', '//?'],
  ['\\\\?\\GLOBALROOT\\Device\\Mup\\host\\share', '//?'],
  ['\\\\wsl$\\Ubuntu\\home', '//wsl.localhost/ubuntu'],
  ['\\\\wsl.localhost\\ubuntu\\x', '//wsl.localhost/ubuntu'],
  ['file://host/share/a', '//host/share'],
  ['FILE://Host/Share', '//host/share'],
  ['file:////host/share/a', '//host/share'],
  ['file:\\\\host\\share', '//host/share'],
  ['file:///%5C%5Chost%5Cshare', '//host/share'],
  ['file:///%2Fhost/share', '//host/share'],
  ['file://h%6Fst/share', '//host/share'],
  ['file:///%E0%A4', '//?'],
  ['/net/evil/x', '/net/evil'],
  ['/Network/Servers/evil/x', '/net/evil'],
  ['file:///net/evil', '/net/evil'],
  ['file:///home/x?y=//host/share', undefined],
  ['file:///C:/x', undefined],
  ['file://localhost/home', undefined],
  ['/home/x', undefined],
  ['/net', undefined],
  ['/network/x', undefined],
  ['C:\\x', undefined],
  ['\\x', undefined],
  ['a//b', undefined],
  ['', undefined],
];

describe('the network share of a path', () => {
  for (const [path, share] of TABLE) {
    it(`of ${JSON.stringify(path)} is ${share ?? 'none'}`, () => assert.equal(networkShareOf(path), share));
  }

  it('is foreign unless a folder of the user is on it; devices always are', () => {
    assert.equal(isForeignShare('\\\\server\\share\\other', ['C:\\x', '//SERVER/Share/repo']), false);
    assert.equal(isForeignShare('file://server/share/a', ['\\\\server\\share']), false);
    assert.equal(isForeignShare('\\\\server\\share2\\a', ['\\\\server\\share']), true);
    assert.equal(isForeignShare('\\\\server2\\share\\a', ['\\\\server\\share']), true);
    assert.equal(isForeignShare('\\\\.\\pipe\\x', ['\\\\.\\pipe\\y', '\\\\?\\C:\\work']), true);
    assert.equal(isForeignShare('/home', []), false);
  });
});
