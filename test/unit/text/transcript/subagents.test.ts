import assert from 'node:assert/strict';
import type { EventInput } from '../../../../src/core/model/event';
import { asSubagentEvents } from '../../../../src/core/subagents/innerEvents';
import { transcriptSections } from '../../../../src/text/transcript/sections';
import { toMarkdown } from '../../../../src/text/transcript/transcript';
import { transcriptStrings } from '../../../../src/application/export/transcriptStrings';
import { english } from '../../application/english';
import { message, stateOf, toolCall } from '../../../support/events';

const update = (subagentId: string, title: string, parentId?: string): EventInput => ({
  type: 'subagent_update',
  subagentId,
  patch: { title, description: 'Find it', work: { state: 'idle', stopReason: 'end_turn' } },
  ...(parentId !== undefined && { parentId }),
});
const state = stateOf([
  message('Go', 'u', 'user'),
  update('x', 'Explore\n# Not a heading'),
  ...asSubagentEvents('x', [
    message('Looking.', 'm'),
    toolCall('t', { title: 'Run', status: 'completed', content: [{ type: 'terminal', terminalId: 'T' }] }),
  ]),
  { type: 'terminal_update', terminalId: 'T', command: 'ls', output: 'a.ts\n', exitStatus: { exitCode: 0 } },
  update('y', 'Reader', 'x'),
  ...asSubagentEvents('y', [message('```js\nlet a;', 'm')]),
  { type: 'session_message', messageId: 'r', senderId: 'x', content: [{ type: 'text', text: 'Found.' }] },
  message('Done.', 'a'),
]);

describe('the documents of a conversation with subagents', () => {
  it('quote the conversation of each, nested, with the output of its commands', () => {
    const text = [...transcriptSections(state, transcriptStrings('Ada', english))].map((part) => part.text).join('\n\n');
    assert.match(text, /^### Sub-agent Explore .* – Done$/m);
    assert.match(text, /^> Find it$/m);
    assert.match(text, /^> Looking\.$/m);
    assert.match(text, /^> .*a\.ts$/m);
    assert.match(text, /^> ### Sub-agent Reader – Done$/m);
    assert.match(text, /^> > let a;$/m);
    assert.match(text, /^### Message from Explore/m);
    assert.match(text, /^Done\.$/m);
    assert.ok(!/^# Not a heading/m.test(text));
  });

  it('name them for another agent', () => {
    assert.match(toMarkdown(state), /^- Subagent: Explore .*\(completed\)$/m);
    assert.match(toMarkdown(state), /Found\./);
  });
});
