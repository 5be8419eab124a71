import assert from 'node:assert/strict';
import { type FileFacts, linesOf, mentionContent, type MentionSources } from '../../../src/context/mentionContent';
import type { Mention } from '../../../src/core/mentions/mention';
import type { ContentBlock, PromptCapabilities } from '../../../src/core/model/content';
import { fitPrompt } from '../../../src/core/model/promptContent';
import { assertValid, unnamedFields } from '../../support/schema';
import { connected } from '../acp/support';
import { PICTURES, png } from '../../support/pictures';

const TEXT = 'one\ntwo\nthree\nfour\n';
const HUGE = 10 * 1024 * 1024;

/** A folder with a file of every kind. */
function sources(): MentionSources {
  const file = (uri: string): FileFacts => ({
    isFolder: uri.endsWith('/src'),
    size: uri.includes('huge') ? HUGE : 20,
    head: () => Promise.resolve(uri.endsWith('/a.png') ? PICTURES['a.png']!.data : Buffer.from(TEXT)),
    isUnsaved: uri.includes('unsaved'),
    text: () => Promise.resolve(uri.includes('binary') ? undefined : uri.includes('huge') ? 'x'.repeat(HUGE) : TEXT),
    data: () => Promise.resolve('AAAA'),
  });
  return {
    file: (uri) => (uri.includes('gone') ? Promise.reject(new Error('gone')) : Promise.resolve(file(uri))),
    cell: () => Promise.resolve({ text: TEXT, number: 4 }),
    folder: () => Promise.resolve({ files: ['a.ts', 'b/c.ts'], isCut: true }),
    problems: () => Promise.resolve('{"files": []}'),
    changes: () => Promise.resolve('diff --git a/a b/a\n'),
    commit: () => Promise.resolve('commit 1234\n'),
    session: () => Promise.resolve({ title: 'A session: with/signs', text: '# Hello' }),
  };
}

const refs: Record<string, Mention['ref']> = {
  file: { kind: 'file', uri: 'file:///w/a.ts' },
  'unsaved file': { kind: 'file', uri: 'file:///w/unsaved.ts' },
  'lines of a file': { kind: 'file', uri: 'file:///w/a.ts', line: 2, endLine: 3 },
  'one line of an unsaved file': { kind: 'file', uri: 'file:///w/unsaved.ts', line: 2, endLine: 2 },
  'huge file': { kind: 'file', uri: 'file:///w/huge.ts' },
  'binary file': { kind: 'file', uri: 'file:///w/binary.bin' },
  picture: { kind: 'file', uri: 'file:///w/a.png' },
  sound: { kind: 'file', uri: 'file:///w/a.mp3' },
  folder: { kind: 'folder', uri: 'file:///w/src' },
  'folder named as a file': { kind: 'file', uri: 'file:///w/src' },
  symbol: { kind: 'symbol', uri: 'file:///w/a.ts', line: 1, endLine: 2, symbol: 'f' },
  problems: { kind: 'problems', uri: 'file:///w/a.ts' },
  'all problems': { kind: 'problems' },
  changes: { kind: 'changes', uri: 'file:///w' },
  commit: { kind: 'commit', uri: 'file:///w', hash: '1234567890' },
  session: { kind: 'session', sessionKey: 'k' },
  url: { kind: 'url', uri: 'https://example.com/a?b#c' },
  'pasted text': { kind: 'content', block: { type: 'resource', uri: 'attachment:/pasted-text.txt', mimeType: 'text/plain', text: '```x' } },
};

/** The content that is sent, with embedded context and without. Pictures and sounds depend on what the agent accepts. */
const GOES: Readonly<Record<string, readonly [embedded: string, plain: string]>> = {
  file: ['resource', 'resource_link'],
  'unsaved file': ['resource', 'text'],
  'lines of a file': ['resource', 'resource_link'],
  'one line of an unsaved file': ['resource', 'text'],
  'huge file': ['resource_link', 'resource_link'],
  'binary file': ['resource_link', 'resource_link'],
  folder: ['resource', 'resource_link'],
  'folder named as a file': ['resource', 'resource_link'],
  symbol: ['resource', 'resource_link'],
  problems: ['resource', 'text'],
  'all problems': ['resource', 'text'],
  changes: ['resource', 'text'],
  commit: ['resource', 'text'],
  session: ['resource', 'text'],
  url: ['resource_link', 'resource_link'],
  'pasted text': ['resource', 'text'],
};

const FLAGS = [false, true];
const ALL: readonly PromptCapabilities[] = FLAGS.flatMap((image) =>
  FLAGS.flatMap((audio) => FLAGS.map((embeddedContext) => ({ image, audio, embeddedContext }))),
);

