/** The table of features and their folders is current. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { featuresPage, unknownFolders } from '../support/featuresPage';

const root = path.resolve(__dirname, '../..');
const PAGE = path.join(root, 'docs/features.md');

describe('the features', () => {
  it('name existing folders that have another word', () => {
    assert.deepEqual(unknownFolders(root), []);
  });

  it('match docs/features.md', () => {
    const page = featuresPage(root);
    if (process.env.ACP_HOST_UPDATE_GOLDEN === '1') {
      writeFileSync(PAGE, page);
    }
    assert.ok(
      existsSync(PAGE) && readFileSync(PAGE, 'utf8') === page,
      'docs/features.md is not what the tree says; ACP_HOST_UPDATE_GOLDEN=1 rewrites it',
    );
  });
});
