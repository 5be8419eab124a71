/** The text of a tool call's row and body: the verb, the path once, the changed lines, and no line for a success. */
import assert from 'node:assert/strict';
import type { EventInput } from '../../src/core/model/event';
import { message, output, permissionRequest, toolCall, toolDiff } from '../support/events';
import { type View, eachInItsOwnView } from './support/view';

describe('a tool row', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  const CWD = '/home/ada/sample';
  const card = (name: RegExp | string) => view.page.getByRole('article', { name });

  it('has a verb before a path, and a name that begins with the title', async () => {
    await view.happen(
      toolCall('r', { title: `${CWD}/src/cart.ts`, kind: 'read', status: 'completed', locations: [{ path: `${CWD}/src/cart.ts` }] }),
      toolCall('e', { title: 'hello.txt', kind: 'edit', status: 'completed', content: [toolDiff(`${CWD}/hello.txt`, null, 'a\nb\n')] }),
      toolCall('x', { title: 'npm test', kind: 'execute', status: 'completed' }),
    );
    const row = async (name: string) => (await card(name).locator('.tool-title').innerText()).trim();
    assert.equal(await row('src/cart.ts, Read, Done'), 'Read src/cart.ts');
    assert.equal(await row('hello.txt, Edit, Done'), 'Edit hello.txt');
    assert.equal(await row('npm test, Done'), 'npm test');
    await card(/^hello/)
      .locator('.tool-header .counts')
      .waitFor();
    assert.match(
      (
        await card(/^hello/)
          .locator('.tool-header')
          .innerText()
      ).replace(/\s+/g, ' '),
      /\+2 −0/,
    );
  });

  it('keeps the words of its marks for screen readers and tooltips where they have no room', async () => {
    await view.happen(
      toolCall('x', { title: 'npm test', kind: 'execute', status: 'pending' }),
      permissionRequest('p', 'Run', { subject: { toolCallId: 'x' }, options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }),
      { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
      toolCall('x', { title: 'npm test', kind: 'execute', status: 'completed' }),
    );
    await view.page.setViewportSize({ width: 290, height: 600 });
    const word = card(/^npm test/).locator('.decision-word');
    await word.waitFor({ state: 'attached' });
    assert.equal(await word.evaluate(({ clientWidth }) => clientWidth), 1);
    await card(/^npm test/)
      .getByRole('button', { name: /Allowed.*Done/ })
      .waitFor();
    assert.deepEqual(
      await card(/^npm test/)
        .locator('.decision, .status')
        .evaluateAll((all) => all.map((each) => (each as HTMLElement).title)),
      ['Allowed by you: Yes', 'Done'],
    );
  });

  it('shows the turn’s line counts when the agent sent no diff', async () => {
    await view.happen(
      { type: 'turn_started', turnId: 't' },
      message('go', 't', 'user'),
      toolCall('e', { title: 'hello.txt', kind: 'edit', status: 'completed', locations: [{ path: `${CWD}/hello.txt` }] }),
      { type: 'turn_ended', turnId: 't', stopReason: 'end_turn' },
    );
    assert.equal(
      await card(/^hello/)
        .locator('.counts')
        .count(),
      0,
    );
    const changes = { files: [{ path: `${CWD}/hello.txt`, operation: 'modify', added: 2, removed: 0 }] };
    await view.happen({ type: 'turn_changes', turnId: 't', changes } as EventInput);
    await card(/^hello/)
      .locator('.counts')
      .waitFor();
    assert.match(
      await card(/^hello/)
        .locator('.counts')
        .innerText(),
      /\+2\s*−0/,
    );
  });

  it('omits the session’s folder from a command, and shows another folder once, from there on', async () => {
    const asked = (id: string, cwd: string): EventInput[] => [
      toolCall(id, {
        title: `Run ${id}`,
        kind: 'execute',
        status: 'pending',
        locations: [{ path: cwd }],
        rawInput: { command: `do ${id}`, cwd },
      }),
      permissionRequest(`p${id}`, `Run ${id}`, { subject: { toolCallId: id, command: `do ${id}`, cwd } }),
    ];
    await view.happen(...asked('one', CWD), ...asked('two', `${CWD}/packages/web`));
    await card(/^Run one/)
      .getByText('do one')
      .first()
      .waitFor();
    assert.ok(!(await card(/^Run one/).innerText()).includes('sample'));
    assert.equal(
      await card(/^Run one/)
        .locator('.chip')
        .count(),
      0,
    );
    const two = await card(/^Run two/).innerText();
    assert.equal(two.split('packages/web').length, 2, two);
    assert.ok(!two.includes(CWD));
  });

  it('has a folder’s icon for a folder', async () => {
    await view.happen(
      toolCall('l', { title: 'List', kind: 'other', status: 'completed', locations: [{ path: `${CWD}/src/` }, { path: `${CWD}/a.ts` }] }),
    );
    await card(/^List/).getByRole('button').first().click();
    const icons = await card(/^List/)
      .locator('.chip > svg')
      .evaluateAll((all) => all.map((icon) => icon.getAttribute('class')));
    assert.equal(icons.length, 2);
    assert.notEqual(icons[0], icons[1]);
  });

  it('hides the header of a successful command, and shows that of a failure', async () => {
    const run = (id: string, command: string, exitCode: number): EventInput[] => [
      { type: 'terminal_update', terminalId: id, ours: true, command } as EventInput,
      toolCall(id, { title: command, kind: 'execute', status: 'completed', content: [{ type: 'terminal', terminalId: id }] }),
      output('out\r\n', id),
      { type: 'terminal_update', terminalId: id, exitStatus: { exitCode } } as EventInput,
    ];
    await view.happen(...run('good', 'npm test', 0), ...run('bad', 'npm run x', 2));
    const good = card(/^npm test/).getByRole('group', { name: 'Terminal' });
    await good.getByText('out').waitFor();
    const offset = await good.evaluate(
      (terminal) => terminal.querySelector('.terminal-output')!.getBoundingClientRect().top - terminal.getBoundingClientRect().top,
    );
    assert.ok(offset < 4, `${offset} px above the output`);
    assert.equal(await good.getByText('Exit code 0').count(), 1, 'for screen readers');
    await good.getByRole('button', { name: 'Copy' }).waitFor();
    await card(/^npm run x/)
      .locator('.exit-bad')
      .waitFor();
    assert.ok(
      (await card(/^npm run x/)
        .locator('.terminal-bar')
        .boundingBox())!.height >= 24,
    );
  });
});

describe('a change in high contrast', function () {
  this.timeout(60_000);
  let view: View;

  eachInItsOwnView((opened) => (view = opened));

  it('has two kinds of border, for added and for removed lines', async () => {
    await view.happen(toolCall('e', { title: 'E', kind: 'edit', status: 'completed', content: [toolDiff('/a.ts', 'a\nb\n', 'a\nc\n')] }));
    await view.page.locator('.diff-line.add').waitFor();
    for (const theme of ['hc', 'hc-light']) {
      await view.page.evaluate((name) => window.playground.applyTheme(name), theme);
      const borders = await view.page.locator('.diff-line').evaluateAll((lines) =>
        lines.map((line) => {
          const { borderInlineStartStyle: style, borderInlineStartWidth: width, borderInlineStartColor: color } = getComputedStyle(line);
          return [line.className, style, width, /, 0\)$/.test(color) ? 'none' : 'seen'].join(' ');
        }),
      );
      assert.deepEqual(borders, ['diff-line solid 4px none', 'diff-line del double 4px seen', 'diff-line add solid 4px seen'], theme);
    }
    await view.page.evaluate(() => window.playground.applyTheme('dark'));
  });
});
