import assert from 'node:assert/strict';
import { minimumOf, parseVersion, satisfies } from '../../../../src/agent/node/versionRange';

/** A range, versions in it, versions that are not in it, and the version that a user should install. */
const RANGES: readonly (readonly [string, string, string, string | undefined])[] = [
  ['>=22', '22.0.0 24.1.2', '16.20.2 21.9.9', '22'],
  ['>= 22.19.0', '22.19.0 23.0.0', '22.18.9', '22.19'],
  ['^20.17.0 || >=22.9.0', '20.17.0 20.99.0 22.9.0 24.0.0', '18.0.0 20.16.9 21.0.0 22.8.9', '22.9'],
  ['22.x', '22.0.0 22.99.1', '21.0.0 23.0.0', '22'],
  ['20', '20.0.0 20.19.4', '19.0.0 21.0.0', '20'],
  ['~20.3', '20.3.0 20.3.9', '20.2.9 20.4.0', '20.3'],
  ['^0.12', '0.12.0 0.12.9', '0.11.9 0.13.0 1.0.0', '0.12'],
  ['^0.0.3', '0.0.3', '0.0.4 0.1.0', '0.0.3'],
  ['^0.x', '0.1.0 0.99.0', '1.0.0', '0'],
  ['>18 <21', '19.0.0 20.9.9', '18.9.0 21.0.0', '19'],
  ['18.0.0 - 20', '18.0.0 20.9.9', '17.9.9 21.0.0', '18'],
  ['<=20', '0.12.0 20.9.9', '21.0.0', undefined],
  ['=22.1.0', '22.1.0', '22.1.1', '22.1'],
  ['*', '0.10.0 99.0.0', '', '0'],
  ['', '0.10.0 99.0.0', '', undefined],
  ['not a range', '0.10.0 99.0.0', '', undefined],
];

describe('a range of versions of Node.js', () => {
  for (const [range, inside, outside, minimum] of RANGES) {
    it(`“${range}” has the versions that npm would accept`, () => {
      const versions = (text: string) => text.split(' ').flatMap((each) => (each ? [each] : []));
      assert.deepEqual(
        versions(inside).filter((each) => !satisfies(parseVersion(each)!, range)),
        [],
      );
      assert.deepEqual(
        versions(outside).filter((each) => satisfies(parseVersion(each)!, range)),
        [],
      );
      assert.equal(minimumOf(range), minimum);
    });
  }

  it('reads what node --version prints', () => {
    assert.deepEqual(
      [parseVersion('v22.1.0\n'), parseVersion('24.0.1-nightly'), parseVersion('node 22')],
      [[22, 1, 0], [24, 0, 1], undefined],
    );
  });
});
