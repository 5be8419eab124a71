import assert from 'node:assert/strict';
import { folderRows } from '../../../../src/application/sessions/folderRows';
import { english } from '../english';

const labels = (folders: readonly string[]) => folderRows(folders, english).map((row) => ('label' in row ? row.label : '—'));

describe('the folders in which a session may work', () => {
  it('can be selected in a window without a folder, which can also continue without one', () => {
    assert.deepEqual(labels([]), ['$(folder-opened) Select Folder…', '$(circle-slash) Continue Without a Folder']);
  });

  it('begin with those of the workspace', () => {
    assert.deepEqual(labels(['/w/app', '/']), [
      '$(folder) app',
      '$(folder) /',
      '—',
      '$(folder-opened) Select Folder…',
      '$(circle-slash) No Folder',
    ]);
  });

  it("draw no icons from a folder's name", () => {
    assert.doesNotMatch(labels(['/w/$(verified)'])[0]!, /\$\(verified\)/);
  });
});
