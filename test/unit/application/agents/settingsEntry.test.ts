/** The place of an agent's entry in the user's settings. */
import assert from 'node:assert/strict';
import { entryOffset } from '../../../../src/application/agents/settingsEntry';

describe('the place of an agent in the settings', () => {
  const text = `{
  // "acpHost.agents": { "Bad": 1 }
  "other": { "Bad": {}, "list": ["Bad", { "acpHost.agents": { "Bad": 2 } }] },
  "acpHost.agents": {
    /* "Bad" */ "Good": { "command": "Bad", "env": { "Bad": "x" } },
    "Bad": { "cmd": "x" }, "A \\"quoted\\" one": 5,
  },
}`;
  const lineAt = (name: string) => {
    const at = entryOffset(text, 'acpHost.agents', name);
    return at === undefined ? undefined : text.slice(at, at + 8);
  };

  it('belongs to the name in the setting, and to no other text', () => {
    assert.deepEqual([lineAt('Good'), lineAt('Bad'), lineAt('A "quoted" one')], ['"Good": ', '"Bad": {', '"A \\"quo']);
    assert.equal(entryOffset(text, 'acpHost.agents', 'Bad'), text.indexOf('"Bad": { "cmd"'));
  });

  it('does not exist where the name, the setting or the JSON is missing', () => {
    assert.deepEqual(
      [lineAt('Missing'), entryOffset('', 'acpHost.agents', 'Bad'), entryOffset('}}:"', 'x', 'y')],
      [undefined, undefined, undefined],
    );
    assert.equal(entryOffset('{"acpHost.agents": "Bad"}', 'acpHost.agents', 'Bad'), undefined);
  });
});
