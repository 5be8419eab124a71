/** The permission modes in a quick pick. */
import assert from 'node:assert/strict';
import { modeRows, modesHold } from '../../../../src/application/permission/modeRows';
import { english, englishVerbatim } from '../english';

describe('the rows of the permission modes', () => {
  it('fit a quick pick of 600 px', () => {
    for (const { label, description = '', detail } of modeRows('allowEverything', englishVerbatim)) {
      assert.ok(`${label} ${description}`.length <= 76 && detail.length <= 76, detail);
    }
  });

  it('mark the current mode', () => {
    const rows = modeRows('acceptEdits', englishVerbatim);
    assert.deepEqual(
      rows.map(({ description }) => description),
      [undefined, 'in the folders of this session · Current', undefined, 'until this session ends'],
    );
  });

  it('say that an agent without requests is not held in Plan only', () => {
    const detail = modeRows('ask', englishVerbatim, 'An agent with a long name'.repeat(3))[2]!.detail;
    assert.match(detail, /^Only requests are refused\. An agent .* may act without asking\.$/);
    assert.ok(detail.length <= 90, detail);
  });

  it('come with one line about what the modes can hold', () => {
    const agent = 'An agent with a name that does not end'.repeat(3);
    const itself = modesHold({ edits: 'itself', commands: 'itself', isVersion2: false }, agent, english);
    const through = modesHold({ edits: 'through', commands: 'through', isVersion2: false }, agent, english);
    const asks = modesHold({ edits: 'asks', commands: 'unknown', isVersion2: false }, agent, english);
    assert.match(itself, /may act without asking\. A sandbox can hold that\.$/);
    assert.match(asks, /^Only requests of .* are held\. A sandbox can hold the rest\.$/);
    assert.match(through, /^Each edit and command of .* can be held\.$/);
    assert.ok(itself.length <= 90 && asks.length <= 90 && through.length <= 90, itself);
  });
});
