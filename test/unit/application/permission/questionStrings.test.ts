/** The titles of questions about protected files. */
import assert from 'node:assert/strict';
import { headingOf } from '../../../../src/core/approval/heading';
import { questionStrings } from '../../../../src/application/permission/questionStrings';
import { englishVerbatim } from '../english';

describe('the title of a question about a protected file', () => {
  const title = (path: string, rule: string): string =>
    questionStrings(englishVerbatim).title({ type: 'protected_path', access: 'write', rule, path, overwrites: true });

  it('names the file, not the rule', () => {
    assert.equal(title('/work/.env', '.env*'), 'Overwrite a protected file (.env)');
    assert.equal(title('C:\\work\\.env', '.env*'), 'Overwrite a protected file (.env)');
  });

  it('names the folder that the rule protects', () => {
    assert.equal(title('/work/.git/config', '.git'), 'Overwrite a protected file (.git/config)');
  });

  it('is complete in a card that shows the path below it', () => {
    assert.equal(headingOf(title('/work/.env', '.env*'), ['/work/.env', '.env']), 'Overwrite a protected file');
  });
});