function named({ image, audio, embeddedContext }: PromptCapabilities): string {
  return [image && 'image', audio && 'audio', embeddedContext && 'embeddedContext'].filter(Boolean).join(' + ') || 'nothing';
}

/** The frame that an agent with these capabilities receives, checked against the official schema. */
function sent(content: readonly ContentBlock[], capabilities: PromptCapabilities): readonly Record<string, unknown>[] {
  const { content: fitted, refused } = fitPrompt(content, capabilities);
  assert.deepEqual(refused, []);
  const edge = connected({ agentCapabilities: { promptCapabilities: capabilities } });
  edge.dialect.prompt('session', fitted, () => undefined);
  const { method, params } = edge.transport.last as { method: string; params: { prompt: Record<string, unknown>[] } };
  assert.equal(method, 'session/prompt');
  assertValid('PromptRequest', params, 'session/prompt');
  assert.deepEqual(unnamedFields('PromptRequest', params), []);
  for (const { type } of params.prompt) {
    assert.ok(type !== 'image' || capabilities.image, 'a picture for an agent that takes none');
    assert.ok(type !== 'audio' || capabilities.audio, 'a sound for an agent that takes none');
    assert.ok(type !== 'resource' || capabilities.embeddedContext, 'a resource for an agent that takes none');
  }
  return params.prompt;
}

describe('the content of a mention', () => {
  for (const [kind, ref] of Object.entries(refs)) {
    for (const capabilities of ALL) {
      it(`${kind}, when the agent accepts ${named(capabilities)}`, async () => {
        const block = await mentionContent({ ref, name: 'name' }, capabilities, sources());
        const [frame, behind] = sent([block, { type: 'text', text: ' please' }], capabilities);
        assert.deepEqual(behind, { type: 'text', text: ' please' });
        const goes =
          kind === 'picture'
            ? capabilities.image
              ? 'image'
              : 'resource_link'
            : kind === 'sound'
              ? capabilities.audio
                ? 'audio'
                : 'resource_link'
              : GOES[kind]![capabilities.embeddedContext ? 0 : 1];
        assert.equal(frame?.type, goes);
      });
    }
  }

  const ALL_TAKEN: PromptCapabilities = { image: true, audio: true, embeddedContext: true };
  const NOTHING: PromptCapabilities = { image: false, audio: false, embeddedContext: false };
  const goes = (kind: string, capabilities = ALL_TAKEN) => mentionContent({ ref: refs[kind]!, name: 'a.ts:2-3' }, capabilities, sources());

  it('keeps the lines in the address and in the text', async () => {
    assert.deepEqual(await goes('lines of a file'), { type: 'resource', uri: 'file:///w/a.ts#L2-3', text: 'two\nthree' });
    assert.deepEqual(await goes('lines of a file', NOTHING), { type: 'resource_link', uri: 'file:///w/a.ts#L2-3', name: 'a.ts:2-3' });
    assert.deepEqual(await goes('one line of an unsaved file'), { type: 'resource', uri: 'file:///w/unsaved.ts#L2', text: 'two' });
    assert.deepEqual(await goes('symbol'), { type: 'resource', uri: 'file:///w/a.ts#L1-2', text: 'one\ntwo' });
  });

  it('is text for an unsaved file, because the agent could only read the disk', async () => {
    const [block] = sent([await goes('unsaved file', NOTHING)], NOTHING);
    assert.match(String(block?.text), /unsaved\.ts:\n```\none\ntwo/);
  });

  it('mentions that a folder has more entries', async () => {
    assert.deepEqual(await goes('folder'), { type: 'resource', uri: 'file:///w/src/', mimeType: 'text/plain', text: 'a.ts\nb/c.ts\n…' });
  });

  it('rejects for a missing file', async () => {
    await assert.rejects(mentionContent({ ref: { kind: 'file', uri: 'file:///w/gone.ts' }, name: 'x' }, ALL_TAKEN, sources()));
  });

  it('supports all line ends', () => {
    assert.equal(linesOf('a\r\nb\rc\nd', 2, 3), 'b\nc');
    assert.equal(linesOf('a', 5, 9), '');
    assert.equal(linesOf('a\nb', 2, 99), 'b');
  });
});

describe('a mentioned cell of a notebook', () => {
  const uri = 'file:///w/n.ipynb';
  const goes = (capabilities: PromptCapabilities, lines: { line?: number; endLine?: number }): Promise<ContentBlock> =>
    mentionContent({ ref: { kind: 'file', uri, cell: { number: 3 }, ...lines }, name: 'n' }, capabilities, sources());

  it('is sent as text at the address of the notebook’s file, with the cell’s present position', async () => {
    for (const embeddedContext of [true, false]) {
      const capabilities = { image: false, audio: false, embeddedContext };
      assert.deepEqual(await goes(capabilities, { line: 2, endLine: 3 }), {
        type: 'resource',
        uri: `${uri}#cell=4:L2-3`,
        text: 'two\nthree',
      });
      assert.deepEqual(await goes(capabilities, { line: 2, endLine: 2 }), { type: 'resource', uri: `${uri}#cell=4:L2`, text: 'two' });
      assert.deepEqual(await goes(capabilities, {}), { type: 'resource', uri: `${uri}#cell=4`, text: TEXT });
    }
  });
});

