import assert from 'node:assert/strict';
import { folderRows } from '../../../../src/workbench/sessions/folderRows';
import { english } from '../english';

const labels = (folders: readonly string[]) => folderRows(folders, english).map((row) => ('label' in row ? row.label : '—'));

describe('the folders in which a session may work', () => {
  it('are asked for in a window without one, which can go on without', () => {
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

  it('draw no icon that a name asks for', () => {
    assert.doesNotMatch(labels(['/w/$(verified)'])[0]!, /\$\(verified\)/);
  });
});
