/** Further hostile texts, many at a time, and hostile data other than texts: picture data, ids, sizes. */
import assert from 'node:assert/strict';
import type { ContentBlock } from '../../src/core/model/content';
import type { EventInput } from '../../src/core/model/event';
import { type Before, openWatched } from './support/harm';
import { DIALECTS, HTML_BLOCKS, MUTATIONS } from './support/hostileDialects';
import { ODD_CHARACTERS, TARGETS } from './support/hostileTargets';
import type { View } from './support/view';
import { message, permissionRequest, text } from '../support/events';

const base64 = (bytes: readonly number[] | string): string => Buffer.from(bytes as string, 'latin1').toString('base64');
const png = (width: number, height: number): string => {
  const size = [width, height].flatMap((side) => [side >>> 24, (side >> 16) & 255, (side >> 8) & 255, side & 255]);
  return Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, ...size, 8, 6, 0, 0, 0]).toString(
    'base64',
  );
};
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999" onload="window.hacked=1"><script>window.hacked=1</script><foreignObject><img src="https://evil.example/f.png"/></foreignObject><image href="https://evil.example/i.png"/></svg>`;
const DATA = [
  base64(SVG),
  SVG,
  'AB=',
  '=====',
  'A',
  '',
  ' ',
  '\u00a0AAAA',
  'AAAA\u000bAAAA',
  'AA\u2028AA',
  'not base64!',
  base64('<html><script>window.hacked=1</script>'),
  png(65_535, 65_535),
  png(2 ** 31 - 1, 1),
  png(0, 0),
  png(1, 65_535),
  base64('GIF89a\0\0\0\0'),
  base64('GIF89a\xff\xff\xff\xff'),
  base64(`BM${'\xff'.repeat(40)}`),
  base64(`RIFF\xff\xff\xff\xffWEBPVP8X${'\xff'.repeat(40)}`),
  base64(`\xff\xd8${'\xff'.repeat(3000)}`),
  'AAAA=AAAA',
  '%41%41%41%41',
  'data:text/html,<script>window.hacked=1</script>',
  `data:image/svg+xml;base64,${base64(SVG)}`,
  'A\n=\n=\n',
  'AAAA#x',
  `${' '.repeat(200_000)}!`,
];
const TYPES = [
  'image/png',
  'image/jpeg',
  'image/avif',
  'image/x-icon',
  'image/svg+xml',
  'image/*',
  'image/png, text/html',
  'IMAGE/PNG; charset=x',
  'image/png\n',
  'text/html',
  '',
  'image/png;base64,AAAA" onload="x',
  '__proto__',
  'image/\u202egnp',
];
const IDS = [
  '__proto__',
  'constructor',
  'toString',
  '"]',
  "']*{",
  '\\',
  '\n',
  'a/content.0',
  'agent:x/0',
  '\ud800',
  '',
  'x'.repeat(100_000),
  'NaN',
  '\u202eid\0',
  '<img src=x onerror=window.hacked=1>',
  '#top',
  '%00',
];

const says = (...content: ContentBlock[]) => message(content, 'a');
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

