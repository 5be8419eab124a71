/** Rare content of agents: every kind of content block, notices, compactions, tool calls with all fields, and every way in which a turn ends. */
import type { ContentBlock } from '../../src/core/model/content';
import type { EventInput } from '../../src/core/model/event';
import { PIXELS } from './galleryTexts';

/** base64 of a tone of a tenth of a second: 8000 Hz, 8 bits, one channel. */
export const TONE = btoa(
  `RIFF${number(836, 4)}WAVEfmt ${number(16, 4)}${number(1, 2)}${number(1, 2)}${number(8000, 4)}${number(8000, 4)}${number(1, 2)}${number(8, 2)}data${number(800, 4)}` +
    Array.from({ length: 800 }, (_, at) => String.fromCharCode(128 + Math.round(60 * Math.sin((at * 2 * Math.PI * 440) / 8000)))).join(''),
);

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>';

export function oddities(): EventInput[] {
  return [
    {
      type: 'notice',
      noticeId: 'n1',
      severity: 'info',
      title: 'A new version of the agent is available',
      description: 'Version 1.1.0 brings faster searches.',
    },
    { type: 'notice', noticeId: 'n2', severity: 'warning', title: '', failure: { code: 'terminal.too_many' } },
    { type: 'notice', noticeId: 'n3', severity: 'error', title: 'The index could not be written' },
    { type: 'notice', noticeId: 'n4', severity: '_demo/whim', title: 'A notice of a severity of its own' },
    {
      type: 'compaction_update',
      compactionId: 'c1',
      status: 'completed',
      summary: [{ type: 'text', text: 'greet() was made polite and tested.' }],
    },
    { type: 'compaction_update', compactionId: 'c2', status: 'failed', error: 'The summary was longer than what it sums up.' },
    { type: 'compaction_update', compactionId: 'c3', status: 'cancelled' },
    { type: 'compaction_update', compactionId: 'c4', status: 'in_progress', summary: [{ type: 'text', text: 'So far: nothing.' }] },
    { type: 'unknown', unknownId: 'x1', label: 'mood_update', raw: { mood: 'curious', confidence: 0.8 } },
    {
      type: 'message',
      role: 'agent',
      messageId: 'a3',
      content: [{ type: 'text', text: 'An image, a sound, resources, and something new:' }, ...contents()],
    },
    {
      type: 'tool_call_update',
      toolCallId: 'everything',
      patch: {
        title: 'A tool call with everything',
        name: 'mcp__demo__everything',
        kind: 'other',
        status: 'failed',
        content: [
          ...contents().map((content) => ({ type: 'content', content }) as const),
          { type: 'terminal', terminalId: 'never-made' },
          { type: 'unknown', raw: { type: 'sculpture' } },
        ],
        locations: [{ path: '/home/ada/sample/src/greet.ts', line: 2 }, { path: '/etc/hosts' }],
        rawInput: { deep: { deeper: [1, 'two', null] } },
        rawOutput: 'It did not work.',
      },
    },
    ...['refusal', 'max_tokens', 'max_turn_requests', 'unknown', '_demo/tired'].flatMap(ended),
  ];
}

/** Every kind of content block, valid and broken. */
function contents(): ContentBlock[] {
  return [
    { type: 'image', data: PIXELS, mimeType: 'image/png' },
    { type: 'image', data: `data:image/jpg;base64,${PIXELS}`, mimeType: 'image/jpg', uri: 'file:///home/ada/sample/picture.jpg' },
    { type: 'image', data: 'bm8gcGljdHVyZQ==', mimeType: 'image/webp' },
    { type: 'image', data: btoa(SVG), mimeType: 'image/svg+xml' },
    { type: 'image', data: '', mimeType: 'image/png', uri: 'https://example.com/elsewhere.png' },
    { type: 'audio', data: TONE, mimeType: 'audio/wav' },
    { type: 'audio', data: 'bm8gc291bmQ=', mimeType: 'audio/ogg' },
    {
      type: 'resource_link',
      uri: 'file:///home/ada/sample/notes.txt',
      name: 'notes.txt',
      title: 'Notes',
      description: 'What was said at the meeting',
    },
    { type: 'resource', uri: 'file:///home/ada/sample/README.md', mimeType: 'text/markdown', text: '# Sample\n' },
    { type: 'resource', uri: 'demo://archive', mimeType: 'application/zip', blob: 'UEsDBA==' },
    { type: 'resource', uri: 'demo://picture', mimeType: 'image/png', blob: PIXELS },
    { type: 'text', text: 'Twelve **facts** for the model alone.', annotations: { audience: ['assistant'] } },
    { type: 'unknown', raw: { type: 'hologram', data: '…' } },
  ];
}

/** A turn that ends with this stop reason. */
function ended(stopReason: string): EventInput[] {
  const turnId = `ended-${stopReason}`;
  return [
    { type: 'turn_started', turnId },
    { type: 'message', role: 'user', messageId: turnId, content: [{ type: 'text', text: `End with ${stopReason}.` }] },
    { type: 'turn_ended', turnId, stopReason },
  ];
}

/** Little-endian, as a string of bytes. */
function number(value: number, bytes: number): string {
  return Array.from({ length: bytes }, (_, at) => String.fromCharCode((value >> (8 * at)) & 255)).join('');
}
