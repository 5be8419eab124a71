import assert from 'node:assert/strict';
import { fileInTurn } from '../../../../src/core/toolCalls/fileInTurn';
import { isFolderPath, shownLocations } from '../../../../src/core/toolCalls/shownLocations';
import type { EventInput } from '../../../../src/core/model/event';
import type { ToolCallEntry } from '../../../../src/core/model/state';
import { message, stateOf, toolCall, toolDiff } from '../../../support/events';

describe('the locations of a tool call', () => {
  const places = (...paths: string[]) => paths.map((path) => ({ path }));

  it('leave out the folder of the session, with or without a separator at its end', () => {
    assert.deepEqual(shownLocations({ content: [], locations: places('/w', '/w/', '/w/a.ts', '/ww') }, '/w'), places('/w/a.ts', '/ww'));
    assert.deepEqual(shownLocations({ content: [], locations: places('C:\\w\\') }, 'C:\\w'), []);
  });

  it('leave out the files whose change is shown', () => {
    const content = [toolDiff('/w/a.ts', 'a', 'b')];
    assert.deepEqual(shownLocations({ content, locations: places('/w/a.ts', '/w/b.ts') }, '/w'), places('/w/b.ts'));
  });

  it('are folders if their path or the other locations show it', () => {
    assert.ok(isFolderPath('/w/src/', [], []));
    assert.ok(isFolderPath('/more', ['/w', '/more'], []));
    assert.ok(isFolderPath('/', ['/w'], []));
    assert.ok(isFolderPath('/w/src', ['/w'], places('/w/src', '/w/src/a.ts')));
    assert.ok(!isFolderPath('/w/src', ['/w'], places('/w/src', '/w/src2/a.ts')));
    assert.ok(!isFolderPath('/w/a.ts', ['/w'], places('/w/a.ts')));
  });
});

describe('the file of a call in the changes of its turn', () => {
  const edit = (toolCallId: string, path: string, kind = 'edit') =>
    toolCall(toolCallId, { title: 'e', kind, status: 'completed', locations: [{ path }] });
  const turn = (turnId: string, path: string, added: number, ...calls: EventInput[]): EventInput[] => [
    { type: 'turn_started', turnId },
    message('go', turnId, 'user'),
    ...calls,
    { type: 'turn_ended', turnId, stopReason: 'end_turn' },
    { type: 'turn_changes', turnId, changes: { files: [{ path, operation: 'modify', added, removed: 0 }] } } as unknown as EventInput,
  ];
  const added = (toolCallId: string, ...events: EventInput[]) => {
    const state = { ...stateOf(events), cwd: '/w' };
    return fileInTurn(state, state.entries.get(`tool_call:${toolCallId}`) as ToolCallEntry)?.added;
  };

  it('is found by its path, in the turn of the call', () => {
    const events = [
      ...turn('t', '/w/a.ts', 2, edit('1', '/w/a.ts'), edit('r', '/w/a.ts', 'read')),
      ...turn('u', '/w/a.ts', 5, edit('2', 'a.ts')),
    ];
    assert.equal(added('1', ...events), 2);
    assert.equal(added('2', ...events), 5);
  });

  it('is unknown if another call of the turn may have changed it, and before the turn has ended', () => {
    const events = turn('t', '/w/a.ts', 2, edit('1', '/w/a.ts'), edit('2', '/w/a.ts'), edit('3', '/w/b.ts'));
    assert.equal(added('1', ...events), undefined);
    assert.equal(added('2', ...events), undefined);
    assert.equal(added('3', ...events), undefined);
    assert.equal(added('1', { type: 'turn_started', turnId: 't' }, edit('1', '/w/a.ts')), undefined);
  });
});