describe('a mentioned picture on disk', () => {
  const ALL_TAKEN: PromptCapabilities = { image: true, audio: true, embeddedContext: true };
  const goes = (name: string, data: Uint8Array, capabilities = ALL_TAKEN, size = data.length, text?: string): Promise<ContentBlock> => {
    const facts: FileFacts = {
      isFolder: false,
      size,
      head: () => Promise.resolve(data),
      isUnsaved: false,
      text: () => Promise.resolve(text),
      data: () => Promise.resolve('AAAA'),
    };
    const uri = `file:///w/${name}`;
    return mentionContent({ ref: { kind: 'file', uri }, name }, capabilities, { ...sources(), file: () => Promise.resolve(facts) });
  };

  for (const [name, { data, mimeType, isSendable }] of Object.entries(PICTURES)) {
    it(`is sent ${isSendable ? 'whole' : 'as a link'} with the type of its bytes, whatever its name: ${name}`, async () => {
      for (const called of [name, 'shot.jpg', 'shot.png', 'shot.bmp', 'notes.txt', 'no-extension']) {
        const uri = `file:///w/${called}`;
        const whole: ContentBlock = { type: 'image', data: 'AAAA', mimeType, uri };
        const link: ContentBlock = { type: 'resource_link', uri, name: called, mimeType, size: data.length };
        assert.deepEqual(await goes(called, data), isSendable ? whole : link);
        assert.deepEqual(await goes(called, data, { ...ALL_TAKEN, image: false }), link);
      }
    });
  }

  it('is sent as a link when models refuse its pixels or its bytes', async () => {
    assert.equal((await goes('large.png', png(9000, 1))).type, 'resource_link');
    assert.equal((await goes('large.png', png(8000, 1))).type, 'image');
    assert.equal((await goes('heavy.png', png(2, 2), ALL_TAKEN, 4_000_000)).type, 'resource_link');
  });

  it('is sent as another file when its bytes are no picture, whatever its name', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    assert.deepEqual(await goes('logo.svg', Buffer.from(svg), ALL_TAKEN, 40, svg), {
      type: 'resource',
      uri: 'file:///w/logo.svg',
      text: svg,
    });
    assert.deepEqual(await goes('fake.png', Buffer.from('text'), ALL_TAKEN, 4, 'text'), {
      type: 'resource',
      uri: 'file:///w/fake.png',
      text: 'text',
    });
    const cut = Buffer.from('II*\0', 'latin1');
    assert.deepEqual(await goes('cut.tiff', cut), { type: 'resource_link', uri: 'file:///w/cut.tiff', name: 'cut.tiff', size: 4 });
  });
});

describe('other attachments', () => {
  const BLOCKS: Record<string, ContentBlock> = {
    text: { type: 'text', text: 'x' },
    image: { type: 'image', data: 'AAAA', mimeType: 'image/png', uri: 'file:///w/a.png' },
    audio: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    link: { type: 'resource_link', uri: 'file:///w/a', name: 'a', title: 'A', description: 'd', mimeType: 'text/plain', size: 3 },
    resource: { type: 'resource', uri: 'file:///w/a', text: 'x' },
    blob: { type: 'resource', uri: 'file:///w/a', blob: 'AAAA', mimeType: 'application/pdf' },
  };
  for (const [kind, block] of Object.entries(BLOCKS)) {
    for (const capabilities of ALL) {
      const isTaken =
        kind === 'image'
          ? capabilities.image
          : kind === 'audio'
            ? capabilities.audio
            : kind === 'blob'
              ? capabilities.embeddedContext
              : true;
      it(`${kind} ${isTaken ? 'goes to' : 'is refused for'} an agent that accepts ${named(capabilities)}`, () => {
        if (isTaken) {
          sent([block], capabilities);
        } else {
          assert.deepEqual(fitPrompt([block], capabilities).refused, [block]);
        }
      });
    }
  }
});
