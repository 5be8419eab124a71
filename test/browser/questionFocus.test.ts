import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { toolCall, toolDiff } from '../support/events';
import { asked, FOLDER } from './support/asked';
import { eachInItsOwnView, type View } from './support/view';

describe('questions on tool calls and the focus', function () {
  this.timeout(120_000);

  describe('return the focus', () => {
    let view: View;
    eachInItsOwnView(
      (opened) => (view = opened),
      async (each) => {
        // The clock is paused and advances only explicitly, so half a second without answers costs nothing.
        await each.page.clock.install({ time: 0 });
        await each.page.clock.pauseAt(1000);
        await each.ready();
        await each.tame();
      },
    );

    const SEED = 20_260_114;
    const FIELDS = ['composer', 'find', 'form'] as const;
    const OTHERS = ['nothing', 'log', 'header', 'card', 'deed', 'option', 'question'] as const;
    const ANSWERS = ['click', 'Enter', 'Space', 'digit', 'Control+Enter', 'elsewhere'] as const;
    type Place = (typeof FIELDS)[number] | (typeof OTHERS)[number];

    function random(seed: number): (below: number) => number {
      let state = seed;
      return (below) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
    }

    /**
     * Scrolls the button to where it can be clicked, and waits for the scroll event. Frames come in real time, although the page's clock is
     * paused.
     */
    const toScreen = (button: Locator) =>
      button.evaluate(
        (element) =>
          new Promise<void>((resolve) => {
            const scroller = element.closest('.scroller')!;
            const { scrollTop } = scroller;
            element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
            if (scroller.scrollTop === scrollTop) {
              resolve();
            } else {
              scroller.addEventListener('scroll', () => resolve(), { once: true });
            }
          }),
      );

    it('in 30 random situations, without answering by or losing a typed key', async () => {
      const { page } = view;
      const next = random(SEED);
      const one = <T>(values: readonly T[]): T => values[next(values.length)]!;
      const composer = page.getByLabel('Message', { exact: true });
      await view.happen({ type: 'turn_started', turnId: 't' }, toolCall('before', { title: 'Look', kind: 'read', status: 'completed' }), {
        type: 'elicitation_requested',
        requestKey: 'f',
        message: 'Who?',
        body: { mode: 'form', fields: [{ type: 'string', name: 'who', title: 'Name', required: false }] },
      });
      await view.send({ type: 'open_find' });
      await page.clock.runFor(300);
      const fields = { composer, find: page.getByRole('searchbox'), form: page.getByRole('textbox', { name: 'Name' }) };
      for (const field of Object.values(fields)) {
        await field.waitFor();
      }
      const card = page.getByRole('article', { name: /^(Edit|make)/ }).last();
      const question = card.getByRole('group', { name: /^(Edit|make)/ });
      const places: Readonly<Record<Exclude<Place, 'nothing'>, () => Promise<unknown>>> = {
        composer: () => composer.focus(),
        find: () => fields.find.focus(),
        form: () => fields.form.focus(),
        log: () => page.getByRole('log').focus(),
        header: () => page.locator('header button').first().focus(),
        card: () => card.locator('.tool-header').focus(),
        deed: () => question.locator('[tabindex="0"]').first().focus(),
        option: () => question.getByRole('button', { name: 'No', exact: true }).focus(),
        question: () => question.focus(),
      };
      const state = () =>
        page.evaluate(() => {
          const active = document.activeElement as HTMLTextAreaElement;
          const name = active.getAttribute('aria-label') || active.closest('label')?.textContent || active.className || active.tagName;
          return {
            name,
            isField: active.matches('textarea, input'),
            selection: active.matches('textarea') ? [active.selectionStart, active.selectionEnd] : [],
          };
        });
      let typedLast: (typeof FIELDS)[number] = 'composer';
      const seen = new Set<string>();
      for (let round = 0; round < 30; round++) {
        const before = one(FIELDS);
        const place: Place = one([...FIELDS, ...OTHERS]);
        const how = one(ANSWERS);
        const when = one(['before', 'after']);
        const note = `round ${round}: ${before}, then ${place} ${when} the question, answered by ${how}`;
        seen.add(place).add(how);
        await view.page.evaluate(() => void (window.playground.stage.posted.length = 0));
        const id = `c${round}`;
        const call =
          round % 2 === 0
            ? { title: `make ${id}`, kind: 'execute', rawInput: { command: `make ${id}` } }
            : { title: `Edit ${id}`, kind: 'edit', content: [toolDiff(`${FOLDER}/${id}`, 'a\n', 'b\n')] };
        const ask = asked({ call }, id);
        // The user types, digits too; or has a selection that must stay.
        await fields[before].fill('');
        await fields[before].focus();
        typedLast = before;
        await page.keyboard.type('ab1c2d');
        const inQuestion = place === 'deed' || place === 'option' || place === 'question' || place === 'card';
        const focusPlace = async (): Promise<void> => {
          if (place === 'nothing') {
            await page.evaluate(() => (document.activeElement as HTMLElement).blur());
          } else {
            await places[place]();
          }
          if ((FIELDS as readonly string[]).includes(place)) {
            typedLast = place as typeof typedLast;
          }
        };
        if (when === 'before' && !inQuestion) {
          await focusPlace();
        }
        await view.happen(...ask);
        await page.clock.runFor(100);
        await question.waitFor();
        if ((await state()).isField) {
          // The message box has the caret where the user left it.
          const [from, to] = await fields[typedLast].evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd]);
          const was = await fields[typedLast].inputValue();
          await page.keyboard.type('13');
          assert.equal(
            await fields[typedLast].inputValue(),
            `${was.slice(0, from)}13${was.slice(to)}`,
            `${note}: keys were lost as it came`,
          );
        }
        if (when === 'after' || inQuestion) {
          await focusPlace();
        }
        const isField = (FIELDS as readonly string[]).includes(place);
        if (isField) {
          await page.keyboard.type('21');
        } else {
          // In the first half second the focus moves there, and no key answers.
          await page.keyboard.press('1');
        }
        await page.keyboard.press('Control+Enter');
        assert.deepEqual(await view.posted('answer_permission'), [], `${note}: it was answered by typing`);
        if (typedLast === 'composer') {
          await composer.evaluate(
            (area: HTMLTextAreaElement, [from, to]) => area.setSelectionRange(from!, to!),
            [1 + next(2), 3 + next(2)],
          );
        }
        const text = await fields[typedLast].inputValue();
        const selection = await composer.evaluate((area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd]);
        const stays = await state();
        const option = question.getByRole('button', { name: 'Yes, once' });
        // An option that moves under the pointer ignores clicks, too.
        await toScreen(option);
        await page.clock.runFor(700);
        let answeredHere = true;
        if (how === 'click') {
          // This uses raw mouse input: Playwright's wait until a button is stable would wait for the paused clock.
          const { x, y, width, height } = (await option.boundingBox())!;
          await page.mouse.click(x + width / 2, y + height / 2);
        } else if (how === 'elsewhere') {
          answeredHere = false;
        } else if (how === 'Enter' || how === 'Space') {
          await option.focus();
          await page.keyboard.press(how);
        } else {
          await question.focus();
          await page.clock.runFor(700);
          await page.keyboard.down(how === 'digit' ? '1' : 'Control');
          await page.keyboard.press(how === 'digit' ? '1' : 'Enter');
          await page.keyboard.up(how === 'digit' ? '1' : 'Control');
        }
        await page.clock.runFor(50);
        await view.happen({ type: 'permission_resolved', permissionId: id, outcome: 'selected', optionId: 'y' });
        await page.clock.runFor(100);
        const byKey = answeredHere && how !== 'click';
        // A click and an answer from elsewhere leave the focus where it was, unless that element is removed or nothing had the focus.
        const isGone =
          place === 'option' || place === 'question' || (place === 'deed' && (await question.count()) === 0 && call.kind === 'execute');
        const returns = byKey || isGone || (place === 'nothing' && answeredHere);
        const now = await state();
        if (returns || isField) {
          assert.equal(now.isField, true, `${note}: the focus is on ${now.name}`);
          await page.keyboard.type('x');
          const grown = await fields[typedLast].inputValue();
          if (typedLast === 'composer') {
            assert.equal(grown, text.slice(0, selection[0]) + 'x' + text.slice(selection[1]), `${note}: the selection is another one`);
          } else {
            assert.equal(grown, `${text}x`, note);
          }
        } else {
          assert.equal(now.name, stays.name, `${note}: the focus has moved`);
          assert.equal(await fields[typedLast].inputValue(), text, note);
        }
        const posted = await view.posted('answer_permission');
        assert.deepEqual(
          posted.map(({ optionId, permissionId }) => [optionId, permissionId]),
          answeredHere ? [['y', id]] : [],
          note,
        );
      }
      assert.equal(seen.size, FIELDS.length + OTHERS.length + ANSWERS.length, 'not every situation was met');
    });

    it('without typing the keys of a held key into the box', async () => {
      const { page } = view;
      const message = page.getByLabel('Message', { exact: true });
      await message.fill('kept');
      await view.happen(...asked({ call: { title: 'make', kind: 'execute', rawInput: { command: 'make' } } }));
      await page.clock.runFor(700);
      await page.getByRole('group', { name: 'make' }).focus();
      await page.clock.runFor(700);
      for (let times = 0; times < 5; times++) {
        await page.keyboard.down('2');
      }
      await page.keyboard.up('2');
      assert.equal((await view.posted('answer_permission')).map(({ optionId }) => optionId).join(), 'a');
      assert.equal(await message.inputValue(), 'kept');
      await page.keyboard.type('2');
      assert.equal(await message.inputValue(), 'kept2');
    });

    it('without an answer from keys typed while the focus moves', async () => {
      const { page } = view;
      await view.happen(...asked({ call: { title: 'make', kind: 'execute', rawInput: { command: 'make' } } }));
      await page.clock.runFor(700);
      await page.getByRole('group', { name: 'make' }).focus();
      for (let times = 0; times < 10; times++) {
        await page.keyboard.press('1');
        await page.clock.runFor(200);
      }
      assert.deepEqual(await view.posted('answer_permission'), []);
      await page.clock.runFor(700);
      await page.keyboard.press('3');
      assert.equal((await view.posted('answer_permission')).map(({ optionId }) => optionId).join(), 'n');
    });
  });
});