/** Entries of all kinds with one id, and a word of each. */
function under(id: string): EventInput[] {
  return [
    { type: 'turn_started', turnId: id },
    { type: 'message_chunk', role: 'user', messageId: id, content: text('userwords') },
    { type: 'message_chunk', role: 'agent', messageId: id, content: text('agent') },
    { type: 'message_chunk', role: 'agent', messageId: id, content: text('words') },
    { type: 'terminal_update', terminalId: id, ours: true, command: 'commandwords', output: 'outputwords', exitStatus: { exitCode: 0 } },
    {
      type: 'tool_call_update',
      toolCallId: id,
      patch: {
        title: 'toolwords',
        kind: 'execute',
        status: 'failed',
        content: [
          { type: 'terminal', terminalId: id },
          { type: 'diff', changes: [{ operation: 'modify', path: id, oldText: 'a', newText: 'b' }] },
          { type: 'content', content: text('said\x1b[31mwords') },
        ],
      },
    },
    permissionRequest(id, 'permissionwords', { options: [{ optionId: id, name: 'yes', kind: 'allow_once' }], subject: { toolCallId: id } }),
    {
      type: 'elicitation_requested',
      requestKey: id,
      message: 'formwords',
      body: {
        mode: 'form',
        fields: [
          { name: id, title: 'F', required: true, type: 'string' },
          { name: id, title: 'G', required: true, type: 'choice', choices: [{ value: id, title: 'c' }] },
        ],
      },
    },
    { type: 'notice', noticeId: id, severity: 'error', title: 'noticewords' },
    { type: 'plan_update', planId: id, plan: { type: 'items', entries: [{ content: 'planwords', priority: id, status: id }] } },
    {
      type: 'config_options',
      options: [{ type: 'select', configId: id, name: 'O', currentValue: id, groups: [{ name: id, choices: [{ value: id, name: 'v' }] }] }],
    },
    { type: 'config_value', configId: id, value: id },
    { type: 'unknown', unknownId: id, label: 'unknownwords', raw: { a: 1 } },
    { type: 'turn_ended', turnId: id, stopReason: id },
    { type: 'permission_resolved', permissionId: id, outcome: 'selected', optionId: id },
  ];
}

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'HTML that is read twice': MUTATIONS,
  'blocks of HTML': HTML_BLOCKS,
  'dialects of markdown': DIALECTS,
  'targets of links': [
    TARGETS.map((target) => `[click](${target})`).join('\n\n'),
    TARGETS.map((target) => `[click](<${target}>) <${target}>`).join('\n\n'),
    TARGETS.join('\n\n'),
  ],
  'odd characters': ODD_CHARACTERS,
};

