import assert from 'node:assert/strict';
import type { ToolContent } from '../../src/core/model/content';
import type { EventInput } from '../../src/core/model/event';
import type { PermissionPresent } from '../../src/core/approval/askingSurface';
import { permissionRequest, toolCall, toolDiff, toolText } from '../support/events';
import { type Asked, asked, FOLDER, OPTIONS } from './support/asked';
import { allInOneView, type View } from './support/view';

describe('questions on tool calls', function () {
  this.timeout(60_000);

  describe('show the subject of consent once', () => {
    let view: View;
    allInOneView((opened) => (view = opened));

    const command = 'deploy --now zq4711 && echo "done"';
    const execute = { kind: 'execute', rawInput: { command } };
    const path = `${FOLDER}/src/zq4711.ts`;
    const diff: ToolContent = toolDiff(path, 'a\nconst old0815 = 1;\n', 'a\nconst new0816 = 2;\n');
    const edit = { kind: 'edit', content: [diff], locations: [{ path, line: 2 }] };
    const raw = { file_path: path, old_string: 'const old0815 = 1;', new_string: 'const new0816 = 2;' };
    const commandRows: [string, Asked][] = [
      ['that is the title', { call: { ...execute, title: command } }],
      ['that the title quotes', { call: { ...execute, title: `\`${command}\`` } }],
      ['that the title ends with', { call: { ...execute, title: `Run ${command}` } }],
      ['in the middle of a title', { call: { ...execute, title: `Execute \`${command}\` in packages/app` } }],
      ['with a title of its own', { call: { ...execute, title: 'Deploy it' } }],
      ['of a request that says it again', { call: { ...execute, title: command }, subject: { rawInput: { command }, kind: 'execute' } }],
      ['of a request with another title', { call: { ...execute, title: 'Deploy' }, title: command }],
      ['in the request alone', { call: { title: 'Shell', kind: 'execute' }, subject: { rawInput: { command } } }],
      ['of the protocol to come', { call: { title: command, kind: 'execute' }, subject: { command, cwd: FOLDER } }],
      ['that content says, too', { call: { ...execute, title: 'Bash', content: [toolText(`\`\`\`sh\n${command}\n\`\`\``)] } }],
      [
        'that content of both says',
        { call: { ...execute, title: command, content: [toolText(command)] }, subject: { content: [toolText(`$ ${command}`)] } },
      ],
      [
        'that is described',
        { call: { ...execute, title: command, rawInput: { command, description: 'Deploys', timeout: 5 } }, description: command },
      ],
      [
        'as a list of words',
        {
          call: {
            title: 'deploy --now zq4711 && echo done',
            kind: 'execute',
            rawInput: { command: ['deploy', '--now', 'zq4711', '&&', 'echo', 'done'] },
          },
        },
      ],
      ['of many lines', { call: { title: `cat <<E\n${command}\nE`, kind: 'execute', rawInput: { command: `cat <<E\n${command}\nE` } } }],
    ];
    const diffRows: [string, Asked][] = [
      ['of the call', { call: { ...edit, title: 'Edit src/zq4711.ts', rawInput: raw } }],
      [
        'of call and request',
        { call: { ...edit, title: `Edit ${path}` }, subject: { content: [diff], locations: [{ path, line: 2 }], rawInput: raw } },
      ],
      ['of the request alone', { call: { title: 'Write `src/zq4711.ts`', kind: 'edit' }, subject: { content: [diff], rawInput: raw } }],
      [
        'that both tell in their own way',
        {
          call: {
            title: 'Edit',
            kind: 'edit',
            rawInput: { edits: [raw] },
            content: [toolDiff(path, 'const old0815 = 1;', 'const new0816 = 2;')],
          },
          subject: { content: [diff] },
        },
      ],
    ];

    const needles = (kind: 'command' | 'diff') => (kind === 'command' ? ['zq4711'] : ['zq4711', 'old0815', 'new0816']);
    for (const [kind, rows] of [
      ['command', commandRows],
      ['diff', diffRows],
    ] as const) {
      for (const [what, request] of rows) {
        it(`a ${kind} ${what}`, async () => {
          for (const present of ['auto', 'both', 'quickPick', 'card'] satisfies PermissionPresent[]) {
            await view.page.evaluate(() => window.playground.stage.restart());
            await view.ready();
            await view.send({ type: 'page', folderName: 'sample', multiRoot: false, present });
            await view.happen({ type: 'turn_started', turnId: 't' }, ...asked(request));
            const card = view.page.getByRole('article');
            if (present === 'quickPick') {
              await view.page.getByRole('button', { name: 'Show Options' }).click();
            }
            await card.getByRole('button', { name: 'Yes, once' }).waitFor();
            for (const needle of needles(kind)) {
              // The compared text is rendered a moment later.
              await view.page.locator('.log').getByText(needle).first().waitFor();
              // Text for screen readers only has the title, without the command.
              const where = await view.page.evaluate(
                ([text, all]) => {
                  const count = (whole: string) => whole.split(text!).length - 1;
                  const page = [...document.querySelectorAll<HTMLElement>(all ? 'main > *' : 'main > :not([aria-live])')];
                  return {
                    seen: count(page.map((each) => each.innerText).join()),
                    there: count(page.map((each) => each.textContent).join()),
                  };
                },
                [needle, kind === 'command' ? 'all' : ''] as const,
              );
              assert.deepEqual(where, { seen: 1, there: 1 }, `${needle} in ${present}: ${await card.innerText()}`);
            }
            assert.equal(await view.page.getByText('Needs approval').filter({ visible: true }).count(), 1);
            assert.equal(await view.page.locator('.activity:visible').count(), 0);
            assert.equal(await view.page.locator('[data-slot^="permission:"]').count(), 0);
          }
        });
      }
    }

    it('keep the other fields of the input visible', async () => {
      const rawInput = { command, description: 'Deploys it', timeout: 4712, env: { WHERE: 'there' } };
      await view.happen(...asked({ call: { title: command, kind: 'execute', rawInput } }));
      await view.page.getByRole('button', { name: 'Input', exact: true }).click();
      const text = await view.page.locator('.raw').innerText();
      for (const word of ['Deploys it', '4712', 'there']) {
        assert.ok(text.includes(word), text);
      }
      assert.ok(!text.includes('zq4711'), text);
    });

    it('match the count of Find', async () => {
      const texts: Asked[] = [...commandRows, ...diffRows].map(([, request]) => request);
      await view.page.evaluate(() => Object.assign(window.playground.stage, { reacts: true }));
      for (const request of texts) {
        await view.page.evaluate(() => window.playground.stage.restart());
        await view.ready();
        await view.happen(...asked(request));
        await view.page.getByRole('button', { name: 'Yes, once' }).waitFor();
        await view.send({ type: 'open_find' });
        await view.page.getByRole('searchbox').fill('');
        await view.page.getByRole('searchbox').fill('zq4711');
        await view.page.locator('.find-count', { hasText: '1 of 1' }).waitFor();
        await view.page.getByRole('searchbox').press('Escape');
      }
    });
  });

  describe('cards of questions', () => {
    let view: View;
    allInOneView((opened) => (view = opened));
    beforeEach(() => view.send({ type: 'page', folderName: 'sample', multiRoot: false }));
    const make = { title: 'make', kind: 'execute', rawInput: { command: 'make all' } };

    it('show the outcome, in a mark and in their details', async () => {
      const ends = [
        ['allowed', { outcome: 'selected', optionId: 'y' }, 'Allowed', 'Allowed by you: Yes, once'],
        ['rejected', { outcome: 'selected', optionId: 'n' }, 'Rejected', 'Rejected by you: No'],
        [
          'denied',
          { outcome: 'selected', optionId: 'n', byRule: { id: 'team/1', reason: { code: 'rule', params: { text: 'no builds' } } } },
          'Denied by rule: no builds',
          'Denied by rule: no builds',
        ],
        ['withdrawn', { outcome: 'withdrawn' }, 'Canceled', 'Withdrawn by the agent'],
        ['stopped', { outcome: 'cancelled' }, 'Canceled', 'Not answered: the turn was stopped'],
      ] as const;
      for (const [id, end] of ends) {
        await view.happen(...asked({ call: { ...make, title: id } }, id), { type: 'permission_resolved', permissionId: id, ...end });
      }
      for (const [id, , mark, words] of ends) {
        const card = view.page.getByRole('article', { name: new RegExp(`^${id}: make all, `) });
        assert.equal(await card.locator('.decision').innerText(), mark);
        await card.locator('.tool-header').click();
        assert.match(await card.locator('.decision-details').innerText(), new RegExp(`^${words} · \\d`));
        assert.equal(await card.getByRole('group', { name: id }).count(), 0);
      }
    });

    it('stay collapsed during a quick pick, and can be answered anyway', async () => {
      await view.send({ type: 'page', folderName: 'sample', multiRoot: false, present: 'quickPick' });
      await view.happen(...asked({ call: make }));
      const card = view.page.getByRole('article', { name: 'make, Needs approval' });
      await card.getByText('Needs approval').waitFor();
      assert.equal(await card.getByRole('button', { name: 'Yes, once' }).count(), 0);
      await card.getByRole('button', { name: 'Show Options' }).click();
      await view.page.waitForTimeout(600);
      await card.getByRole('button', { name: 'Yes, once' }).click();
      assert.equal((await view.postedAtLeast('answer_permission'))[0]?.optionId, 'y');
      await view.page.evaluate(() => window.playground.stage.restart());
      await view.ready();
      await view.happen(...asked({ call: make }));
      await view.send({ type: 'focus', target: 'permission' });
      await card.getByRole('button', { name: 'Yes, once' }).waitFor();
      await view.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'group');
    });

    it('are separate among reads, while they wait and afterwards', async () => {
      const reads = Array.from({ length: 8 }, (_, index) =>
        toolCall(`r${index}`, { title: `Read ${index}.ts`, kind: 'read', status: 'completed' }),
      );
      await view.happen(...reads, toolCall('secret', { title: 'Read .env', kind: 'read', status: 'pending' }));
      await view.happen(
        permissionRequest('p', 'Read .env', { options: OPTIONS, subject: { toolCallId: 'secret' } }),
        ...reads.slice(0, 4).map((each, index) => ({ ...each, toolCallId: `s${index}` })),
      );
      const card = view.page.locator('article.tool');
      await card.getByRole('button', { name: 'Yes, once' }).waitFor();
      assert.equal(await card.count(), 1);
      assert.equal(await view.page.locator('.run').count(), 2);
      await view.happen(
        { type: 'permission_resolved', permissionId: 'p', outcome: 'selected', optionId: 'y' },
        toolCall('secret', { status: 'completed' }),
      );
      await card.getByText('Allowed').waitFor();
    });

    it('show the whole of a long command in a box, with the answers in view', async () => {
      const command = Array.from({ length: 400 }, (_, index) => `echo line-${index}`).join('\n');
      await view.happen(...asked({ call: { title: 'Many', kind: 'execute', rawInput: { command: command.replaceAll('\\n', '\n') } } }));
      const group = view.page.getByRole('group', { name: 'Many' });
      await group.getByRole('button', { name: 'Yes, once' }).waitFor();
      // The chunk that renders it is loaded on demand.
      await group.locator('.subject-command').waitFor();
      const place = await group.evaluate((element) => {
        const height = element.getBoundingClientRect().height;
        element.scrollTop = element.scrollHeight;
        const button = element.querySelector('.options button')!.getBoundingClientRect();
        const words = element.querySelector('.subject-command')!;
        return {
          height,
          screen: innerHeight,
          inside: button.bottom <= element.getBoundingClientRect().bottom,
          last: words.textContent!.endsWith('echo line-399'),
        };
      });
      assert.ok(place.height < place.screen && place.inside && place.last, JSON.stringify(place));
    });

    it('show the whole of an input that was kept in the host', async () => {
      const command = `printf '${'x'.repeat(9000)}' && rm -rf end4711`;
      await view.happen(...asked({ call: { title: 'Print', kind: 'execute', rawInput: { command } } }));
      await view.page.locator('.subject-command', { hasText: 'end4711' }).waitFor();
    });

    it('can be reached from below when they are out of view', async () => {
      await view.happen(
        { type: 'turn_started', turnId: 't' },
        ...asked({ call: make }),
        ...Array.from(
          { length: 60 },
          (_, index): EventInput => ({
            type: 'message',
            role: 'agent',
            messageId: `m${index}`,
            content: [{ type: 'text', text: 'More words.\n\nAnd more.' }],
          }),
        ),
      );
      const line = view.page.locator('.activity').getByRole('button', { name: 'Needs approval' });
      await line.click();
      await view.page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'group');
      await line.waitFor({ state: 'hidden' });
    });

    it('do not become a column of single letters on a narrow page', async () => {
      const long = {
        title: 'Rewrite the configuration of everything in this folder',
        kind: 'execute',
        rawInput: { command: 'npm run rewrite -- --everything' },
      };
      await view.happen(...asked({ call: long }, 'a'), {
        type: 'permission_resolved',
        permissionId: 'a',
        outcome: 'selected',
        optionId: 'a',
      });
      await view.happen(permissionRequest('own', long.title, { options: OPTIONS, subject: { command: 'x' } }), {
        type: 'permission_resolved',
        permissionId: 'own',
        outcome: 'selected',
        optionId: 'n',
      });
      await view.happen(...asked({ call: long }, 'b'));
      await view.page.getByRole('button', { name: 'Yes, once' }).waitFor();
      try {
        for (const width of [300, 400]) {
          await view.page.setViewportSize({ width, height: 700 });
          await view.painted();
          const narrow = await view.page.evaluate(() =>
            [
              ...document.querySelectorAll<HTMLElement>(
                '.log :is(.permission-title, .decision, .options button, .subject-command, .tool-title)',
              ),
            ].flatMap((element) => {
              const { width: wide, height } = element.getBoundingClientRect();
              const words = element.innerText.trim();
              const letters = wide / 7;
              return words.length > 10 && (letters < 10 || height > 90) ? [`${element.className} ${wide}x${height} ${words}`] : [];
            }),
          );
          assert.deepEqual(narrow, [], `at ${width}`);
          assert.ok(
            await view.page.evaluate(
              () => document.querySelector('.scroller')!.scrollWidth <= document.querySelector('.scroller')!.clientWidth,
            ),
          );
        }
      } finally {
        await view.page.setViewportSize({ width: 900, height: 800 });
      }
    });

    it('ask one after another, each on its own card', async () => {
      await view.happen(...asked({ call: { ...make, title: 'First' } }, '1'), ...asked({ call: { ...make, title: 'Second' } }, '2'));
      await view.happen(permissionRequest('again', 'First again', { options: OPTIONS, subject: { toolCallId: '1' } }));
      await view.page.getByRole('button', { name: 'Yes, once' }).nth(2).waitFor();
      for (const title of ['First', 'Second']) {
        assert.equal(
          await view.page
            .getByRole('article', { name: new RegExp(`^${title},`) })
            .getByRole('group', { name: title, exact: true })
            .count(),
          1,
        );
      }
      const first = view.page.getByRole('article', { name: /^First,/ });
      assert.equal((await first.innerText()).split('make all').length - 1, 1);
      await view.page.waitForTimeout(600);
      await first.getByRole('group', { name: 'First again' }).getByRole('button', { name: 'No', exact: true }).click();
      assert.deepEqual((await view.postedAtLeast('answer_permission'))[0], {
        type: 'answer_permission',
        permissionId: 'again',
        optionId: 'n',
      });
    });
  });
});
