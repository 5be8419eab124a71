/** Messages generated from the schema pass the edge and the reducer, and their texts must appear on the page. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import type { Root } from '../unit/compliance/carriers';
import type { ElicitationParams } from '../../src/acp/dialect';
import { casesOf, rootsOf } from '../unit/compliance/carriers';
import { deliver } from '../unit/compliance/edge';
import { sampleOf } from '../unit/compliance/samples';
import { membersOf, SCHEMA, variantName } from '../unit/compliance/schemaTree';
import { View } from './support/view';

const UPDATE: Root = rootsOf(SCHEMA).find(({ method }) => method === 'session/update')!;

/** Fields without readable text: ids, constants that have labels of their own, data for programs, and drawn values. */
const UNSEEN = new Set(
  [
    'sessionUpdate',
    'type',
    'sessionId',
    'messageId',
    'toolCallId',
    'compactionId',
    'id',
    'group',
    'value',
    'currentValue',
    'category',
    'terminalId',
  ].concat(
    ['kind', 'status', 'priority', 'severity', 'currency', 'updatedAt', '_meta', 'annotations', 'mimeType', 'data', 'blob'],
    // Form rules, which are named when they are broken, and values that have titles.
    ['mode', 'elicitationId', 'required', 'pattern', 'format', 'const'],
  ),
);

/** The texts in a message that a person must be able to read. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) => (UNSEEN.has(key) ? [] : wordsIn(inner)));
}

async function happeningsOf(message: unknown): Promise<EventInput[]> {
  const { told } = await deliver(UPDATE, message);
  return (told as { args: EventInput[] }[]).flatMap(({ args }) => args);
}

/** Every member of these unions in each kind of update that can contain it, with all optional fields. */
function samples(): { readonly name: string; readonly message: unknown }[] {
  const kinds = membersOf(SCHEMA.$defs.SessionUpdate!).map(variantName);
  return kinds
    .flatMap((kind, SessionUpdate) =>
      membersOf(SCHEMA.$defs.ContentBlock!).flatMap((block, ContentBlock) =>
        membersOf(SCHEMA.$defs.ToolCallContent!).map((content, ToolCallContent) => ({
          name: `${kind} ${variantName(block, ContentBlock)} ${variantName(content, ToolCallContent)}`,
          message: sampleOf(SCHEMA, UPDATE.definition, { members: { SessionUpdate, ContentBlock, ToolCallContent }, fields: [] }, true),
        })),
      ),
    )
    .filter(({ message }, index, all) => all.findIndex((other) => JSON.stringify(other.message) === JSON.stringify(message)) === index);
}

/** Everything on the page that a person can read or hear, with every disclosure opened, raw data and option choices included. */
async function readable(view: View): Promise<string> {
  for (let closed = -1; closed !== 0; ) {
    const folds = view.page.locator('.app [aria-expanded="false"]:not([role="combobox"], [aria-haspopup])');
    closed = await folds.count();
    if (closed > 0) {
      await folds.first().click();
    }
  }
  const rawData = view.page.getByRole('menuitem', { name: 'Show Raw Data' });
  for (const menu of await view.page.locator('.tool-head').getByRole('button', { name: 'More Actions…' }).all()) {
    await menu.click();
    if (await rawData.count()) {
      await rawData.click();
    } else {
      await menu.press('Escape');
    }
  }
  const choices: string[] = [];
  for (const option of await view.page.locator('.dock button[aria-haspopup="listbox"]').all()) {
    await option.click();
    choices.push(await view.page.locator('.app').innerText());
    await option.press('Escape');
  }
  const shown = await view.page.evaluate(() => {
    const texts = [document.querySelector<HTMLElement>('.app')!.innerText];
    for (const element of document.querySelectorAll('.app *')) {
      for (const name of ['aria-label', 'title', 'alt', 'placeholder', 'href']) {
        texts.push(element.getAttribute(name) ?? '');
      }
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
        texts.push(element.value);
      }
      if (element instanceof HTMLOptionElement) {
        texts.push(element.text);
      }
    }
    return texts.join('\n');
  });
  return [...choices, shown].join('\n');
}