describe('hostile and odd', function () {
  this.timeout(120_000);
  let view: View;

  before(async () => {
    view = await openWatched(900);
  });
  beforeEach(async () => {
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.ready();
    // Without a user message the page also shows its start screen.
    await view.happen({ type: 'message', role: 'user', messageId: 'asked', content: [text('Go on.')] });
    await view.happen({ type: 'message', role: 'agent', messageId: 'sentinel', content: [text('A sentence that must stay as it is.')] });
    await view.painted();
    await view.page.evaluate(() => Object.assign(window, { before: (window as unknown as { look(): Before }).look() }));
  });
  after(() => view.close());

  /** Asserts that these events do no harm; returns the text of the page, and waits `most` ms for it. */
  async function harmless(events: readonly EventInput[], most = 20_000): Promise<string> {
    const found = await view.page.evaluate(async (all) => {
      const { look, harmDone, before } = window as unknown as { look(): Before; harmDone(before: Before): string[]; before: Before };
      const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
      const { stage } = window.playground;
      stage.posted.length = 0;
      const started = performance.now();
      stage.happen(...all);
      await painted();
      const took = performance.now() - started;
      document
        .querySelectorAll<HTMLElement>('.log [aria-expanded=false], .plans [aria-expanded=false]')
        .forEach((button) => button.click());
      await painted();
      const words = [...document.querySelectorAll('.plans, .log, .log [title]')]
        .map((each) => `${each.textContent} ${each.getAttribute('title')}`)
        .join(' ');
      document.querySelectorAll<HTMLElement>('.log .link, .log .chip').forEach((link) => link.click());
      const opened = stage.posted.flatMap((message) => (message.type === 'open_link' ? [message.href] : []));
      return {
        harm: harmDone({ ...before, page: look().page }),
        took,
        words,
        opened,
        room: document.querySelector('.scroller')!.clientHeight,
      };
    }, events);
    assert.deepEqual(found.harm, []);
    assert.deepEqual(view.offences.splice(0), []);
    assert.deepEqual(
      found.opened.filter(
        (href) =>
          /^\s*(?:[a-z][a-z0-9+.-]*:(?!\d|\/\/(?!\/))|[\\/]{2}|#)|[\u0000-\u001f]/i.test(href) &&
          !/^(?:https?:\/\/|mailto:|file:\/\/|[a-z]:[\\/])/i.test(href.trim()),
      ),
      [],
    );
    assert.ok(found.took < most, `took ${found.took} ms`);
    assert.ok(found.room > 100, `the conversation is ${found.room} px high`);
    return found.words;
  }

  for (const [name, texts] of Object.entries(TEXTS)) {
    it(`does nothing, and is shown: ${name}`, async () => {
      const shown = await harmless([
        says(...texts.map(text)),
        { type: 'plan_update', planId: 'p', plan: { type: 'markdown', content: texts.join('\n\n') } },
      ]);
      for (const each of texts) {
        for (const [word] of each.matchAll(/[A-Za-z]*words\b/g)) {
          assert.ok(shown.includes(word), `${word} of ${each}`);
        }
      }
    });
  }

  it('does nothing: invalid picture and sound data in messages', async () => {
    await harmless([
      says(
        ...TYPES.flatMap((mimeType) =>
          DATA.slice(0, -1).flatMap((data): ContentBlock[] => [
            { type: 'image', data, mimeType },
            { type: 'resource', uri: 'data:image/svg+xml,x', mimeType, blob: data },
          ]),
        ),
      ),
    ]);
    // Each is requested separately.
    await harmless(
      [says({ type: 'image', data: DATA.at(-1)!, mimeType: 'image/png' }, { type: 'audio', data: DATA.at(-1)!, mimeType: 'audio/wav' })],
      5000,
    );
  });

  it('does nothing: the same in markdown', async () => {
    const pictures = DATA.slice(0, -1).map(
      (data) => `![](<data:image/png;base64,${data.replace(/[<>\n]/g, '')}>) ![alt](data:image/gif;base64,${data.replace(/[\s()]/g, '')})`,
    );
    await harmless([
      says(
        text(
          `${pictures.join('\n\n')}\n\n![](data:image/svg+xml,<svg/onload=window.hacked=1>) ![](data:,x) ![](DATA:IMAGE/PNG;BASE64,AAAA)`,
        ),
      ),
    ]);
    assert.deepEqual(
      await view.page.locator('.md img').evaluateAll((all) => all.filter((image) => (image as HTMLImageElement).alt === '').length),
      0,
    );
  });

  it('does nothing: ids that have another meaning too', async () => {
    for (const id of IDS) {
      await view.page.evaluate(() => window.playground.stage.restart());
      await view.ready();
      await view.happen({ type: 'message', role: 'agent', messageId: 'sentinel', content: [text('A sentence that must stay as it is.')] });
      const shown = await harmless(under(id));
      for (const word of [
        'userwords',
        'agentwords',
        'commandwords',
        'outputwords',
        'toolwords',
        'saidwords',
        'permissionwords',
        'formwords',
        'noticewords',
        'planwords',
        'unknownwords',
      ]) {
        assert.ok(shown.includes(word), `${word} of ${JSON.stringify(id.slice(0, 50))}`);
      }
    }
  });

  const SIZES: Readonly<Record<string, EventInput>> = {
    'choices of an option': {
      type: 'config_options',
      options: [
        {
          type: 'select',
          configId: 'c',
          name: 'O',
          currentValue: 'v19999',
          groups: [{ choices: many(20_000, (index) => ({ value: `v${index}`, name: `choice ${index}` })) }],
        },
      ],
    },
    options: {
      type: 'config_options',
      options: many(300, (index) => ({ type: 'boolean', configId: `c${index}`, name: `option ${index}`, currentValue: true })),
    },
    'choices of a form': {
      type: 'elicitation_requested',
      requestKey: 'f',
      message: 'M',
      body: {
        mode: 'form',
        fields: [
          {
            name: 'a',
            required: false,
            type: 'choice',
            choices: many(20_000, (index) => ({ value: `v${index}`, title: `t${index}` })),
            defaultValue: 'v19999',
          },
        ],
      },
    },
    answers: {
      type: 'permission_requested',
      permissionId: 'p',
      title: 'T',
      options: many(20_000, (index) => ({ optionId: `o${index}`, name: `n ${index}`, kind: 'allow_once' })),
      subject: {},
    },
    'a title': {
      type: 'tool_call_update',
      toolCallId: 'c',
      patch: { title: 'title words '.repeat(80_000), kind: 'x'.repeat(100_000), status: 'y'.repeat(100_000) },
    },
    slashes: says({ type: 'resource', uri: `${'/'.repeat(100_000)}x`, text: 'x' }),
  };
  for (const [name, event] of Object.entries(SIZES)) {
    it(`neither stops the page nor takes the conversation's room: ${name}`, async () => {
      await harmless([event], 6000);
      const list = view.page.getByRole('combobox', { name: 'O', exact: true });
      if ((await list.count()) > 0) {
        await list.click({ timeout: 6000 });
        await view.page.getByRole('option').first().waitFor({ timeout: 6000 });
      }
      assert.ok((await view.page.locator('option, .option-row, .options > button').count()) < 3000);
    });
  }
});
