/** Tool calls in a conversation's document. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { transcriptSections } from '../../../../src/text/transcript/sections';
import { transcriptStrings } from '../../../../src/application/export/transcriptStrings';
import { english } from '../../application/english';
import { permissionRequest, stateOf, toolCall, toolText } from '../../../support/events';

describe('a tool call in a document', () => {
  const textOf = (...events: EventInput[]): string =>
    [...transcriptSections(stateOf(events), transcriptStrings('Ada', english))].map(({ text }) => text).join('\n\n');

  it('has the description of a command once', () => {
    const patch = {
      kind: 'execute',
      title: 'npm test',
      rawInput: { command: 'npm test', description: 'Tests it' },
      content: [toolText('Tests it')],
    };
    const ask = permissionRequest('p', 'npm test', { subject: { toolCallId: 'c' } });
    const terminal = { type: 'terminal', terminalId: 't' } as const;
    for (const text of [
      textOf(toolCall('c', patch)),
      textOf(toolCall('c', patch), ask),
      textOf(toolCall('c', { ...patch, content: [...patch.content, terminal] })),
    ]) {
      assert.equal(text.split('Tests it').length, 2, text);
    }
  });

  it('runs once it was allowed', () => {
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
    const text = textOf(
      toolCall('c', { title: 'npm test', status: 'pending' }),
      permissionRequest('p', 'npm test', { options, subject: { toolCallId: 'c' } }),
      { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
    );
    assert.match(text, /Running/);
    assert.doesNotMatch(text, /Pending/);
  });
});