describe('view: everything that the schema lets an agent say', function () {
  this.timeout(60_000);
  let view: View;

  before(async () => {
    view = await View.open();
  });

  after(() => view.close());

  afterEach(() => assert.deepEqual(view.offences, []));

  /** Starts a new session with these events. */
  async function happened(...events: EventInput[]): Promise<void> {
    await view.page.evaluate(() => window.playground.stage.restart());
    await view.ready();
    await view.happen({ type: 'turn_started', turnId: 't' }, ...events);
    await view.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))); // Wait for the next frame.
  }

  /** The texts that do not appear on the page. Parts of the page are loaded when they are first needed, so this retries. */
  async function unread(words: readonly string[]): Promise<readonly string[]> {
    for (let tries = 0; ; tries++) {
      const page = await readable(view);
      const missing = words.filter((word) => !page.includes(word));
      if (missing.length === 0 || tries === 40) {
        return missing;
      }
      await view.page.waitForTimeout(50);
    }
  }

  it('shows every text of every update', async () => {
    const missing: string[] = [];
    for (const { name, message } of samples()) {
      await happened(...(await happeningsOf(message)));
      // A slash in the message box opens the command suggestions.
      await view.page.getByLabel('Message', { exact: true }).fill(name.startsWith('available_commands') ? '/' : '');
      missing.push(...(await unread(wordsIn(message))).map((word) => `${name}: ${word}`));
    }
    assert.deepEqual(missing, []);
  });

  it('shows every text of every form and web page, and of refused ones as they came', async () => {
    const missing: string[] = [];
    for (const { root, definition, name, choices } of casesOf(SCHEMA).filter(({ root: { method } }) => method === 'elicitation/create')) {
      const message = sampleOf(SCHEMA, root.definition, choices);
      const { told } = await deliver(root, message);
      const [call] = told as { name: string; args: { ask: ElicitationParams } }[];
      const { ask } = call!.args;
      await happened(
        ask
          ? { type: 'elicitation_requested', requestKey: 'asked', message: ask.message, body: ask.body }
          : { type: 'unknown', unknownId: 'asked', label: root.method, raw: message },
      );
      // An initial value must be one of the choices; the sample's is not.
      const words = (ask ? wordsIn(message) : [(message as { message: string }).message]).filter(
        (word) => definition !== 'MultiSelectPropertySchema' || !word.startsWith('default-'),
      );
      missing.push(...(await unread(words)).map((word) => `${definition} ${name}: ${word} of ${JSON.stringify(message)}`));
    }
    assert.deepEqual(missing, []);
  });

  it('marks high priority in a plan', async () => {
    const entries = ['high', 'medium', 'low'].map((priority) => ({ content: `a ${priority} one`, priority, status: 'pending' }));
    await happened(...(await happeningsOf({ sessionId: 's', update: { sessionUpdate: 'plan', entries } })));
    await readable(view);
    const marked = view.page.getByRole('listitem').filter({ hasText: 'High priority' });
    assert.equal(await marked.count(), 1);
    assert.match(await marked.innerText(), /a high one/);
  });

  it('marks warnings and errors among notices', async () => {
    const severities = ['info', 'warning', 'error', 'whim'];
    const all = await Promise.all(
      severities.map((severity) =>
        happeningsOf({ sessionId: 's', update: { sessionUpdate: 'notice', severity, title: `of ${severity}` } }),
      ),
    );
    await happened(...all.flat().map((event, index) => ({ ...event, noticeId: `n${index}` }) as EventInput));
    const classes = await Promise.all(
      severities.map((severity) =>
        view.page
          .getByRole('note')
          .filter({ hasText: `of ${severity}` })
          .getAttribute('class'),
      ),
    );
    assert.deepEqual(
      classes.map((each) => /notice-(\w+)/.exec(each ?? '')?.[1]),
      [undefined, 'warning', 'error', undefined],
    );
  });

  it('shows the status of a compaction', async () => {
    const statuses = [...membersOf(SCHEMA.$defs.CompactionStatus!).map(variantName), 'paused'];
    const said: string[] = [];
    for (const status of statuses) {
      await happened(
        ...(await happeningsOf({ sessionId: 's', update: { sessionUpdate: 'compaction_update', compactionId: 'c', status } })),
      );
      said.push((await view.page.locator('.entry.compaction').getAttribute('aria-label')) ?? '');
    }
    assert.equal(new Set(said).size, statuses.length, said.join(' | '));
    assert.match(said.at(-1)!, /paused/);
  });
});
